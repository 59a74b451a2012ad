/** Callbacks about refunds and reversals that our records lack, as after a restore. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { openHarness } from './harness.ts';
import { refused, success } from './scripted.ts';

async function world(context: TestContext) {
  const harness = await openHarness(context);
  const payment = await harness.debited('TX-1');
  const forgotten = { tenantId: harness.tenantId, id: randomUUID() };
  const callBack = (kind: 'REFUND' | 'REVERSAL', change: object = {}) =>
    harness.callBack(kind, forgotten, {
      transactionReference: 'RV-1',
      transactionStatus: 'completed',
      amount: '40',
      currency: 'CVE',
      type: 'reversal',
      originalTransactionReference: 'TX-1',
      requestingOrganisationTransactionReference: forgotten.id,
      ...change,
    });
  const listed = async () =>
    (await harness.review()).map(
      ({ kind, detail }) => `${kind} ${JSON.stringify(detail.reserved)}`,
    );
  return { harness, payment, callBack, listed };
}

for (const kind of ['REFUND', 'REVERSAL'] as const) {
  test(`queries a forgotten ${kind}, and makes the returned amount unrefundable`, async (context) => {
    const { harness, payment, callBack, listed } = await world(context);
    harness.operator.onQueryReversal = ({ operatorTxId }) =>
      operatorTxId === 'TX-1' ? success('RV-1', 4_000n) : refused;
    await callBack(kind);
    await callBack(kind, { transactionStatus: 'pending' });
    await harness.handleCallbacksFor(60_000);
    const reserved = { paymentId: payment.id, amountMinor: '4000' };
    assert.deepEqual(await listed(), [`UNKNOWN_REFERENCE ${JSON.stringify(reserved)}`]);
    await assert.rejects(harness.refund(payment, 1n), /has returned 4000 of this payment/);
    assert.deepEqual(await checkLedger(harness.database), []);
  });
}

test("reserves nothing for a stranger's callback about a forgotten refund without the operator's confirmation", async (context) => {
  const { harness, payment, callBack, listed } = await world(context);
  await callBack('REFUND');
  await callBack('REFUND', { originalTransactionReference: 'TX-OTHER' });
  await callBack('REFUND', { originalTransactionReference: undefined });
  await harness.handleCallbacksFor(600_000);
  assert.equal(harness.operator.count('queryReversal'), 4, 'about TX-1 alone, and not for ever');
  assert.deepEqual(await listed(), Array(3).fill('CONTRADICTION undefined'));
  assert.equal((await harness.refund(payment, null)).amountMinor, 10_000n);
});

test('does not query the debit of another merchant', async (context) => {
  const { harness, payment, callBack } = await world(context);
  const { tenantId } = harness;
  harness.tenantId = await harness.newTenant();
  await harness.debited('TX-2');
  harness.operator.onQueryReversal = () => success('RV-1', 4_000n);
  await callBack('REFUND', { originalTransactionReference: 'TX-2' });
  await harness.handleCallbacksFor(60_000);
  assert.equal(harness.operator.count('queryReversal'), 0);
  harness.tenantId = tenantId;
  assert.equal((await harness.refund(payment, null)).amountMinor, 10_000n);
});

test('reserves nothing more for a return that is booked for another refund', async (context) => {
  const { harness, payment, callBack, listed } = await world(context);
  const refund = await harness.refund(payment, 4_000n);
  await harness.useCases.refundProcessor.notify({
    tenantId: harness.tenantId,
    reference: refund.id,
    answer: success('RV-1', 4_000n),
  });
  harness.operator.onQueryReversal = () => success('RV-1', 4_000n);
  await callBack('REFUND');
  await harness.handleCallbacksFor(60_000);
  assert.deepEqual(await listed(), ['CONTRADICTION undefined']);
  assert.equal((await harness.refund(payment, null)).amountMinor, 6_000n);
});
