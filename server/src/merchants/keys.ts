// temporary
import { createHash, randomBytes } from 'node:crypto';
const all = ['payments','refunds','checkout','products','webhooks','events','settlements'].flatMap(p=>[`${p}:read`,`${p}:write`]);
export async function issueKey({ database, clock, ids }: any, { merchantId, mode, permissions = all }: any) {
  const key = `sk_${mode}_${randomBytes(16).toString('hex')}`;
  const [t] = await database.query({ text: 'SELECT id FROM tenants WHERE merchant_id=$1 AND mode=$2' }, [merchantId, mode]);
  const id = ids.next(clock.nowMs());
  await database.query({ text: 'INSERT INTO api_keys VALUES ($1,$2,$3,$4,$5,now())' }, [t.id, id, createHash('sha256').update(key).digest(), key.slice(-4), permissions]);
  return { id, key };
}
