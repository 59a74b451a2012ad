/** "Not found" is an answer about now: every sent request is queried until its outcome is known. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { closeReviewItems } from '../../src/money/review/store.ts';
import { openHarness, timing } from './harness.ts';
import { kinds, refunds, reversals } from './kinds.ts';
import { notFound, pending, success, unreachable } from './scripted.ts';

const hourMs = 3_600_000;
const { watchMs } = timing;
const completed = (reference: string) => ({
  transactionReference: 'OP-BACK',
  transactionStatus: 'completed',
  amount: '40.00',
  currency: 'CVE',
  requestingOrganisationTransactionReference: reference,
});
/** Forty, and a few that come early because a payment expires meanwhile. */
const maxQueries = 43;

test('returns a debit that was not found after its time-out, was cancelled, and came hours later', async (context) => {
  const harness = await openHarness(context);
  const { operator } = harness;
  operator.onRequestDebit = () => unreachable;
  const payment = await harness.sent();
  harness.wait(13_000);
  await harness.work();
  await harness.cancel(payment);
  await harness.workFor(5 * hourMs);
  assert.equal((await harness.payment(payment)).status, 'CANCELLED');
  operator.onQueryDebit = () => success('OP-1', 10_000n);
  operator.onReverse = ({ amountMinor }) => success('OP-R', amountMinor);
  operator.onQueryReversal = () => notFound;
  await harness.workFor(5 * hourMs);
  const [reversal] = await harness.reversals();
  assert.deepEqual([reversal?.reason, reversal?.status], ['LATE_DEBIT', 'SUCCEEDED']);
  assert.deepEqual(await harness.balances(), {});
  assert.equal(await harness.nextDueMs(), null, 'nobody asks any more');
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('returns a debit that was not found at its expiry, and came hours later', async (context) => {
  const harness = await openHarness(context);
  harness.operator.onRequestDebit = () => unreachable;
  const payment = await harness.sent();
  await harness.workFor(10 * hourMs);
  assert.equal((await harness.payment(payment)).status, 'EXPIRED');
  harness.operator.onQueryDebit = () => success('OP-1', 10_000n);
  await harness.workFor(3 * hourMs);
  assert.equal((await harness.reversals())[0]?.reason, 'LATE_DEBIT');
});

for (const kind of kinds) {
  test(`queries a ${kind.name} that was never received some forty times, and counts it`, async (context) => {
    const harness = await openHarness(context);
    const reference = await kind.begin(harness);
    kind.onSend(harness, () => unreachable);
    await harness.work();
    const startMs = harness.nowMs;
    const before = harness.operator.count(kind.ask);
    await harness.workFor(watchMs - 60_000);
    assert.notEqual((await kind.now(harness, reference)).dueAtMs, null, 'it is watched to the end');
    await harness.workFor(2 * 86_400_000);
    const questions = harness.operator.count(kind.ask) - before;
    assert.ok(questions >= 30 && questions <= maxQueries, `${questions} questions`);
    const last = harness.operator.heard.at(-1)!;
    assert.ok(Math.abs(last.atMs - startMs - watchMs) < 60_000);
    const { status, dueAtMs } = await kind.now(harness, reference);
    assert.deepEqual([status, dueAtMs], [kind.notReceived, null]);
    assert.deepEqual(harness.notReceived, kind.isDecidedByPerson ? [] : [reference]);
    const cases = (await harness.review()).map(({ subjectId }) => subjectId);
    assert.deepEqual(cases, kind.isDecidedByPerson ? [reference] : []);
    assert.deepEqual(await checkLedger(harness.database), []);
  });

  for (const [what, answer] of Object.entries({ pending, unreachable })) {
    test(`shows a ${kind.name} that is ${what} to the end to a person`, async (context) => {
      const harness = await openHarness(context);
      const reference = await kind.begin(harness);
      await harness.work();
      kind.onQuery(harness, () => answer);
      await harness.workFor(watchMs + hourMs);
      assert.equal((await kind.now(harness, reference)).dueAtMs, null);
      assert.deepEqual(harness.notReceived, []);
      const items = await harness.review();
      assert.deepEqual(
        items.map((item) => [item.kind, item.subjectId]),
        [['UNCLEAR', reference]],
      );
      assert.ok(harness.operator.count(kind.ask) <= maxQueries);
    });
  }
}

for (const kind of [refunds, reversals]) {
  test(`shows a ${kind.name} with a callback that the operator does not find to a person`, async (context) => {
    const harness = await openHarness(context);
    const reference = await kind.begin(harness);
    kind.onSend(harness, () => unreachable);
    await harness.work();
    const about = { tenantId: harness.tenantId, id: reference };
    await harness.callBack(kind === refunds ? 'REFUND' : 'REVERSAL', about, completed(reference));
    await harness.workFor(watchMs + hourMs);
    const { status, dueAtMs } = await kind.now(harness, reference);
    assert.deepEqual([status, dueAtMs], ['PROCESSING', null]);
    assert.deepEqual(harness.notReceived, []);
    assert.deepEqual(
      (await harness.review()).map((item) => [item.kind, item.subjectId]),
      [['UNCLEAR', reference]],
    );
  });
}

test('lists a payment again that becomes unclear a second time', async (context) => {
  const harness = await openHarness(context);
  harness.operator.onQueryDebit = () => pending;
  const payment = await harness.sent();
  await harness.workFor(watchMs + hourMs);
  const { tenantId, id: subjectId } = payment;
  const closing = { tenantId, subjectId, nowMs: harness.nowMs, by: 'Ana', reason: 'never debited' };
  assert.equal(await closeReviewItems(harness.database, closing), 1);
  // The operator has it after all: it is watched again, and again its outcome stays unknown.
  await harness.useCases.processor.hint(tenantId, subjectId);
  await harness.workFor(watchMs + hourMs);
  assert.equal((await harness.payment(payment)).dueAtMs, null);
  assert.deepEqual(
    (await harness.review()).map((item) => [item.kind, item.subjectId]),
    [['UNCLEAR', subjectId]],
  );
});

test('queries a payment that was cancelled before it was sent once, and closes it', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.create();
  await harness.cancel(payment);
  await harness.workFor(hourMs);
  assert.equal(harness.operator.count('queryDebit'), 1);
  assert.equal((await harness.payment(payment)).dueAtMs, null);
});

test('closes a payment that was cancelled before it was sent to an operator without queries', async (context) => {
  const harness = await openHarness(context);
  harness.operator.known = { ...harness.operator.known, answersQueries: false };
  harness.operator.onQueryDebit = () => pending;
  const payment = await harness.create();
  await harness.cancel(payment);
  await harness.workFor(watchMs + hourMs);
  const { sentAtMs, dueAtMs } = await harness.payment(payment);
  assert.deepEqual([sentAtMs, dueAtMs], [null, null]);
  assert.deepEqual(await harness.review(), []);
});
