import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Operator } from '../../src/integrations/operators/operator.ts';
import { Simulator } from '../../src/integrations/operators/simulator/simulator.ts';
import type { Payment } from '../../src/money/payments/payment.ts';
import { createPaymentProcessor } from '../../src/money/payments/process.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { silentLog } from '../support/database.ts';
import { type Harness, leaseMs, openHarness } from './harness.ts';

const inAll = 60;

/** Two gateways on one database: payments are created and sent by one, and cancelled through the other. */
async function twoGateways(context: TestContext, operatorOf?: (sender: Harness) => Operator) {
  const sender = await openHarness(context);
  const other = await openHarness(context, sender);
  other.tenantId = sender.tenantId;
  const payments: Payment[] = [];
  for (let count = 0; count < inAll; count++) {
    payments.push(await sender.create({ dueAtMs: sender.nowMs + leaseMs }));
  }
  const { applyTransition } = sender.useCases;
  const operator = operatorOf?.(sender) ?? sender.operator;
  let resume = () => {};
  const paused = new Promise<void>((resolve) => {
    resume = resolve;
  });
  let stopped = 0;
  /** Freezes when everything is decided, and only the commit remains that the request is about to leave. */
  const processor = createPaymentProcessor({
    ...sender.useCases.processorDependencies,
    operatorFor: () => operator,
    applyTransition: async (...call) => {
      stopped += 1;
      await paused;
      return applyTransition(...call);
    },
  });
  const sending = payments.map((payment) => processor.process(payment, 'MEMORY'));
  while (stopped < inAll) await new Promise(setImmediate);
  const go = async () => {
    resume();
    await Promise.all(sending);
  };
  return { sender, other, payments, go };
}

/** Simulated debits by the reference, which is the id of the payment. */
async function simulated(database: Database): Promise<Set<string>> {
  const text = 'SELECT reference FROM simulator_transactions';
  return new Set(
    (await database.query<{ reference: string }>({ text })).map((row) => row.reference),
  );
}

const simulatorOf = ({ database, useCases: { base } }: Harness): Simulator =>
  new Simulator({ ...base, database, log: silentLog, delayMs: 0, notify: async () => {} });

test('never sends a payment to the operator that another gateway cancelled first', async (context) => {
  const { sender, other, payments, go } = await twoGateways(context);
  await Promise.all(payments.map((payment) => other.cancel(payment)));
  await go();
  assert.equal(sender.operator.count('requestDebit'), 0);
  for (const payment of payments) {
    const { status, sentAtMs } = await other.payment(payment);
    assert.deepEqual({ status, sentAtMs }, { status: 'CANCELLED', sentAtMs: null });
  }
});

test('keeps each request back whose cancellation comes before the sender', async (context) => {
  const { sender, other, payments, go } = await twoGateways(context);
  const first = payments.slice(0, inAll / 2);
  await Promise.all(first.map((payment) => other.cancel(payment)));
  const rest = payments.slice(inAll / 2);
  await Promise.all([go(), ...rest.map((payment) => other.cancel(payment))]);
  for (const payment of payments) {
    const { status, sentAtMs } = await other.payment(payment);
    assert.equal(status, 'CANCELLED');
    const requests = sender.operator.count('requestDebit', payment.id);
    assert.equal(
      requests,
      sentAtMs === null ? 0 : 1,
      'a request for each that was sent, and no other',
    );
  }
  const early = first.filter(({ id }) => sender.operator.count('requestDebit', id) > 0);
  assert.deepEqual(early, []);
});

test('leaves no simulated record of a payment that was cancelled before it was sent', async (context) => {
  const { other, payments, go } = await twoGateways(context, simulatorOf);
  const cancelled = payments.slice(0, inAll / 2);
  await Promise.all(cancelled.map((payment) => other.cancel(payment)));
  await go();
  const sent = payments.slice(inAll / 2).map(({ id }) => id);
  assert.deepEqual(await simulated(other.database), new Set(sent));
  for (const payment of payments) {
    const { status } = await other.payment(payment);
    assert.equal(status, sent.includes(payment.id) ? 'DEBITED' : 'CANCELLED');
  }
});
