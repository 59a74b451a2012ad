import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { examplePayment } from '../../../test/support/payment.ts';
import { exampleRefund } from '../../../test/support/refund.ts';
import { addTenants } from '../../../test/support/tenants.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { randomIds } from '../../platform/values/ids.ts';
import { debitPostings } from '../ledger/postings.ts';
import type { Payment } from '../payments/payment.ts';
import { insertPayments } from '../payments/store.ts';
import { type Transition, transitionPayments } from '../payments/transition-store.ts';
import { transitionRefunds } from '../refunds/store.ts';
import { recountTotals, totalsProblems } from './check.ts';
import { foldTotals } from './fold.ts';

const ids = randomIds();
const hourMs = Date.parse('2026-11-21T09:00:00.000Z');

/** Payments of a tenant as stored in the table, each created at its instant. */
async function payments(database: Database, createdAtMs: number[], change: Partial<Payment> = {}) {
  const tenantId = randomUUID();
  await addTenants(database, tenantId);
  const rows = createdAtMs.map((atMs) =>
    examplePayment({
      tenantId,
      id: ids.next(atMs),
      createdAtMs: atMs,
      expiresAtMs: atMs + 300_000,
      ...change,
    }),
  );
  const event = (payment: Payment) => ({
    tenantId,
    id: ids.next(payment.createdAtMs),
    type: 'payment.created' as const,
    objectId: payment.id,
    sequence: 1,
    createdAtMs: payment.createdAtMs,
    body: '{}',
  });
  const all = rows.map((payment) => ({ payment, event: event(payment) as never }));
  await insertPayments(database, all, hourMs);
  await database.query(
    { text: `UPDATE payments SET status = 'USER_CONFIRMING' WHERE tenant_id = $1` },
    [tenantId],
  );
  return rows.map((row): Payment => ({ ...row, status: 'USER_CONFIRMING' }));
}

/** A payment on its way to a status, some time after its creation. */
function moved(seen: Payment, status: Payment['status'], afterMs = 0, more = {}): Transition {
  const updatedAtMs = seen.createdAtMs + afterMs;
  const next = { ...seen, version: seen.version + 1, status, updatedAtMs, ...more };
  return { seen, next, postings: status === 'DEBITED' ? debitPostings(next, updatedAtMs) : [] };
}

async function deltas(database: Database, table = 'payment_total_deltas') {
  const rows = await database.query<Record<string, unknown>>({
    text: `SELECT hour, outcome, failure_code, confirm_bucket, item_count, amount_minor, fee_minor
      FROM ${table} ORDER BY hour, outcome, failure_code, confirm_bucket`,
  });
  return rows.map((row) =>
    Object.values({ ...row, hour: ((row.hour as number) - hourMs) / 3_600_000 }).join(' '),
  );
}

const daysText = `SELECT * FROM payment_day_totals WHERE item_count <> 0
  ORDER BY day_start, outcome, failure_code, confirm_bucket`;

const problems = async (database: Database) =>
  (await totalsProblems(database)).map(({ message }) => message);

/** Two hours with each outcome, all in one batch. */
async function outcomes(context: TestContext) {
  const { database } = await testDatabase(context);
  const rows = await payments(
    database,
    [0, 1, 2, 3, 4, 5, 3_600_000].map((ms) => hourMs + ms),
  );
  const failed = { failureCode: 'INSUFFICIENT_FUNDS' };
  const ended = [
    moved(rows[0]!, 'DEBITED', 900),
    moved(rows[1]!, 'DEBITED', 700),
    moved(rows[2]!, 'DEBITED', 100_000),
    moved(rows[3]!, 'FAILED', 1, failed),
    moved(rows[4]!, 'EXPIRED', 1, { failureCode: 'CONFIRMATION_TIMEOUT' }),
    moved(rows[5]!, 'CANCELLED'),
    // It counts in the hour of its creation, although it ends in the next.
    moved(rows[6]!, 'FAILED', 3_600_000, failed),
  ];
  return { database, rows, ended };
}

const counted = [
  '0 CANCELLED  0 1 10000 200',
  '0 EXPIRED CONFIRMATION_TIMEOUT 0 1 10000 200',
  '0 FAILED INSUFFICIENT_FUNDS 0 1 10000 200',
  '0 SUCCEEDED  2 2 20000 400',
  '0 SUCCEEDED  16 1 10000 200',
  '1 FAILED INSUFFICIENT_FUNDS 0 1 10000 200',
];

test('counts outcomes in the hour of their payments, and equal keys as one delta', async (context) => {
  const { database, ended } = await outcomes(context);
  await transitionPayments(database, ended, hourMs);
  assert.deepEqual(await deltas(database), counted);
  assert.deepEqual(await problems(database), []);
});

test('counts nothing for rows that did not move, nor for steps without an outcome', async (context) => {
  const { database, rows, ended } = await outcomes(context);
  await transitionPayments(database, ended, hourMs);
  // The same again, as after a lost COMMIT; and a completed settlement.
  assert.equal((await transitionPayments(database, ended, hourMs)).ids.size, 0);
  const debited = { ...ended[0]!.next };
  const settled = await transitionPayments(database, [moved(debited, 'SETTLED', 9_000)], hourMs);
  assert.equal(settled.ids.size, 1);
  const [pending] = await payments(database, [hourMs], { status: 'USER_CONFIRMING' });
  await database.query({ text: `UPDATE payments SET status = 'OPERATOR_PENDING' WHERE id = $1` }, [
    pending!.id,
  ]);
  const seen = { ...pending!, status: 'OPERATOR_PENDING' as const };
  await transitionPayments(database, [moved(seen, 'USER_CONFIRMING')], hourMs);
  assert.deepEqual(await deltas(database), counted);
  assert.deepEqual(await problems(database), []);
  assert.equal(rows.length, 7);
});

test('counts a successful refund in its own hour', async (context) => {
  const { database, rows, ended } = await outcomes(context);
  await transitionPayments(database, ended, hourMs);
  const [{ tenantId, id: paymentId }] = rows as [Payment];
  await database.query({ text: 'UPDATE payments SET refund_reserved_minor = 5000 WHERE id = $1' }, [
    paymentId,
  ]);
  const refundAt = new Date(hourMs + 7_200_000).toISOString();
  const id = randomUUID();
  await database.query(
    {
      text: `INSERT INTO refunds (tenant_id, id, payment_id, version, status, amount_minor, currency, operator,
        operator_tx_id, ask_count, due_at, created_at, updated_at)
      VALUES ($1, $2, $3, 1, 'PROCESSING', 5000, 'CVE', 'MOCK', 'OP-1', 0, $4, $4, $4)`,
    },
    [tenantId, id, paymentId, refundAt],
  );
  const seen = exampleRefund({
    tenantId,
    id,
    paymentId,
    status: 'PROCESSING',
    amountMinor: 5_000n,
  });
  const next = { ...seen, status: 'SUCCEEDED' as const };
  const amounts = { refundedMinor: 5_000n, releasedMinor: 0n, lateMinor: 0n };
  const posting = {
    tenantId,
    sourceId: id,
    kind: 'refund_done',
    from: 'refunds_in_transit',
    to: 'operator:MOCK',
    currency: 'CVE',
    amountMinor: 5_000n,
    createdAtMs: hourMs,
  };
  await transitionRefunds(
    database,
    [{ seen, next, ...amounts, posting: posting as never }],
    hourMs,
  );
  assert.deepEqual(await deltas(database), [...counted, '2 REFUNDED  0 1 5000 0']);
  assert.deepEqual(await problems(database), []);
});

test('keeps every sum when it folds in batches and by several processes at once', async (context) => {
  const { database, ended } = await outcomes(context);
  for (const each of ended) await transitionPayments(database, [each], hourMs);
  // The next has the same key: it is added to the existing total.
  assert.equal(await foldTotals(database, 1), 1);
  assert.deepEqual(await problems(database), []);
  const folded = await Promise.all(Array.from({ length: 8 }, () => foldTotals(database, 1)));
  assert.equal(
    folded.reduce((sum, count) => sum + count, 0),
    6,
  );
  assert.deepEqual(await deltas(database), []);
  assert.deepEqual(await deltas(database, 'payment_totals'), counted);
  assert.deepEqual(await problems(database), []);
  assert.equal(await foldTotals(database, 5), 0);
});

test('does not fold deltas that another process is folding', async (context) => {
  const { database, ended } = await outcomes(context);
  await transitionPayments(database, ended, hourMs);
  let other: Promise<number> | undefined;
  await database.transaction(async (transaction) => {
    assert.equal(await foldTotals(transaction, 100), 6);
    other = foldTotals(database, 100);
    const text = `SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE datname = current_database() AND NOT granted`;
    const waits = async () => (await database.query({ text })).length > 0;
    // It has nothing to wait for; a wait would mean that it takes deltas it must not take.
    await Promise.race([other, eventually('it waits', waits)]);
  });
  assert.equal(await other, 0);
  assert.deepEqual(await problems(database), []);
});

test('recounts days from their hours, and adds uncounted items to hours', async (context) => {
  const { database, ended } = await outcomes(context);
  await transitionPayments(database, ended, hourMs);
  await foldTotals(database, 100);
  const days = await database.query({ text: daysText });
  const faults = [
    'DELETE FROM payment_day_totals',
    'UPDATE payment_day_totals SET amount_minor = amount_minor + 1',
    `UPDATE payment_day_totals SET day_start = day_start + INTERVAL '1 day'`,
    `DELETE FROM payment_totals WHERE outcome = 'SUCCEEDED'`,
    'UPDATE payment_totals SET item_count = item_count + 1',
  ];
  for (const text of faults) {
    await database.query({ text });
    assert.notDeepEqual(await problems(database), [], text);
    await recountTotals(database);
    assert.deepEqual(await problems(database), [], text);
    await foldTotals(database, 100);
    assert.deepEqual(await problems(database), [], text);
    assert.deepEqual(await database.query({ text: daysText }), days, text);
  }
});

test('notices and corrects a lost or doubled delta, by payments and postings', async (context) => {
  const { database, ended } = await outcomes(context);
  await transitionPayments(database, ended, hourMs);
  const change = (text: string) => database.query({ text });
  const twice = `INSERT INTO payment_total_deltas SELECT * FROM payment_total_deltas WHERE confirm_bucket = 16`;
  await change(twice);
  const doubled = await problems(database);
  assert.match(
    doubled[0]!,
    /off by 1 SUCCEEDED of MOCK in CVE .*09:00:00.000Z, by 10000 and fees of 200/,
  );
  assert.match(
    doubled[1]!,
    /say that 40000 CVE with fees of 800 SUCCEEDED at operator:MOCK, but the postings 30000 with 600/,
  );
  assert.equal(doubled.length, 2);
  await change(`DELETE FROM payment_total_deltas WHERE outcome = 'FAILED'`);
  assert.equal((await problems(database)).length, 4);
  let recounting: Promise<number> | undefined;
  await database.transaction(async (another) => {
    await another.query({ text: 'SELECT pg_advisory_xact_lock(2053729634, 22)' });
    recounting = recountTotals(database);
    const text = `SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database
      WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`;
    await eventually('it waits', async () => (await database.query({ text })).length === 1);
  });
  assert.deepEqual([await recounting, await recountTotals(database)], [3, 0]);
  assert.deepEqual(await problems(database), []);
  await foldTotals(database, 100);
  assert.deepEqual(await problems(database), []);
  assert.deepEqual(await deltas(database, 'payment_totals'), counted);
});
