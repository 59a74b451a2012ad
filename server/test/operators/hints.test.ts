/** A callback is a hint, whatever it says: the operator's answer under our own reference counts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLedger } from '../../src/ledger/check.ts';
import { type Books, leaseMs, openBooks } from './books.ts';
import { kinds, refunds } from './kinds.ts';
import { notFound, pending, success, unreachable } from './scripted.ts';

const dayMs = 86_400_000;

const completed = (transactionReference: string, amount = '100.00') => ({
  transactionReference,
  transactionStatus: 'completed',
  amount,
  currency: 'CVE',
});
const rejected = { ...completed('OP-9'), transactionStatus: 'rejected' };

type Listed = Record<string, unknown>;

/** What a person sees: what it is about, what was booked, and what was told. */
async function listed(books: Books) {
  return (await books.review()).map(
    ({ kind, subjectKind, subjectId, detail }): Listed => ({
      kind,
      subjectKind,
      subjectId,
      ...detail,
    }),
  );
}

async function isUnanswered(books: Books): Promise<boolean> {
  const text = 'SELECT FROM operator_callbacks WHERE due_at IS NOT NULL';
  return (await books.database.query({ text })).length > 0;
}

test('the operator is asked at once, and its answer is booked', async (context) => {
  const books = await openBooks(context);
  const payment = await books.sent();
  books.operator.onAskDebit = () => success('OP-1', 10_000n);
  await books.callBack('DEBIT', payment, completed('OP-1'));
  await books.handleCallbacks();
  assert.equal((await books.payment(payment)).status, 'DEBITED');
  assert.equal(books.operator.count('askDebit'), 1);
  assert.equal(await isUnanswered(books), false);
  assert.deepEqual(await listed(books), []);
  assert.deepEqual(await checkLedger(books.database), []);
});

test('an operator that calls back before it knows its own answer is asked four times, then at the gaps of the payment', async (context) => {
  const books = await openBooks(context);
  const payment = await books.sent();
  books.operator.onAskDebit = () => pending;
  const startMs = books.nowMs;
  await books.callBack('DEBIT', payment, completed('OP-1'));
  await books.handleCallbacksFor(200_000);
  const asked = books.operator.heard.filter(({ call }) => call === 'askDebit');
  assert.deepEqual(
    asked.map(({ atMs }) => atMs - startMs),
    [0, 500, 2_500, 7_500],
  );
  assert.equal((await books.payment(payment)).status, 'OPERATOR_PENDING');
  assert.deepEqual(await listed(books), [], 'it may still come');
  books.operator.onAskDebit = () => success('OP-1', 10_000n);
  await books.work();
  await books.handleCallbacksFor(dayMs);
  assert.equal((await books.payment(payment)).status, 'DEBITED');
  assert.equal(await isUnanswered(books), false);
  assert.deepEqual(await listed(books), []);
});

test('a forged success that names the transaction of another payment debits nothing', async (context) => {
  const books = await openBooks(context);
  const paid = await books.debited('OP-1');
  const unpaid = await books.sent();
  await books.callBack('DEBIT', unpaid, completed('OP-1'));
  await books.handleCallbacksFor(60_000);
  assert.equal(books.operator.count('askDebit', unpaid.id), 4);
  await books.workFor(4 * dayMs);
  await books.handleCallbacksFor(dayMs);
  assert.equal((await books.payment(unpaid)).status, 'EXPIRED');
  assert.equal((await books.payment(paid)).status, 'DEBITED');
  assert.deepEqual(await books.balances(), {
    fees: 200,
    'operator:CVMOVEL': -10_000,
    payable: 9_800,
  });
  assert.deepEqual(await listed(books), [
    {
      kind: 'CONTRADICTION',
      subjectKind: 'PAYMENT',
      subjectId: unpaid.id,
      booked: { outcome: 'FAILED', transactions: [] },
      told: completed('OP-1'),
      by: 'callback',
    },
  ]);
  assert.equal(await isUnanswered(books), false);
  assert.deepEqual(await checkLedger(books.database), []);
});

test('a forged success of a payment that had failed gives nothing back', async (context) => {
  const books = await openBooks(context);
  const paid = await books.debited('OP-1');
  const failing = await books.sent();
  const failed = { kind: 'failed', failureCode: 'INSUFFICIENT_FUNDS' } as const;
  books.operator.onAskDebit = () => failed;
  books.wait(20_000);
  await books.work();
  assert.equal((await books.payment(failing)).status, 'FAILED');
  await books.callBack('DEBIT', failing, completed('OP-1'));
  await books.handleCallbacksFor(dayMs);
  assert.deepEqual(await books.reversals(), []);
  assert.equal((await books.payment(paid)).status, 'DEBITED');
  assert.equal((await listed(books))[0]?.subjectId, failing.id);
  assert.deepEqual(await checkLedger(books.database), []);
});

test('another amount on the callback than on the query: the query is booked, and a person sees both', async (context) => {
  const books = await openBooks(context);
  const payment = await books.sent();
  books.operator.onAskDebit = () => success('OP-1', 10_000n);
  await books.callBack('DEBIT', payment, completed('OP-1', '105.00'));
  await books.handleCallbacksFor(60_000);
  assert.equal((await books.payment(payment)).status, 'DEBITED');
  assert.deepEqual(await books.reversals(), []);
  assert.deepEqual(await listed(books), [
    {
      kind: 'CONTRADICTION',
      subjectKind: 'PAYMENT',
      subjectId: payment.id,
      booked: {
        outcome: 'SUCCEEDED',
        transactions: [{ operatorTxId: 'OP-1', amountMinor: '10000' }],
      },
      told: completed('OP-1', '105.00'),
      by: 'callback',
    },
  ]);
  assert.deepEqual(await checkLedger(books.database), []);
});

for (const kind of kinds) {
  const name = kind.name.toUpperCase() as 'DEBIT' | 'REFUND' | 'REVERSAL';
  const subject = (books: Books, id: string) => ({ tenantId: books.tenantId, id });

  test(`a forged failure of a ${kind.name} fails nothing: it could be given back, or paid, twice`, async (context) => {
    const books = await openBooks(context);
    const reference = await kind.begin(books);
    await books.work();
    kind.onAsk(books, () => pending);
    await books.callBack(name, subject(books, reference), rejected);
    await books.handleCallbacksFor(60_000);
    assert.match((await kind.now(books, reference)).status, /OPERATOR_PENDING|PROCESSING/);
    kind.onAsk(books, () => kind.success);
    await books.workFor(200_000);
    await books.handleCallbacksFor(dayMs);
    assert.match((await kind.now(books, reference)).status, /DEBITED|SUCCEEDED/);
    const [item, ...others] = await listed(books);
    assert.deepEqual(others, []);
    assert.equal(item!.subjectId, reference);
    assert.deepEqual(item!.told, rejected);
    assert.deepEqual(await checkLedger(books.database), []);
  });

  test(`callbacks of a ${kind.name} that are handled at once lead to one question at a time`, async (context) => {
    const books = await openBooks(context);
    const other = await openBooks(context, { database: books.database });
    const reference = await kind.begin(books);
    await books.work();
    const before = books.operator.count(kind.ask);
    let asking = 0;
    let mostAsking = 0;
    for (const each of [books, other]) {
      kind.onAsk(each, async () => {
        asking += 1;
        mostAsking = Math.max(mostAsking, asking);
        for (let trips = 0; trips < 5; trips++) await books.database.query({ text: 'SELECT' });
        asking -= 1;
        return kind.success;
      });
    }
    for (const [index, amount] of ['100.00', '40.00', '1.00', '2.00'].entries()) {
      const taker = index % 2 === 0 ? books : other;
      await taker.callBack(name, subject(books, reference), completed('OP-R', amount));
    }
    other.nowMs = books.nowMs;
    await Promise.all([books.handleCallbacks(), other.handleCallbacks()]);
    assert.equal(mostAsking, 1);
    assert.match((await kind.now(books, reference)).status, /DEBITED|SUCCEEDED/);
    const questions = books.operator.count(kind.ask) + other.operator.count(kind.ask) - before;
    assert.ok(questions <= 4, `${questions} questions`);
    assert.deepEqual(await checkLedger(books.database), []);
  });

  test(`a callback of a ${kind.name} waits while the operator is asked about it anyway`, async (context) => {
    const books = await openBooks(context);
    const other = await openBooks(context, { database: books.database });
    const reference = await kind.begin(books);
    kind.onSend(books, () => unreachable);
    await books.work();
    await books.callBack(name, subject(books, reference), rejected);
    kind.onAsk(books, async () => {
      other.nowMs = books.nowMs;
      await other.handleCallbacks();
      return kind.success;
    });
    books.wait(20_000);
    await books.work();
    assert.equal(other.operator.count(kind.ask), 0);
    const text = 'SELECT look_count AS looks, due_at AS "dueAtMs" FROM operator_callbacks';
    const [callback] = await books.database.query<{ looks: number; dueAtMs: number }>({ text });
    assert.deepEqual(callback, { looks: 0, dueAtMs: books.nowMs + 500 });
  });

  test(`forged callbacks of a ${kind.name} do not put off the questions that are planned`, async (context) => {
    const books = await openBooks(context);
    const reference = await kind.begin(books);
    kind.onSend(books, () => unreachable);
    await books.work();
    const { askCount } = await kind.now(books, reference);
    kind.onAsk(books, () => pending);
    for (let forged = 0; forged < 8; forged++) {
      const body = completed(`OP-${forged}`);
      await books.callBack(name, subject(books, reference), body);
    }
    await books.handleCallbacksFor(60_000);
    assert.ok((await kind.now(books, reference)).askCount <= askCount + 1);
  });

  test(`that a ${kind.name} is under way, told by a callback, leads to one question`, async (context) => {
    const books = await openBooks(context);
    const reference = await kind.begin(books);
    await books.work();
    const before = books.operator.count(kind.ask);
    kind.onAsk(books, () => pending);
    const body = { ...completed('OP-R'), transactionStatus: 'pending' };
    await books.callBack(name, subject(books, reference), body);
    await books.handleCallbacksFor(60_000);
    assert.equal(books.operator.count(kind.ask) - before, 1);
    assert.equal(await isUnanswered(books), false);
  });
}

for (const deduplicates of [false, true]) {
  test(`a callback while a debit is under way leads to a question, and to no second debit, deduplicated or not: ${deduplicates}`, async (context) => {
    const books = await openBooks(context);
    const other = await openBooks(context, { database: books.database });
    for (const { operator } of [books, other]) operator.known = { ...operator.known, deduplicates };
    books.operator.onRequestDebit = async ({ tenantId, reference, amountMinor }) => {
      books.wait(9_000);
      other.nowMs = books.nowMs;
      assert.equal(await other.parts.attend.hint(tenantId, reference), true);
      return success('OP-1', amountMinor);
    };
    const payment = await books.sent();
    assert.equal(payment.status, 'DEBITED');
    assert.equal(other.operator.count('askDebit'), 1);
    assert.equal(other.operator.count('requestDebit'), 0);
    assert.deepEqual(await checkLedger(books.database), []);
  });
}

test('a payment that is cancelled while it is asked about waits for that question to end', async (context) => {
  const books = await openBooks(context);
  const other = await openBooks(context, { database: books.database });
  const payment = await books.sent();
  books.operator.onAskDebit = async () => {
    await books.cancel(payment);
    other.nowMs = books.nowMs;
    await other.work();
    assert.equal(other.operator.count('askDebit'), 0);
    return pending;
  };
  books.wait(20_000);
  await books.work();
  other.operator.onAskDebit = () => success('OP-1', 10_000n);
  other.wait(20_000);
  await other.work();
  assert.equal((await books.reversals())[0]?.reason, 'LATE_DEBIT');
});

test('a payment that waits in memory, and that a callback makes another process take, is sent once', async (context) => {
  const books = await openBooks(context);
  const other = await openBooks(context, { database: books.database });
  const payment = await books.create({ dueAtMs: books.nowMs + leaseMs });
  await other.parts.attend.hint(payment.tenantId, payment.id);
  await books.parts.attend.attend(payment, 'MEMORY');
  assert.equal(other.operator.count('requestDebit'), 1);
  assert.equal(books.operator.count('requestDebit'), 0);
});

test('an acknowledgement of a payment that nobody watched any more makes it watched again', async (context) => {
  const books = await openBooks(context);
  const payment = await books.sent();
  await books.workFor(4 * dayMs);
  assert.deepEqual(books.notReceived, [payment.id]);
  assert.equal((await books.payment(payment)).dueAtMs, null);
  books.operator.onAskDebit = () => pending;
  const body = { ...completed('OP-1'), transactionStatus: 'pending' };
  await books.callBack('DEBIT', payment, body);
  await books.handleCallbacksFor(60_000);
  assert.notEqual((await books.payment(payment)).dueAtMs, null);
  books.operator.onAskDebit = () => success('OP-1', 10_000n);
  await books.workFor(dayMs);
  const [reversal] = await books.reversals();
  assert.deepEqual([reversal?.reason, reversal?.operatorTxId], ['LATE_DEBIT', 'OP-1']);
});

test('a callback of a debit that comes to light late makes it known and given back', async (context) => {
  const books = await openBooks(context);
  const payment = await books.sent();
  await books.workFor(4 * dayMs);
  books.operator.onAskDebit = () => success('OP-1', 10_000n);
  await books.callBack('DEBIT', payment, completed('OP-1'));
  await books.handleCallbacks();
  assert.equal((await books.reversals())[0]?.reason, 'LATE_DEBIT');
  assert.equal(await isUnanswered(books), false);
  assert.equal((await books.payment(payment)).dueAtMs, null, 'nobody looks at it again');
});

test('a late success of a refund that is told by a callback is asked for, and booked', async (context) => {
  const books = await openBooks(context);
  const reference = await refunds.begin(books);
  books.operator.onReverse = () => ({ kind: 'failed', failureCode: 'OPERATOR_REJECTED' });
  await books.work();
  assert.equal((await refunds.now(books, reference)).status, 'FAILED');
  books.operator.onAskReversal = () => success('OP-R', 4_000n);
  await books.callBack(
    'REFUND',
    { tenantId: books.tenantId, id: reference },
    completed('OP-R', '40.00'),
  );
  await books.handleCallbacks();
  assert.equal(books.lateRefunds.length, 1);
  assert.equal((await books.balances()).suspense, -4_000);
  assert.equal(await isUnanswered(books), false);
  assert.deepEqual(await checkLedger(books.database), []);
});

test('a callback of a refund that our books lack is for a person, and nothing is booked', async (context) => {
  const books = await openBooks(context);
  const id = '019aa5d4-e0fb-7000-8000-00000000000f';
  books.operator.onAskReversal = () => notFound;
  await books.callBack('REFUND', { tenantId: books.tenantId, id }, completed('OP-R'));
  await books.handleCallbacksFor(60_000);
  assert.deepEqual(await listed(books), [
    {
      kind: 'CONTRADICTION',
      subjectKind: 'REFUND',
      subjectId: id,
      booked: 'nothing',
      told: completed('OP-R'),
      by: 'callback',
    },
  ]);
  assert.deepEqual(await books.balances(), {});
});
