import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import { createMerchant } from '../../tenants/merchants/create-merchant.ts';
import { systemClock } from '../process/clock.ts';
import { formatId, randomIds } from '../values/ids.ts';
import { listMerchantRecords } from './list-by-merchant.ts';
import { writeAuditRecord } from './record.ts';

async function begin(context: Parameters<typeof testDatabase>[0]) {
  const { database } = await testDatabase(context);
  const base = { database, clock: systemClock, ids: randomIds() };
  const [own, other] = [await createMerchant(base, 'Loja A'), await createMerchant(base, 'Loja B')];
  const tenants = await database.query<{ id: string; merchantId: string }>({
    text: 'SELECT id, merchant_id AS "merchantId" FROM tenants ORDER BY mode',
  });
  for (const { id: tenantId, merchantId } of tenants) {
    for (const actor of ['key:ak_1', 'cli:maria']) {
      const subject = merchantId === own.id ? 'we_own' : 'we_other';
      await writeAuditRecord(
        database,
        { ...base, actor },
        { tenantId, action: 'webhook.changed', subject },
      );
    }
  }
  const detail = { merchant: formatId('me', own.id) };
  await writeAuditRecord(database, base, {
    tenantId: null,
    action: 'person.invited',
    subject: 'iv_1',
    detail,
  });
  await writeAuditRecord(database, base, {
    tenantId: null,
    action: 'database.backed_up',
    subject: 'all',
  });
  return { ...base, own, other };
}

test('shows a merchant the changes to it and both its tenants, but none to others', async (context) => {
  const { database, own } = await begin(context);
  const { records, lookedThrough } = await listMerchantRecords(
    database,
    own.id,
    {},
    { limit: 100 },
  );
  assert.deepEqual(
    records.map(({ action, mode }) => [action, mode]),
    [
      ['person.invited', null],
      ['webhook.changed', 'test'],
      ['webhook.changed', 'test'],
      ['webhook.changed', 'live'],
      ['webhook.changed', 'live'],
      ['merchant.created', null],
    ],
  );
  assert.ok(records.every(({ subject }) => subject !== 'we_other'));
  assert.equal(lookedThrough, undefined);
});

test('filters the log, and pages through it without gaps', async (context) => {
  const { database, own } = await begin(context);
  const found = async (filter: Parameters<typeof listMerchantRecords>[2]) =>
    (await listMerchantRecords(database, own.id, filter, { limit: 100 })).records.length;
  assert.equal(await found({ actor: 'cli:maria' }), 2);
  assert.equal(await found({ action: 'webhook.changed', subject: 'we_own' }), 4);
  assert.equal(await found({ subject: 'we_other' }), 0);
  assert.equal(await found({ actor: 'cli:%' }), 0, 'does not treat a filter as a pattern');
  assert.equal(await found({ sinceMs: Date.now() + 60_000 }), 0);
  assert.equal(await found({ untilMs: Date.now() - 60_000 }), 0);
  const ids: string[] = [];
  for (let beforeId: string | undefined; ; ) {
    const { records } = await listMerchantRecords(database, own.id, {}, { limit: 2, beforeId });
    ids.push(...records.slice(0, 2).map(({ id }) => id));
    if (records.length <= 2) break;
    beforeId = ids.at(-1);
  }
  assert.equal(ids.length, 6);
  assert.equal(new Set(ids).size, 6);
});

test('limits the search for a rare record, and continues on the next page', async (context) => {
  const { database, own } = await begin(context);
  await database.query(
    {
      text: `INSERT INTO audit_records (id, tenant_id, at, actor, action, subject, detail)
        SELECT ('ffffffff-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, t.id, now(), 'x', 'y', 'z', '{}'
        FROM tenants t, generate_series(1, 6000) AS n WHERE t.merchant_id = $1 AND t.mode = 'live'`,
    },
    [own.id],
  );
  const filter = { action: 'merchant.created' };
  const first = await listMerchantRecords(database, own.id, filter, { limit: 10 });
  assert.deepEqual(first.records, []);
  const page = { limit: 10, beforeId: first.lookedThrough };
  const second = await listMerchantRecords(database, own.id, filter, page);
  assert.equal(second.records.length, 1);
  assert.equal(second.lookedThrough, undefined);
});
