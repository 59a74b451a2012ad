/** A callback about a payment that has ended, which no schedule queries any more. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Harness, openHarness } from './harness.ts';
import { notFound, pending, refused, success, unreachable } from './scripted.ts';

const dayMs = 86_400_000;

const completed = (transactionReference: string) => ({
  transactionReference,
  transactionStatus: 'completed',
  amount: '100.00',
  currency: 'CVE',
});

const kindsListed = async (harness: Harness) => (await harness.review()).map(({ kind }) => kind);

async function isUnanswered(harness: Harness): Promise<boolean> {
  const text = 'SELECT FROM operator_callbacks WHERE due_at IS NOT NULL';
  return (await harness.database.query({ text })).length > 0;
}

test('queries on for an hour if the operator does not answer about a payment that had failed', async (context) => {
  for (const silence of [unreachable, notFound]) {
    const harness = await openHarness(context);
    const payment = await harness.sent();
    harness.operator.onQueryDebit = () => refused;
    harness.wait(20_000);
    await harness.work();
    assert.equal((await harness.payment(payment)).status, 'FAILED');
    harness.operator.onQueryDebit = () => silence;
    await harness.callBack('DEBIT', payment, completed('OP-1'));
    await harness.handleCallbacksFor(60_000);
    assert.deepEqual(await kindsListed(harness), [], 'the operator may still answer');
    harness.operator.onQueryDebit = () => success('OP-1', 10_000n);
    await harness.handleCallbacksFor(60_000);
    const [late] = await harness.reversals();
    assert.deepEqual([late?.operatorTxId, late?.reason], ['OP-1', 'LATE_DEBIT']);
    assert.equal(await isUnanswered(harness), false);
  }
});

test('shows a success of a failed payment to a person if no query is answered for an hour', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.sent();
  harness.operator.onQueryDebit = () => refused;
  harness.wait(20_000);
  await harness.work();
  harness.operator.onQueryDebit = () => unreachable;
  const before = harness.operator.count('queryDebit');
  await harness.callBack('DEBIT', payment, completed('OP-1'));
  await harness.handleCallbacksFor(3_600_000);
  assert.equal(harness.operator.count('queryDebit') - before, 12);
  assert.deepEqual(await kindsListed(harness), ['CONTRADICTION']);
  assert.equal(await isUnanswered(harness), false);
});

test('stops querying about a cancelled payment that the operator calls pending for ever', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.sent();
  await harness.cancel(payment);
  harness.operator.onQueryDebit = () => pending;
  await harness.callBack('DEBIT', payment, completed('OP-1'));
  for (let days = 0; days < 20; days++) {
    await harness.handleCallbacksFor(dayMs / 2);
    await harness.workFor(dayMs / 2);
  }
  assert.equal(await isUnanswered(harness), false);
  const asked = harness.operator.count('queryDebit');
  await harness.workFor(4 * dayMs);
  assert.equal(harness.operator.count('queryDebit'), asked);
  const kinds = await kindsListed(harness);
  assert.deepEqual(
    kinds.filter((kind) => kind === 'CONTRADICTION'),
    ['CONTRADICTION'],
  );
});
