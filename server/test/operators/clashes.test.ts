/** A transaction of an operator is booked once, across all merchants that share our account there. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import type { Payment } from '../../src/money/payments/payment.ts';
import { type Harness, openHarness } from './harness.ts';
import { notFound, success } from './scripted.ts';

const dayMs = 86_400_000;
const amountMinor = 10_000n;

async function transactions({ database }: Harness) {
  const text = `SELECT operator, account, operator_tx_id AS "operatorTxId", payment_id AS "paymentId", kind
    FROM operator_transactions ORDER BY operator_tx_id, account`;
  return database.query<Record<string, string>>({ text });
}

const booking = (
  payment: Payment,
  operatorTxId: string,
  kind = 'DEBIT',
  account = 'walletid@loja',
) => ({
  operator: 'CVMOVEL',
  account,
  operatorTxId,
  paymentId: payment.id,
  kind,
});

/** For each clash: the payment's merchant, our booking, and the operator's answer. */
async function clashes(harness: Harness) {
  return (await harness.review()).map(
    ({ kind, subjectId, detail }): Record<string, unknown> => ({
      kind,
      subjectId,
      ...detail,
    }),
  );
}

test('books the transaction of a debit, and that of a debit that goes back', async (context) => {
  const harness = await openHarness(context);
  const paid = await harness.debited('OP-1');
  const late = await harness.sent();
  harness.operator.onQueryDebit = () => success('OP-2', amountMinor);
  await harness.cancel(late);
  await harness.work();
  assert.deepEqual(await transactions(harness), [
    booking(paid, 'OP-1'),
    booking(late, 'OP-2', 'REVERSAL'),
  ]);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('debits one of two payments with the same transaction, and shows both to a person', async (context) => {
  const harness = await openHarness(context);
  const tenantId = await harness.newTenant();
  const first = await harness.debited('OP-1');
  const second = await harness.debited('OP-1', { tenantId });
  assert.equal((await harness.payment(first)).status, 'DEBITED');
  assert.equal(second.status, 'OPERATOR_PENDING');
  assert.notEqual(second.dueAtMs, null, 'it is asked about');
  const clash = {
    kind: 'CLASH',
    subjectId: second.id,
    booked: { tenantId: first.tenantId, paymentId: first.id, kind: 'DEBIT' },
    told: { operatorTxId: 'OP-1', amountMinor: '10000' },
  };
  assert.deepEqual(await clashes(harness), [clash]);
  // The operator insists: the payment ends, and nothing goes back automatically.
  harness.operator.onQueryDebit = () => success('OP-1', amountMinor);
  await harness.workFor(2 * dayMs);
  assert.equal(
    (await harness.payment(second)).status,
    'OPERATOR_PENDING',
    'its customer may have paid',
  );
  await harness.workFor(2 * dayMs);
  assert.equal((await harness.payment(second)).status, 'EXPIRED');
  assert.deepEqual(await harness.reversals(), []);
  const newest = { ...clash.told, as: 'LATE_DEBIT' };
  assert.deepEqual(await clashes(harness), [{ ...clash, newest }], 'it is listed once');
  assert.deepEqual(await transactions(harness), [booking(first, 'OP-1')]);
  assert.deepEqual(await harness.balances(tenantId), {});
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('debits a payment by its own transaction after its first answer clashed', async (context) => {
  const harness = await openHarness(context);
  await harness.debited('OP-1');
  const second = await harness.debited('OP-1');
  harness.operator.onQueryDebit = () => success('OP-2', amountMinor);
  await harness.workFor(60_000);
  const { status, operatorTxId } = await harness.payment(second);
  assert.deepEqual([status, operatorTxId], ['DEBITED', 'OP-2']);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('does not return the debit of one payment for another', async (context) => {
  const harness = await openHarness(context);
  const paid = await harness.debited('OP-1');
  const ended = await harness.sent();
  await harness.cancel(ended);
  harness.operator.onQueryDebit = () => success('OP-1', amountMinor);
  await harness.work();
  assert.deepEqual(await harness.reversals(), []);
  assert.equal(harness.operator.count('reverse'), 0);
  const [clash, ...others] = await clashes(harness);
  assert.deepEqual(others, []);
  assert.deepEqual(clash, {
    kind: 'CLASH',
    subjectId: ended.id,
    booked: { tenantId: paid.tenantId, paymentId: paid.id, kind: 'DEBIT' },
    told: { operatorTxId: 'OP-1', amountMinor: '10000', as: 'LATE_DEBIT' },
  });
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('debits no payment by a transaction on its way back, not even its own', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.sent();
  harness.operator.onQueryDebit = () => success('OP-1', 9_999n);
  harness.wait(20_000);
  await harness.work();
  assert.deepEqual(await transactions(harness), [booking(payment, 'OP-1', 'REVERSAL')]);
  harness.operator.onQueryDebit = () => success('OP-1', amountMinor);
  await harness.workFor(60_000);
  assert.equal((await harness.payment(payment)).status, 'OPERATOR_PENDING');
  const other = await harness.debited('OP-1');
  assert.equal(other.status, 'OPERATOR_PENDING');
  assert.deepEqual(
    (await clashes(harness)).map(({ subjectId }) => subjectId),
    [payment.id, other.id],
  );
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('debits one of two payments that get the same transaction in one statement', async (context) => {
  const harness = await openHarness(context);
  const payments = [await harness.sent(), await harness.sent(), await harness.sent()];
  const statements: string[] = [];
  harness.afterStatement = (name) => void statements.push(name);
  const told = ['OP-1', 'OP-1', 'OP-3'].map((operatorTxId) => success(operatorTxId, amountMinor));
  await Promise.all(
    payments.map((payment, index) => harness.useCases.processor.answered(payment, told[index]!)),
  );
  assert.equal(statements.filter((name) => name === 'payments.end_booking').length, 1);
  const statuses = await Promise.all(
    payments.map(async (payment) => (await harness.payment(payment)).status),
  );
  assert.deepEqual(statuses.slice(0, 2).toSorted(), ['DEBITED', 'OPERATOR_PENDING']);
  assert.equal(statuses[2], 'DEBITED');
  assert.equal((await clashes(harness)).length, 1);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('debits one payment when two processes get the same transaction at once', async (context) => {
  const harness = await openHarness(context);
  const other = await openHarness(context, { database: harness.database });
  for (let round = 0; round < 10; round++) {
    const operatorTxId = `OP-${round}`;
    const payments = [await harness.sent(), await harness.sent()] as const;
    for (const each of [harness, other]) {
      each.operator.onQueryDebit = () => success(operatorTxId, amountMinor);
    }
    await Promise.all([
      harness.useCases.processor.hint(harness.tenantId, payments[0].id),
      other.useCases.processor.hint(harness.tenantId, payments[1].id),
    ]);
    const statuses = await Promise.all(
      payments.map(async (payment) => (await harness.payment(payment)).status),
    );
    assert.deepEqual(statuses.toSorted(), ['DEBITED', 'OPERATOR_PENDING']);
    harness.operator.onQueryDebit = () => notFound;
  }
  assert.equal((await clashes(harness)).length, 10);
  assert.deepEqual(await checkLedger(harness.database), []);
});

/** The attempt of a new checkout session, requested and unanswered. */
async function attempt(harness: Harness): Promise<Payment> {
  const checkoutSessionId = randomUUID();
  const text = `INSERT INTO checkout_sessions (tenant_id, id, version, status, amount_minor, currency, items,
      link_secret, attempt_in_flight, attempt_count, expires_at, created_at, updated_at)
    VALUES ($1, $2, 1, 'OPEN', 10000, 'CVE', '[]', '', false, 0, $3, $3, $3)`;
  const later = new Date(harness.nowMs + 3_600_000).toISOString();
  await harness.database.query({ text }, [harness.tenantId, checkoutSessionId, later]);
  return harness.sent({ checkoutSessionId });
}

test('completes a session only once the transaction of its attempt is booked', async (context) => {
  const harness = await openHarness(context);
  const attempts = [await attempt(harness), await attempt(harness)];
  await Promise.all(
    attempts.map((payment) =>
      harness.useCases.processor.answered(payment, success('OP-1', amountMinor)),
    ),
  );
  const text = `SELECT s.status AS session, s.attempt_in_flight AS "inFlight", p.status AS payment
    FROM payments p JOIN checkout_sessions s ON s.id = p.checkout_session_id ORDER BY p.status`;
  assert.deepEqual(await harness.database.query({ text }), [
    { session: 'COMPLETED', inFlight: false, payment: 'DEBITED' },
    { session: 'OPEN', inFlight: true, payment: 'OPERATOR_PENDING' },
  ]);
  assert.equal((await clashes(harness)).length, 1);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('sees no clash of a debit with itself after a lost COMMIT', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.sent();
  harness.operator.onQueryDebit = () => success('OP-1', amountMinor);
  let lost = 0;
  harness.afterStatement = (name) => {
    if (name !== 'payments.end_booking' || lost > 0) return;
    lost += 1;
    throw new Error('Connection terminated unexpectedly');
  };
  harness.wait(20_000);
  await harness.work();
  assert.equal(lost, 1);
  assert.equal((await harness.payment(payment)).status, 'DEBITED');
  assert.deepEqual(await clashes(harness), []);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('sees no clash of a reversal with itself after a lost COMMIT', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.sent();
  await harness.cancel(payment);
  harness.operator.onQueryDebit = () => success('OP-1', amountMinor);
  harness.afterStatement = (name) => {
    if (name !== 'reversals.insert') return;
    harness.afterStatement = () => {};
    throw new Error('Connection terminated unexpectedly');
  };
  await assert.rejects(harness.work(), /terminated/);
  harness.wait(20_000);
  await harness.work();
  assert.equal((await harness.reversals()).length, 1);
  assert.equal((await harness.payment(payment)).dueAtMs, null);
  assert.deepEqual(await clashes(harness), []);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('lets a booking from before accounts were stored stand for any account', async (context) => {
  const harness = await openHarness(context);
  const old = await harness.debited('OP-1');
  await harness.database.query({ text: `UPDATE operator_transactions SET account = ''` });
  const second = await harness.debited('OP-1');
  assert.equal(second.status, 'OPERATOR_PENDING');
  const ended = await harness.sent();
  await harness.cancel(ended);
  harness.operator.onQueryDebit = () => success('OP-1', amountMinor);
  await harness.work();
  assert.deepEqual(await harness.reversals(), []);
  assert.deepEqual(await transactions(harness), [booking(old, 'OP-1', 'DEBIT', '')]);
  const booked = { tenantId: old.tenantId, paymentId: old.id, kind: 'DEBIT' };
  assert.deepEqual(
    (await clashes(harness)).map((clash) => clash.booked),
    [booked, booked],
  );
});

test('keeps the transactions of another account, or another operator, apart', async (context) => {
  const harness = await openHarness(context);
  const first = await harness.debited('OP-1');
  harness.operator.known = { ...harness.operator.known, account: 'walletid@other' };
  const second = await harness.debited('OP-1');
  const third = await harness.debited('OP-1', { operator: 'UNITEL_TMAIS' });
  for (const each of [first, second, third]) assert.equal(each.status, 'DEBITED');
  assert.equal((await transactions(harness)).length, 3);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('books nothing for merchants that only test, and never sees simulated clashes', async (context) => {
  const harness = await openHarness(context, { mode: 'test' });
  harness.operator.known = { ...harness.operator.known, account: null };
  const first = await harness.debited('OP-1', { operator: 'MOCK' });
  const second = await harness.debited('OP-1', { operator: 'MOCK' });
  assert.deepEqual([first.status, second.status], ['DEBITED', 'DEBITED']);
  assert.deepEqual(await transactions(harness), []);
  assert.deepEqual(await clashes(harness), []);
});
