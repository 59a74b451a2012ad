import { binaryArray, uuidArray } from '../postgres/arrays.ts';
import { type Queryable, timestamp } from '../postgres/database.ts';
import { rowQuery } from '../postgres/query.ts';

/** An act that was carried out under an idempotency key. */
export interface ActKey {
  tenantId: string;
  keyHash: Buffer;
  requestHash: Buffer;
  /** The payment, session, endpoint or event that it is about. */
  subjectId: string;
  /** The data to repeat its response. */
  answer: object;
  createdAtMs: number;
}

const insertStatement = {
  name: 'act_keys.insert',
  text: `
INSERT INTO act_keys (tenant_id, key_hash, request_hash, subject_id, answer, created_at)
SELECT $1::uuid, $2::bytea, $3::bytea, $4::uuid, $5::jsonb, $6::timestamptz
ON CONFLICT DO NOTHING
RETURNING tenant_id`,
};

/** False: the key exists already. Waits for another transaction that is writing it. */
export async function insertActKey(transaction: Queryable, act: ActKey): Promise<boolean> {
  const { tenantId, keyHash, requestHash, subjectId, answer, createdAtMs } = act;
  const hashes = [keyHash, requestHash];
  const values = [tenantId, ...hashes, subjectId, JSON.stringify(answer), timestamp(createdAtMs)];
  return (await transaction.query(insertStatement, values)).length > 0;
}

const findByHashes = rowQuery<
  Pick<ActKey, 'requestHash' | 'answer'>,
  [tenantId: string, keyHashes: Buffer]
>({
  name: 'act_keys.find',
  text: `
SELECT act.request_hash AS "requestHash", act.answer
FROM unnest($2::bytea[]) AS kept (key_hash) CROSS JOIN LATERAL (
  SELECT request_hash, answer FROM act_keys WHERE tenant_id = $1 AND key_hash = kept.key_hash LIMIT 1) AS act`,
});

/** The act of an idempotency key, which is kept under one of these hashes of the key. */
export const findActKey = (database: Queryable, tenantId: string, keyHashes: readonly Buffer[]) =>
  findByHashes(database, tenantId, binaryArray(keyHashes));

const forgetFieldStatement = {
  name: 'act_keys.forget_field',
  text: 'UPDATE act_keys SET answer = answer - $3::text WHERE tenant_id = $1 AND subject_id = $2 AND answer ? $3',
};

/** Takes a field out of the answers of all acts on a subject. */
export async function forgetField(
  transaction: Queryable,
  subject: { tenantId: string; id: string },
  field: string,
): Promise<void> {
  await transaction.query(forgetFieldStatement, [subject.tenantId, subject.id, field]);
}

const forgetStatement = {
  name: 'act_keys.forget',
  text: 'DELETE FROM act_keys WHERE tenant_id = $1 AND subject_id = ANY ($2::uuid[])',
};

/** Forgets the acts on these subjects. */
export async function forgetActs(
  transaction: Queryable,
  tenantId: string,
  subjectIds: readonly string[],
): Promise<void> {
  await transaction.query(forgetStatement, [tenantId, uuidArray(subjectIds)]);
}

const removeStatement = {
  name: 'act_keys.remove_old',
  text: `
WITH old AS MATERIALIZED (
  SELECT tenant_id, key_hash FROM act_keys WHERE created_at < $1 ORDER BY created_at LIMIT $2
)
DELETE FROM act_keys a USING old WHERE a.tenant_id = old.tenant_id AND a.key_hash = old.key_hash
RETURNING a.tenant_id`,
};

/** @returns how many went */
export async function removeOldActKeys(
  database: Queryable,
  beforeMs: number,
  limit: number,
): Promise<number> {
  return (await database.query(removeStatement, [timestamp(beforeMs), limit])).length;
}
