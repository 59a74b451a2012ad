/** A callback is the sender's text: whatever fields it has, nothing takes them for a finding of the gateway. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { closeFinished } from '../../src/operations/recovery/pending-returns.ts';
import { type Harness, openHarness } from './harness.ts';
import { reversals } from './kinds.ts';
import { success } from './scripted.ts';

/** Sends a contradicting callback about a debited payment of another merchant. */
async function contradict(harness: Harness, more: object) {
  const payment = await harness.debited('OP-9', { tenantId: await harness.newTenant() });
  harness.operator.onQueryDebit = () => success('OP-9', payment.amountMinor);
  const told = { transactionReference: 'OP-8', transactionStatus: 'completed' };
  await harness.callBack('DEBIT', payment, { ...told, amount: '100', currency: 'CVE', ...more });
  await harness.handleCallbacksFor(60_000);
}

/** A debit that must go back, and such a callback. */
async function told(context: TestContext, more: object): Promise<Harness> {
  const harness = await openHarness(context);
  await reversals.begin(harness);
  await contradict(harness, more);
  return harness;
}

test('returns a debit although a callback about another payment claims its return', async (context) => {
  const harness = await told(context, { debitTxId: 'OP-2' });
  assert.equal((await harness.review()).length, 1);
  await harness.work();
  assert.equal(harness.operator.count('reverse'), 1);
});

test('leaves a callback to a person although it claims to be a pending return', async (context) => {
  const claim = { listedAs: 'OPEN', operatorTxId: 'OP-3', amountMinor: '4000' };
  const harness = await told(context, claim);
  assert.equal((await harness.review()).length, 1);
  const row = {
    kind: 'GIVEN_BACK',
    status: 'SUCCEEDED',
    operatorTxId: 'OP-3',
    amountMinor: 4_000n,
  };
  const dependencies = { ...harness.useCases.base, operator: 'CVMOVEL', isDryRun: false };
  await closeFinished(dependencies as never, row as never);
  assert.equal((await harness.review()).length, 1);
});

test('lists a callback whose keys cannot be stored', async (context) => {
  for (const key of ['a\0b', 'a\ud800b', 'a\u202eb']) {
    const harness = await told(context, { [key]: { [key]: 'x' } });
    assert.equal((await harness.review()).length, 1);
    const text = 'SELECT due_at IS NULL AS handled FROM operator_callbacks';
    assert.deepEqual(await harness.database.query({ text }), [{ handled: true }]);
  }
});
