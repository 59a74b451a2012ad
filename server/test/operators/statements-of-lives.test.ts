import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Simulator } from '../../src/integrations/operators/simulator/simulator.ts';
import { createPaymentProcessor } from '../../src/money/payments/process.ts';
import { silentLog } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { leaseMs, openHarness } from './harness.ts';

const inAll = 60;

test('takes two statements from creation to debit for payments that come together', async (context) => {
  const harness = await openHarness(context);
  const { base, processorDependencies } = harness.useCases;
  const simulator = new Simulator({
    ...base,
    log: silentLog,
    delayMs: 0,
    notify: async () => {},
  });
  const processor = createPaymentProcessor({
    ...processorDependencies,
    operatorFor: () => simulator,
  });
  const dueAtMs = harness.nowMs + leaseMs;
  const payments = await Promise.all(
    Array.from({ length: inAll }, () => harness.create({ dueAtMs })),
  );
  const statements: string[] = [];
  harness.afterStatement = (name) => void statements.push(name);
  await Promise.all(payments.map((payment) => processor.process(payment, 'MEMORY')));
  // The simulated operator's record of a debit is written with its request.
  assert.deepEqual(statements, ['payments.step_recorded', 'payments.end']);
  for (const payment of payments) assert.equal((await harness.payment(payment)).status, 'DEBITED');
});

test('sends a payment while the debits of others are being written', async (context) => {
  const harness = await openHarness(context);
  const [first, second] = [await harness.sent(), await harness.create()];
  const { applyTransition } = harness.useCases;
  const names: string[] = [];
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  harness.afterStatement = async (name) => {
    names.push(name);
    if (name === 'payments.end') await held;
  };
  const ended = applyTransition(first, { to: 'DEBITED', dueAtMs: null, operatorTxId: 'OP-1' });
  await eventually('the debit is being written', () => names.includes('payments.end'));
  const sent = applyTransition(second, { to: 'OPERATOR_PENDING', dueAtMs: harness.nowMs });
  await eventually('the payment is sent meanwhile', () => names.includes('payments.step'));
  release();
  assert.equal((await sent)?.status, 'OPERATOR_PENDING');
  assert.equal((await ended)?.status, 'DEBITED');
});
