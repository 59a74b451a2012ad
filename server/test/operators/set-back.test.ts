/** Books that were set back by a restore or a fail-over: what they call unsent may have been sent. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { checkLedger, suspense } from '../../src/ledger/check.ts';
import { leaseMs, openBooks } from './books.ts';
import { kinds, refunds } from './kinds.ts';
import { notFound, pending, success, unreachable } from './scripted.ts';

const dayMs = 86_400_000;

for (const kind of kinds) {
  test(`a ${kind.name} from the database is asked about before it is sent`, async (context) => {
    const books = await openBooks(context);
    const reference = await kind.begin(books);
    await books.work();
    const calls = books.operator.heard.filter((each) => each.reference === reference);
    assert.deepEqual(
      calls.map(({ call }) => call),
      [kind.ask, kind.send],
    );
  });

  test(`a ${kind.name} that the operator has, whatever the database says, is not sent again`, async (context) => {
    const books = await openBooks(context);
    const reference = await kind.begin(books);
    kind.onAsk(books, () => pending);
    await books.work();
    const { status, sentAtMs } = await kind.now(books, reference);
    assert.match(status, /OPERATOR_PENDING|PROCESSING/);
    assert.equal(sentAtMs, books.nowMs, 'it counts as sent from now');
    kind.onAsk(books, () => kind.success);
    await books.workFor(60_000);
    assert.equal(books.operator.count(kind.send, reference), 0);
    assert.match((await kind.now(books, reference)).status, /DEBITED|SUCCEEDED/);
    assert.deepEqual(await checkLedger(books.database), []);
  });

  test(`a ${kind.name} that the operator has done, whatever the database says, is booked`, async (context) => {
    const books = await openBooks(context);
    const reference = await kind.begin(books);
    kind.onAsk(books, () => kind.success);
    await books.work();
    assert.equal(books.operator.count(kind.send, reference), 0);
    const { status, dueAtMs } = await kind.now(books, reference);
    assert.match(status, /DEBITED|SUCCEEDED/);
    assert.equal(dueAtMs, null);
    assert.deepEqual(await checkLedger(books.database), []);
  });

  test(`a ${kind.name} waits while the operator cannot say whether it has it`, async (context) => {
    const books = await openBooks(context);
    const reference = await kind.begin(books);
    kind.onAsk(books, () => unreachable);
    await books.workFor(200_000);
    assert.equal(books.operator.count(kind.send, reference), 0);
    kind.onAsk(books, () => notFound);
    await books.workFor(200_000);
    assert.equal(books.operator.count(kind.send, reference), 1);
  });

  test(`a ${kind.name} of an operator that cannot be asked is sent by what the database says`, async (context) => {
    const books = await openBooks(context);
    const { known } = books.operator;
    const reference = await kind.begin(books);
    books.operator.known = { ...known, answersQueries: false };
    await books.work();
    assert.equal(books.operator.count(kind.ask), 0);
    assert.equal(books.operator.count(kind.send, reference), 1);
  });
}

test('a payment that this process has just written is sent without a question', async (context) => {
  const books = await openBooks(context);
  await books.sent();
  assert.deepEqual(
    books.operator.heard.map(({ call }) => call),
    ['requestDebit'],
  );
});

test('a refund that this process has just written is sent without a question', async (context) => {
  const books = await openBooks(context);
  const reference = await refunds.begin(books);
  const text = 'SELECT tenant_id AS "tenantId", id FROM refunds WHERE id = $1';
  const [row] = await books.database.query<{ tenantId: string; id: string }>({ text }, [reference]);
  const refund = await books.refundNow(row as never);
  await books.parts.attendRefund.attend(refund, 'MEMORY');
  assert.equal(books.operator.count('askReversal'), 0);
  assert.equal(books.operator.count('reverse', reference), 1);
});

test('a payment of this process that nobody attended to before its expiry ends without a question', async (context) => {
  const books = await openBooks(context);
  const payment = await books.create({ dueAtMs: books.nowMs + 300_000 + leaseMs });
  books.wait(300_000);
  await books.parts.attend.attend(payment, 'MEMORY');
  const { status, dueAtMs } = await books.payment(payment);
  assert.deepEqual([status, dueAtMs], ['EXPIRED', null]);
  assert.deepEqual(books.operator.heard, []);
});

test('a payment from the database is asked about before it is closed, and a debit is found', async (context) => {
  const books = await openBooks(context);
  const payment = await books.create();
  books.operator.onAskDebit = () => success('OP-1', 10_000n);
  books.wait(3_600_000);
  await books.work();
  assert.equal((await books.payment(payment)).status, 'DEBITED');
  assert.deepEqual(await checkLedger(books.database), []);
});

test('a payment from the database that expires while the operator is silent is asked about once more', async (context) => {
  const books = await openBooks(context);
  const payment = await books.create();
  books.operator.onAskDebit = () => unreachable;
  books.wait(3_600_000);
  await books.work();
  const { status, dueAtMs } = await books.payment(payment);
  assert.equal(status, 'EXPIRED');
  assert.notEqual(dueAtMs, null);
  books.operator.onAskDebit = () => success('OP-1', 10_000n);
  await books.workFor(60_000);
  assert.equal((await books.reversals())[0]?.reason, 'LATE_DEBIT');
});

test('a payment from the database that is cancelled is asked about before it is closed', async (context) => {
  const books = await openBooks(context);
  const payment = await books.create();
  await books.cancel(payment);
  books.operator.onAskDebit = () => success('OP-1', 10_000n);
  await books.work();
  assert.equal((await books.reversals())[0]?.reason, 'LATE_DEBIT');
  assert.equal((await books.payment(payment)).status, 'CANCELLED');
});

const completed = (transactionReference: string) => ({
  transactionReference,
  transactionStatus: 'completed',
  amount: '100.00',
  currency: 'CVE',
});

test('a debit of a reference that our books lack is held in suspense, and nothing is sent', async (context) => {
  const books = await openBooks(context);
  const lost = { tenantId: books.tenantId, id: randomUUID() };
  books.operator.onAskDebit = () => success('OP-1', 10_000n);
  await books.callBack('DEBIT', lost, completed('OP-1'));
  await books.handleCallbacks();
  const [held, ...others] = await books.reversals();
  assert.deepEqual(others, []);
  const { paymentId, reason, status, dueAtMs } = held!;
  assert.deepEqual(
    [paymentId, reason, status, dueAtMs],
    [lost.id, 'UNKNOWN_REFERENCE', 'HELD', null],
  );
  assert.deepEqual(await books.balances(), { 'operator:CVMOVEL': -10_000, suspense: 10_000 });
  assert.deepEqual(
    (await suspense(books.database)).map(({ reason, status }) => [reason, status]),
    [['UNKNOWN_REFERENCE', 'HELD']],
  );
  await books.workFor(4 * dayMs);
  await books.handleCallbacksFor(dayMs);
  assert.equal(books.operator.count('reverse'), 0);
  assert.equal(books.operator.count('askReversal'), 0);
  const [item, ...more] = await books.review();
  assert.deepEqual(more, []);
  assert.deepEqual([item!.kind, item!.subjectId], ['UNKNOWN_REFERENCE', lost.id]);
  assert.deepEqual(item!.detail, {
    booked: 'nothing',
    told: { operatorTxId: 'OP-1', amountMinor: '10000', currency: 'CVE' },
  });
  assert.deepEqual(await checkLedger(books.database), []);
});

test('what is held stays held whatever is called back about it, until its reversal is a fact', async (context) => {
  const books = await openBooks(context);
  const lost = { tenantId: books.tenantId, id: randomUUID() };
  books.operator.onAskDebit = () => success('OP-1', 10_000n);
  await books.callBack('DEBIT', lost, completed('OP-1'));
  await books.handleCallbacks();
  const [held] = await books.reversals();
  for (const transactionStatus of ['pending', 'rejected', 'completed']) {
    await books.callBack('REVERSAL', held!, { ...completed('OP-R'), transactionStatus });
  }
  await books.handleCallbacksFor(60_000);
  await books.workFor(dayMs);
  assert.equal((await books.reversals())[0]?.status, 'HELD');
  assert.equal(books.operator.count('reverse'), 0);
  // A person had the operator give it back under our own reference.
  books.operator.onAskReversal = () => success('OP-R', 10_000n);
  await books.parts.attendReversal.hint(books.tenantId, held!.id);
  assert.equal((await books.reversals())[0]?.status, 'SUCCEEDED');
  assert.deepEqual(await books.balances(), {});
  assert.deepEqual(await checkLedger(books.database), []);
});

test('of a reference that our books lack the operator is believed, not the callback', async (context) => {
  const books = await openBooks(context);
  const lost = { tenantId: books.tenantId, id: randomUUID() };
  await books.callBack('DEBIT', lost, completed('OP-1'));
  await books.handleCallbacksFor(60_000);
  assert.equal(books.operator.count('askDebit'), 4);
  assert.deepEqual(await books.reversals(), []);
  assert.deepEqual(await books.balances(), {});
  assert.deepEqual(
    (await books.review()).map(({ kind, subjectId, detail }) => [kind, subjectId, detail.booked]),
    [['CONTRADICTION', lost.id, 'nothing']],
  );
});

test('a transaction that is booked is not held for a reference that our books lack', async (context) => {
  const books = await openBooks(context);
  const paid = await books.debited('OP-1');
  const lost = { tenantId: books.tenantId, id: randomUUID() };
  books.operator.onAskDebit = () => success('OP-1', 10_000n);
  await books.callBack('DEBIT', lost, completed('OP-1'));
  await books.handleCallbacks();
  assert.deepEqual(await books.reversals(), []);
  assert.deepEqual(
    (await books.review()).map(({ kind, subjectId }) => [kind, subjectId]),
    [['CLASH', lost.id]],
  );
  assert.equal((await books.payment(paid)).status, 'DEBITED');
});
