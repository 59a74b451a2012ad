import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHarness } from '../../../test/operators/harness.ts';
import { success, unreachable } from '../../../test/operators/scripted.ts';
import { checkLedger } from '../ledger/check.ts';
import { createPaymentProcessor } from './process.ts';

test('a payment cancelled while its debit is asked for again is watched, and a late debit goes back', async (context) => {
  const harness = await openHarness(context);
  const { operator } = harness;
  operator.known = { ...operator.known, deduplicates: true };
  operator.onRequestDebit = async ({ repeated }) => {
    if (repeated) await harness.cancel(payment);
    return unreachable;
  };
  const payment = await harness.sent();
  harness.wait(20_000);
  await harness.work();
  assert.equal(operator.count('requestDebit'), 2);
  assert.equal((await harness.payment(payment)).status, 'CANCELLED');
  // Asked at once, the operator has not got the second request yet; then it has.
  harness.wait(1_000);
  await harness.work();
  operator.onQueryDebit = () => success('OP-1', payment.amountMinor);
  harness.wait(3_600_000);
  await harness.work();
  assert.deepEqual(
    (await harness.reversals()).map(({ reason }) => reason),
    ['LATE_DEBIT'],
  );
});

test('a debit of a payment that our records call unsent is booked, and it is not sent', async (context) => {
  const harness = await openHarness(context);
  const payment = await harness.create();
  const { tenantId, id: reference, amountMinor } = payment;
  const answer = success('OP-1', amountMinor);
  for (let times = 0; times < 2; times++) {
    await harness.useCases.processor.notify({ tenantId, reference, answer });
  }
  const now = await harness.payment(payment);
  assert.equal(now.status, 'DEBITED');
  assert.equal(now.dueAtMs, null);
  assert.deepEqual(harness.operator.heard, []);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('a process that was frozen before it could ask for the debit does not ask too late', async (context) => {
  const harness = await openHarness(context);
  const { operator, useCases } = harness;
  let frozenMs = 60_000;
  // Between the commit and the request the process stands still.
  const processor = createPaymentProcessor({
    ...useCases.processorDependencies,
    applyTransition: async (...call) => {
      const advanced = await useCases.applyTransition(...call);
      harness.wait(frozenMs);
      return advanced;
    },
    reschedule: async (...call) => {
      const moved = await useCases.processorDependencies.reschedule(...call);
      harness.wait(frozenMs);
      return moved;
    },
  });
  useCases.processor = processor;
  const payment = await harness.create();
  await harness.work();
  // Meanwhile another may have asked, heard that the operator knows nothing, and believed it.
  assert.equal(operator.count('requestDebit'), 0, 'when it is first sent');
  harness.wait(5_000);
  await harness.work();
  assert.equal(operator.count('requestDebit'), 0, 'when it is sent again');
  assert.equal((await harness.payment(payment)).sentAtMs, null, 'nothing has left');
  frozenMs = 0;
  harness.wait(5_000);
  await harness.work();
  assert.deepEqual(
    operator.heard.filter(({ call }) => call === 'requestDebit').map(({ repeated }) => repeated),
    [false],
  );
});
