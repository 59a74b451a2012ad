import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { randomIds } from '../../platform/values/ids.ts';
import { createMerchant } from '../../tenants/merchants/create-merchant.ts';
import { accountPage } from './balances.ts';
import { type ExportedPosting, exportPostings } from './export.ts';

/** Postings of two merchants, 25 and 5 of them. */
async function postings(context: Parameters<typeof testDatabase>[0]) {
  const { database } = await testDatabase(context);
  const base = { database, clock: systemClock, ids: randomIds() };
  const merchants = [await createMerchant(base, 'Loja A'), await createMerchant(base, 'Loja B')];
  const add = (merchantId: string, count: number) =>
    database.query(
      {
        text: `INSERT INTO postings (tenant_id, source_id, kind, from_account, to_account, currency, amount_minor, created_at)
          SELECT t.id, md5(t.id::text || number)::uuid, kind, 'operator:MOCK', 'payable', 'CVE', number, now()
          FROM tenants t, generate_series(1, $2) AS number, unnest(ARRAY['debit_net', 'debit_fee', 'x', 'y', 'z']) AS kind
          WHERE t.merchant_id = $1 AND t.mode = 'live'`,
      },
      [merchantId, count],
    );
  await add(merchants[0]!.id, 5);
  await add(merchants[1]!.id, 1);
  return { database, merchants };
}

test('exports every posting once, for any page size', async (context) => {
  const { database, merchants } = await postings(context);
  for (const pageSize of [1, 3, 5, 30, 100]) {
    const found: ExportedPosting[] = [];
    const sizes: number[] = [];
    await exportPostings(
      database,
      async (page) => {
        sizes.push(page.length);
        found.push(...page);
      },
      pageSize,
    );
    assert.ok(Math.max(...sizes) <= pageSize);
    assert.equal(found.length, 30);
    assert.equal(new Set(found.map(({ sourceId, kind }) => sourceId + kind)).size, 30);
    const ofFirst = found.filter(({ merchantId }) => merchantId === merchants[0]!.id);
    assert.equal(ofFirst.length, 25);
    assert.ok(found.every(({ mode }) => mode === 'live'));
  }
});

test('exports the state of one instant despite later bookings', async (context) => {
  const { database } = await postings(context);
  let count = 0;
  await exportPostings(
    database,
    async (page) => {
      count += page.length;
      await database.query({
        text: `INSERT INTO postings (tenant_id, source_id, kind, from_account, to_account, currency, amount_minor, created_at)
          SELECT tenant_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff', 'late' || ${count}, from_account, to_account, currency, 1, now()
          FROM postings ORDER BY tenant_id DESC LIMIT 1`,
      });
    },
    7,
  );
  assert.equal(count, 30);
});

test('returns balances with their merchant and mode', async (context) => {
  const { database, merchants } = await postings(context);
  await database.query({
    text: `INSERT INTO balances SELECT id, 'payable', 'CVE', 9007199254740993 FROM tenants WHERE mode = 'live'`,
  });
  const found = await accountPage(database, {}, { limit: 100 });
  assert.deepEqual(
    found.map(({ merchantId, merchantName }) => [merchantId, merchantName]),
    merchants.map(({ id, name }) => [id, name]),
  );
  const { mode, account, currency, balanceMinor } = found[0]!;
  assert.deepEqual(
    [mode, account, currency, balanceMinor],
    ['live', 'payable', 'CVE', 9_007_199_254_740_993n],
  );
});
