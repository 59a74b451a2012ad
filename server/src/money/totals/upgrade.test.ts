import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { cleanUp } from '../../../test/support/cleanup.ts';
import { silentLog } from '../../../test/support/database.ts';
import { setUp } from '../../../test/support/migrations.ts';
import { openDatabase } from '../../platform/postgres/database.ts';
import { hourProblems } from '../ledger/payable-hours.ts';
import { totalsProblems } from './check.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'migrations');
const tenantId = '0190a000-0000-7000-8000-000000000001';

/** A database as left by programs without totals, and the upgrade to today's. */
async function before(context: TestContext) {
  const names = (await readdir(folder)).sort();
  const at = names.findIndex((name) => name.startsWith('0022-'));
  const text = async (name: string) => [name, await readFile(join(folder, name), 'utf8')] as const;
  const files = Object.fromEntries(await Promise.all(names.slice(0, at).map(text)));
  const { url, write, run } = await setUp(context, files);
  await run();
  const limits = { maxConnections: 2, statementTimeoutMs: 60_000 };
  const database = openDatabase({ url, log: silentLog, ...limits });
  cleanUp(context, () => database.close());
  const upgrade = async () => {
    const later = await Promise.all(names.slice(at).map(text));
    for (const file of later) await write(...file);
    // Contractions wait until they are asked for.
    const due = later.filter(([, sql]) => !sql.includes('\n-- Contract\n'));
    assert.deepEqual(
      (await run()).applied,
      due.map(([name]) => name),
    );
  };
  return { database, upgrade };
}

/** Fifty payments of each status, a bit more than an hour apart, so that they lie around each end of a day. */
const payments = `
INSERT INTO payments (tenant_id, id, version, status, amount_minor, fee_minor, currency, operator, operator_phone,
  operator_tx_id, failure_code, ask_count, due_at, expires_at, created_at, updated_at)
SELECT $1::uuid, gen_random_uuid(), 3, status, 100 * n, n, (ARRAY['CVE', 'AOA'])[1 + n % 2],
  (ARRAY['MOCK', 'CVMOVEL'])[1 + n % 2], '+2389912345',
  CASE WHEN status IN ('DEBITED', 'SETTLED', 'REFUNDED', 'PARTIALLY_REFUNDED') THEN status || n END,
  CASE WHEN status IN ('FAILED', 'EXPIRED') AND n % 3 > 0 THEN (ARRAY['PAYER_DECLINED', 'OPERATOR_ERROR'])[n % 3] END,
  0, CASE WHEN status IN ('CREATED', 'OPERATOR_PENDING', 'USER_CONFIRMING') THEN at END, at, at, at + n * INTERVAL '7 seconds'
FROM generate_series(1, 50) AS n
CROSS JOIN unnest(ARRAY['CREATED', 'OPERATOR_PENDING', 'USER_CONFIRMING', 'DEBITED', 'SETTLED', 'FAILED', 'EXPIRED',
  'REFUNDED', 'PARTIALLY_REFUNDED', 'CANCELLED']) AS status
CROSS JOIN LATERAL (SELECT TIMESTAMPTZ '2026-11-20T22:10:00Z' + n * INTERVAL '61 minutes' AS at) AS each`;

const booked = `
INSERT INTO postings (tenant_id, source_id, kind, from_account, to_account, currency, amount_minor, created_at)
SELECT tenant_id, id, kind, 'operator:' || operator, account, currency, amount, updated_at
FROM payments CROSS JOIN LATERAL (VALUES ('debit_net', 'payable', amount_minor - fee_minor),
  ('debit_fee', 'fees', fee_minor)) AS part (kind, account, amount)
WHERE status IN ('DEBITED', 'SETTLED', 'REFUNDED', 'PARTIALLY_REFUNDED')`;

const refunds = `
INSERT INTO refunds (tenant_id, id, payment_id, version, status, amount_minor, currency, operator, operator_tx_id,
  ask_count, created_at, updated_at)
SELECT tenant_id, gen_random_uuid(), id, 2, outcome,
  CASE status WHEN 'REFUNDED' THEN amount_minor ELSE amount_minor / 2 END, currency, operator, operator_tx_id, 0,
  created_at + INTERVAL '1 day', created_at + INTERVAL '25 hours'
FROM payments CROSS JOIN unnest(ARRAY['SUCCEEDED', 'FAILED']) AS outcome
WHERE status IN ('REFUNDED', 'PARTIALLY_REFUNDED')`;

const refundPostings = `
INSERT INTO postings (tenant_id, source_id, kind, from_account, to_account, currency, amount_minor, created_at)
SELECT tenant_id, id, kind, source, target, currency, amount_minor, updated_at
FROM refunds CROSS JOIN LATERAL (VALUES ('refund_out', 'payable', 'refunds_in_transit', NULL),
  ('refund_done', 'refunds_in_transit', 'operator:' || operator, 'SUCCEEDED'),
  ('refund_back', 'refunds_in_transit', 'payable', 'FAILED')) AS part (kind, source, target, outcome)
WHERE outcome IS NULL OR outcome = status`;

test('counts existing payments and refunds in an upgrade, by hour and by day, to the cent', async (context) => {
  const { database, upgrade } = await before(context);
  await database.query({ text: payments }, [tenantId]);
  for (const text of [booked, refunds, refundPostings]) await database.query({ text });
  await upgrade();
  assert.deepEqual(await totalsProblems(database), []);
  assert.deepEqual(await hourProblems(database), []);
  // Each day has its payments once for Cape Verde and once for Angola.
  for (const [table, times] of [
    ['payment_totals', 1],
    ['payment_day_totals', 2],
  ] as const) {
    const rows = await database.query({
      text: `SELECT outcome, (sum(item_count) / ${times})::integer AS count,
          (sum(amount_minor) / ${times})::integer AS amount
        FROM ${table} GROUP BY outcome ORDER BY outcome`,
    });
    const ended = (outcome: string) => ({ outcome, count: 50, amount: 127_500 });
    assert.deepEqual(rows, [
      ended('CANCELLED'),
      ended('EXPIRED'),
      ended('FAILED'),
      { outcome: 'REFUNDED', count: 100, amount: 127_500 + 63_750 },
      { outcome: 'SUCCEEDED', count: 200, amount: 4 * 127_500 },
    ]);
  }
});
