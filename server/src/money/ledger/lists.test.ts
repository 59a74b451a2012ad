import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshDatabase } from '../../../test/support/database.ts';
import { rowsRead } from '../../../test/support/rows-read.ts';
import { accountPage, imbalances } from './balances.ts';
import { findPostingOwner, listPostings } from './list-postings.ts';

/** 1,000 merchants with 16 accounts each, and 100,000 postings of one of them. */
async function begin(context: Parameters<typeof freshDatabase>[0]) {
  const { database } = await freshDatabase(context);
  const texts = [
    `INSERT INTO merchants (id, name, created_at)
     SELECT gen_random_uuid(), 'Loja ' || n, now() FROM generate_series(1, 1000) AS n`,
    `INSERT INTO tenants (id, merchant_id, mode, created_at)
     SELECT gen_random_uuid(), id, mode, now() FROM merchants, (VALUES ('live'), ('test')) AS of (mode)`,
    `INSERT INTO balances (tenant_id, account, currency, balance_minor)
     SELECT t.id, 'account_' || n, 'CVE', CASE n WHEN 1 THEN -7 ELSE 1 END
     FROM tenants t, generate_series(1, 8) AS n`,
    `INSERT INTO postings (tenant_id, source_id, kind, from_account, to_account, currency, amount_minor, created_at)
     SELECT t.id, source.id, 'debit_net', 'operator:MOCK', 'payable', 'CVE', 100, now()
     FROM (SELECT id FROM tenants LIMIT 1) AS t, (SELECT uuidv7() AS id FROM generate_series(1, 100000)) AS source`,
    'ANALYZE merchants, tenants, balances, postings',
  ];
  for (const text of texts) await database.query({ text });
  return database;
}

test('reads only a small part of the tables for a page of accounts or postings', async (context) => {
  const database = await begin(context);
  const [last] = (await accountPage(database, {}, { limit: 8_000 })).slice(-1);
  const [posting] = await database.query<{ tenantId: string; sourceId: string }>({
    text: 'SELECT tenant_id AS "tenantId", source_id AS "sourceId" FROM postings ORDER BY source_id LIMIT 1 OFFSET 50000',
  });
  const { tenantId, sourceId } = posting!;
  const reads: [string, number, Parameters<typeof rowsRead>[1]][] = [
    ['accounts', 400, (on) => accountPage(on, {}, { limit: 51 })],
    ['later accounts', 2_500, (on) => accountPage(on, {}, { limit: 51, after: last! })],
    ['postings', 200, (on) => listPostings(on, tenantId, { limit: 51 })],
    [
      'later postings',
      200,
      (on) => listPostings(on, tenantId, { limit: 51, after: { sourceId, kind: 'debit_net' } }),
    ],
    ['of one', 200, (on) => listPostings(on, tenantId, { limit: 51, sourceIds: [sourceId] })],
    ['the owner of one', 3_000, (on) => findPostingOwner(on, sourceId)],
  ];
  for (const [name, mostRead, run] of reads) {
    const read = await rowsRead(database, run);
    assert.ok(read <= mostRead, `${name}: ${read} rows read`);
  }
  assert.deepEqual(await imbalances(database, 10), []);
});
