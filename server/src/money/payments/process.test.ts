import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHarness, timing } from '../../../test/operators/harness.ts';
import { success, unreachable } from '../../../test/operators/scripted.ts';
import { requestLengthMs } from '../../integrations/operators/query-schedule.ts';
import { checkLedger } from '../ledger/check.ts';
import { createPaymentProcessor } from './process.ts';

test('watches a payment cancelled while its debit is requested again, and returns a late debit', async (context) => {
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
  // Queried at once, the operator does not have the second request yet; later it does.
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

test('books the debit of a payment that our records call unsent, and does not send it', async (context) => {
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

test('does not request a debit too late after its process was frozen', async (context) => {
  const harness = await openHarness(context);
  const { operator, useCases } = harness;
  let frozenMs = 60_000;
  // The process freezes between the commit and the request.
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
  // Meanwhile another process may have queried the operator, and believed its "not found".
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

test('sends nothing and expires nothing while a request that a lost commit covered may be under way', async (context) => {
  const harness = await openHarness(context);
  const { operator, useCases, database } = harness;
  let ageMs = 0;
  useCases.processor = createPaymentProcessor({
    ...useCases.processorDependencies,
    database: { ...database, primaryAgeMs: () => ageMs },
  });
  const unsent = await harness.create();
  const expired = await harness.create({ expiresAtMs: harness.nowMs });
  await harness.work();
  assert.equal(operator.count('requestDebit'), 0);
  for (const each of [unsent, expired]) {
    const { status, dueAtMs } = await harness.payment(each);
    assert.deepEqual([status, dueAtMs], ['CREATED', harness.nowMs + requestLengthMs(timing)]);
  }
  ageMs = requestLengthMs(timing);
  harness.wait(ageMs);
  await harness.work();
  assert.equal(operator.count('requestDebit', unsent.id), 1);
  assert.equal((await harness.payment(expired)).status, 'EXPIRED');
});
