/** "Not found" is an answer about now: what was ever sent is asked about until somebody knows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLedger } from '../../src/ledger/check.ts';
import { closeReviewItems } from '../../src/review/store.ts';
import { openBooks, timing } from './books.ts';
import { kinds } from './kinds.ts';
import { notFound, pending, success, unreachable } from './scripted.ts';

const hourMs = 3_600_000;
const { watchMs } = timing;
/** Forty, and a few that come early because a payment expires meanwhile. */
const mostQuestions = 43;

test('a debit that was not found after its time-out, was cancelled, and came hours later goes back', async (context) => {
  const books = await openBooks(context);
  const { operator } = books;
  operator.onRequestDebit = () => unreachable;
  const payment = await books.sent();
  books.wait(13_000);
  await books.work();
  await books.cancel(payment);
  await books.workFor(5 * hourMs);
  assert.equal((await books.payment(payment)).status, 'CANCELLED');
  operator.onAskDebit = () => success('OP-1', 10_000n);
  operator.onReverse = ({ amountMinor }) => success('OP-R', amountMinor);
  operator.onAskReversal = () => notFound;
  await books.workFor(5 * hourMs);
  const [reversal] = await books.reversals();
  assert.deepEqual([reversal?.reason, reversal?.status], ['LATE_DEBIT', 'SUCCEEDED']);
  assert.deepEqual(await books.balances(), {});
  assert.equal(await books.nextDueMs(), null, 'nobody asks any more');
  assert.deepEqual(await checkLedger(books.database), []);
});

test('a debit that was not found at its expiry, and came hours later, goes back', async (context) => {
  const books = await openBooks(context);
  books.operator.onRequestDebit = () => unreachable;
  const payment = await books.sent();
  await books.workFor(10 * hourMs);
  assert.equal((await books.payment(payment)).status, 'EXPIRED');
  books.operator.onAskDebit = () => success('OP-1', 10_000n);
  await books.workFor(3 * hourMs);
  assert.equal((await books.reversals())[0]?.reason, 'LATE_DEBIT');
});

for (const kind of kinds) {
  test(`a ${kind.name} that was never received is asked about some forty times, and counted`, async (context) => {
    const books = await openBooks(context);
    const reference = await kind.begin(books);
    kind.onSend(books, () => unreachable);
    await books.work();
    const startMs = books.nowMs;
    const before = books.operator.count(kind.ask);
    await books.workFor(watchMs - 60_000);
    assert.notEqual((await kind.now(books, reference)).dueAtMs, null, 'it is watched to the end');
    await books.workFor(2 * 86_400_000);
    const questions = books.operator.count(kind.ask) - before;
    assert.ok(questions >= 30 && questions <= mostQuestions, `${questions} questions`);
    const last = books.operator.heard.at(-1)!;
    assert.ok(Math.abs(last.atMs - startMs - watchMs) < 60_000);
    const { status, dueAtMs } = await kind.now(books, reference);
    assert.deepEqual([status, dueAtMs], [kind.notReceived, null]);
    assert.deepEqual(books.notReceived, [reference]);
    assert.deepEqual(await books.review(), []);
    assert.deepEqual(await checkLedger(books.database), []);
  });

  for (const [what, answer] of Object.entries({ pending, unreachable })) {
    test(`a ${kind.name} that is ${what} to the end is for a person`, async (context) => {
      const books = await openBooks(context);
      const reference = await kind.begin(books);
      await books.work();
      kind.onAsk(books, () => answer);
      await books.workFor(watchMs + hourMs);
      assert.equal((await kind.now(books, reference)).dueAtMs, null);
      assert.deepEqual(books.notReceived, []);
      const items = await books.review();
      assert.deepEqual(
        items.map((item) => [item.kind, item.subjectId]),
        [['UNCLEAR', reference]],
      );
      assert.ok(books.operator.count(kind.ask) <= mostQuestions);
    });
  }
}

test('a payment that becomes unclear a second time is listed a second time', async (context) => {
  const books = await openBooks(context);
  books.operator.onAskDebit = () => pending;
  const payment = await books.sent();
  await books.workFor(watchMs + hourMs);
  const { tenantId, id: subjectId } = payment;
  const closing = { tenantId, subjectId, nowMs: books.nowMs, by: 'Ana', reason: 'never debited' };
  assert.equal(await closeReviewItems(books.database, closing), 1);
  // The operator has it after all: it is watched again, and again nobody learns what became of it.
  await books.parts.attend.hint(tenantId, subjectId);
  await books.workFor(watchMs + hourMs);
  assert.equal((await books.payment(payment)).dueAtMs, null);
  assert.deepEqual(
    (await books.review()).map((item) => [item.kind, item.subjectId]),
    [['UNCLEAR', subjectId]],
  );
});

test('a payment that was cancelled before it was sent is asked about once, and done with', async (context) => {
  const books = await openBooks(context);
  const payment = await books.create();
  await books.cancel(payment);
  await books.workFor(hourMs);
  assert.equal(books.operator.count('askDebit'), 1);
  assert.equal((await books.payment(payment)).dueAtMs, null);
});

test('a payment that was cancelled before it was sent to an operator that cannot be asked is done with', async (context) => {
  const books = await openBooks(context);
  books.operator.known = { ...books.operator.known, answersQueries: false };
  books.operator.onAskDebit = () => pending;
  const payment = await books.create();
  await books.cancel(payment);
  await books.workFor(watchMs + hourMs);
  const { sentAtMs, dueAtMs } = await books.payment(payment);
  assert.deepEqual([sentAtMs, dueAtMs], [null, null]);
  assert.deepEqual(await books.review(), []);
});
