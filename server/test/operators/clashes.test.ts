/** A transaction of an operator is booked once, across all merchants that share our account there. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { checkLedger } from '../../src/ledger/check.ts';
import type { Payment } from '../../src/payments/payment.ts';
import { type Books, openBooks } from './books.ts';
import { notFound, success } from './scripted.ts';

const dayMs = 86_400_000;
const amountMinor = 10_000n;

async function transactions({ database }: Books) {
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

/** Of each clash: whose payment it is, what is booked, and what was told. */
async function clashes(books: Books) {
  return (await books.review()).map(
    ({ kind, subjectId, detail }): Record<string, unknown> => ({
      kind,
      subjectId,
      ...detail,
    }),
  );
}

test('a debit books its transaction, and a debit that goes back books its own', async (context) => {
  const books = await openBooks(context);
  const paid = await books.debited('OP-1');
  const late = await books.sent();
  books.operator.onAskDebit = () => success('OP-2', amountMinor);
  await books.cancel(late);
  await books.work();
  assert.deepEqual(await transactions(books), [
    booking(paid, 'OP-1'),
    booking(late, 'OP-2', 'REVERSAL'),
  ]);
  assert.deepEqual(await checkLedger(books.database), []);
});

test('one transaction for two payments of two merchants debits one, and a person sees both', async (context) => {
  const books = await openBooks(context);
  const tenantId = await books.newTenant();
  const first = await books.debited('OP-1');
  const second = await books.debited('OP-1', { tenantId });
  assert.equal((await books.payment(first)).status, 'DEBITED');
  assert.equal(second.status, 'OPERATOR_PENDING');
  assert.notEqual(second.dueAtMs, null, 'it is asked about');
  const clash = {
    kind: 'CLASH',
    subjectId: second.id,
    booked: { tenantId: first.tenantId, paymentId: first.id, kind: 'DEBIT' },
    told: { operatorTxId: 'OP-1', amountMinor: '10000' },
  };
  assert.deepEqual(await clashes(books), [clash]);
  // The operator stays with it: the payment ends, and nothing goes back by itself.
  books.operator.onAskDebit = () => success('OP-1', amountMinor);
  await books.workFor(4 * dayMs);
  assert.equal((await books.payment(second)).status, 'EXPIRED');
  assert.deepEqual(await books.reversals(), []);
  assert.deepEqual(await clashes(books), [clash], 'it is listed once');
  assert.deepEqual(await transactions(books), [booking(first, 'OP-1')]);
  assert.deepEqual(await books.balances(tenantId), {});
  assert.deepEqual(await checkLedger(books.database), []);
});

test('a payment whose first answer clashed is debited by a transaction of its own', async (context) => {
  const books = await openBooks(context);
  await books.debited('OP-1');
  const second = await books.debited('OP-1');
  books.operator.onAskDebit = () => success('OP-2', amountMinor);
  await books.workFor(60_000);
  const { status, operatorTxId } = await books.payment(second);
  assert.deepEqual([status, operatorTxId], ['DEBITED', 'OP-2']);
  assert.deepEqual(await checkLedger(books.database), []);
});

test('what one payment was debited with is not given back for another', async (context) => {
  const books = await openBooks(context);
  const paid = await books.debited('OP-1');
  const ended = await books.sent();
  await books.cancel(ended);
  books.operator.onAskDebit = () => success('OP-1', amountMinor);
  await books.work();
  assert.deepEqual(await books.reversals(), []);
  assert.equal(books.operator.count('reverse'), 0);
  const [clash, ...others] = await clashes(books);
  assert.deepEqual(others, []);
  assert.deepEqual(clash, {
    kind: 'CLASH',
    subjectId: ended.id,
    booked: { tenantId: paid.tenantId, paymentId: paid.id, kind: 'DEBIT' },
    told: { operatorTxId: 'OP-1', amountMinor: '10000', as: 'LATE_DEBIT' },
  });
  assert.deepEqual(await checkLedger(books.database), []);
});

test('what is on its way back debits no payment, not even its own', async (context) => {
  const books = await openBooks(context);
  const payment = await books.sent();
  books.operator.onAskDebit = () => success('OP-1', 9_999n);
  books.wait(20_000);
  await books.work();
  assert.deepEqual(await transactions(books), [booking(payment, 'OP-1', 'REVERSAL')]);
  books.operator.onAskDebit = () => success('OP-1', amountMinor);
  await books.workFor(60_000);
  assert.equal((await books.payment(payment)).status, 'OPERATOR_PENDING');
  const other = await books.debited('OP-1');
  assert.equal(other.status, 'OPERATOR_PENDING');
  assert.deepEqual(
    (await clashes(books)).map(({ subjectId }) => subjectId),
    [payment.id, other.id],
  );
  assert.deepEqual(await checkLedger(books.database), []);
});

test('two payments that are told the same transaction in one statement: one is debited', async (context) => {
  const books = await openBooks(context);
  const payments = [await books.sent(), await books.sent(), await books.sent()];
  const statements: string[] = [];
  books.afterStatement = (name) => void statements.push(name);
  const told = ['OP-1', 'OP-1', 'OP-3'].map((operatorTxId) => success(operatorTxId, amountMinor));
  await Promise.all(
    payments.map((payment, index) => books.parts.attend.answered(payment, told[index]!)),
  );
  assert.equal(statements.filter((name) => name === 'payments.advance_booking').length, 1);
  const statuses = await Promise.all(
    payments.map(async (payment) => (await books.payment(payment)).status),
  );
  assert.deepEqual(statuses.slice(0, 2).toSorted(), ['DEBITED', 'OPERATOR_PENDING']);
  assert.equal(statuses[2], 'DEBITED');
  assert.equal((await clashes(books)).length, 1);
  assert.deepEqual(await checkLedger(books.database), []);
});

test('two processes that are told the same transaction at once: one payment is debited', async (context) => {
  const books = await openBooks(context);
  const other = await openBooks(context, { database: books.database });
  for (let round = 0; round < 10; round++) {
    const operatorTxId = `OP-${round}`;
    const payments = [await books.sent(), await books.sent()] as const;
    for (const each of [books, other]) {
      each.operator.onAskDebit = () => success(operatorTxId, amountMinor);
    }
    await Promise.all([
      books.parts.attend.hint(books.tenantId, payments[0].id),
      other.parts.attend.hint(books.tenantId, payments[1].id),
    ]);
    const statuses = await Promise.all(
      payments.map(async (payment) => (await books.payment(payment)).status),
    );
    assert.deepEqual(statuses.toSorted(), ['DEBITED', 'OPERATOR_PENDING']);
    books.operator.onAskDebit = () => notFound;
  }
  assert.equal((await clashes(books)).length, 10);
  assert.deepEqual(await checkLedger(books.database), []);
});

/** The attempt of a new checkout session, asked for and unanswered. */
async function attempt(books: Books): Promise<Payment> {
  const checkoutSessionId = randomUUID();
  const text = `INSERT INTO checkout_sessions (tenant_id, id, version, status, amount_minor, currency, items,
      link_secret, attempt_in_flight, attempt_count, expires_at, created_at, updated_at)
    VALUES ($1, $2, 1, 'OPEN', 10000, 'CVE', '[]', '', false, 0, $3, $3, $3)`;
  const later = new Date(books.nowMs + 3_600_000).toISOString();
  await books.database.query({ text }, [books.tenantId, checkoutSessionId, later]);
  return books.sent({ checkoutSessionId });
}

test('an attempt of a session is debited once its transaction is booked, and only then completes it', async (context) => {
  const books = await openBooks(context);
  const attempts = [await attempt(books), await attempt(books)];
  await Promise.all(
    attempts.map((payment) => books.parts.attend.answered(payment, success('OP-1', amountMinor))),
  );
  const text = `SELECT s.status AS session, s.attempt_in_flight AS "inFlight", p.status AS payment
    FROM payments p JOIN checkout_sessions s ON s.id = p.checkout_session_id ORDER BY p.status`;
  assert.deepEqual(await books.database.query({ text }), [
    { session: 'COMPLETED', inFlight: false, payment: 'DEBITED' },
    { session: 'OPEN', inFlight: true, payment: 'OPERATOR_PENDING' },
  ]);
  assert.equal((await clashes(books)).length, 1);
  assert.deepEqual(await checkLedger(books.database), []);
});

test('a debit whose COMMIT was lost is no clash with itself', async (context) => {
  const books = await openBooks(context);
  const payment = await books.sent();
  books.operator.onAskDebit = () => success('OP-1', amountMinor);
  let lost = 0;
  books.afterStatement = (name) => {
    if (name !== 'payments.advance_booking' || lost > 0) return;
    lost += 1;
    throw new Error('Connection terminated unexpectedly');
  };
  books.wait(20_000);
  await books.work();
  assert.equal(lost, 1);
  assert.equal((await books.payment(payment)).status, 'DEBITED');
  assert.deepEqual(await clashes(books), []);
  assert.deepEqual(await checkLedger(books.database), []);
});

test('a reversal whose COMMIT was lost is no clash with itself', async (context) => {
  const books = await openBooks(context);
  const payment = await books.sent();
  await books.cancel(payment);
  books.operator.onAskDebit = () => success('OP-1', amountMinor);
  books.afterStatement = (name) => {
    if (name !== 'reversals.insert') return;
    books.afterStatement = () => {};
    throw new Error('Connection terminated unexpectedly');
  };
  await assert.rejects(books.work(), /terminated/);
  books.wait(20_000);
  await books.work();
  assert.equal((await books.reversals()).length, 1);
  assert.equal((await books.payment(payment)).dueAtMs, null);
  assert.deepEqual(await clashes(books), []);
  assert.deepEqual(await checkLedger(books.database), []);
});

test('what was booked before accounts were kept stands for any account', async (context) => {
  const books = await openBooks(context);
  const old = await books.debited('OP-1');
  await books.database.query({ text: `UPDATE operator_transactions SET account = ''` });
  const second = await books.debited('OP-1');
  assert.equal(second.status, 'OPERATOR_PENDING');
  const ended = await books.sent();
  await books.cancel(ended);
  books.operator.onAskDebit = () => success('OP-1', amountMinor);
  await books.work();
  assert.deepEqual(await books.reversals(), []);
  assert.deepEqual(await transactions(books), [booking(old, 'OP-1', 'DEBIT', '')]);
  const booked = { tenantId: old.tenantId, paymentId: old.id, kind: 'DEBIT' };
  assert.deepEqual(
    (await clashes(books)).map((clash) => clash.booked),
    [booked, booked],
  );
});

test('another account of ours, or another operator, has transactions of its own', async (context) => {
  const books = await openBooks(context);
  const first = await books.debited('OP-1');
  books.operator.known = { ...books.operator.known, account: 'walletid@other' };
  const second = await books.debited('OP-1');
  const third = await books.debited('OP-1', { operator: 'UNITEL_TMAIS' });
  for (const each of [first, second, third]) assert.equal(each.status, 'DEBITED');
  assert.equal((await transactions(books)).length, 3);
  assert.deepEqual(await checkLedger(books.database), []);
});

test('of merchants that only test nothing is kept, and simulated transactions never clash', async (context) => {
  const books = await openBooks(context, { mode: 'test' });
  books.operator.known = { ...books.operator.known, account: null };
  const first = await books.debited('OP-1', { operator: 'MOCK' });
  const second = await books.debited('OP-1', { operator: 'MOCK' });
  assert.deepEqual([first.status, second.status], ['DEBITED', 'DEBITED']);
  assert.deepEqual(await transactions(books), []);
  assert.deepEqual(await clashes(books), []);
});
