import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { cleanUp } from '../../../test/support/cleanup.ts';
import { silentLog, testDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { examplePayment } from '../../../test/support/payment.ts';
import { addTenants } from '../../../test/support/tenants.ts';
import { noDispatcher } from '../../integrations/events/dispatch.ts';
import { newEvent } from '../../integrations/events/event.ts';
import type { Operator, ReversalRequest } from '../../integrations/operators/operator.ts';
import { Simulator } from '../../integrations/operators/simulator/simulator.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { randomIds } from '../../platform/values/ids.ts';
import { makeCancelPayment } from '../payments/cancel.ts';
import type { Payment } from '../payments/payment.ts';
import { createPaymentProcessor } from '../payments/process.ts';
import { makeReschedule } from '../payments/reschedule.ts';
import { findPayment, insertPayments } from '../payments/store.ts';
import { makeApplyTransition } from '../payments/transition.ts';
import { paymentJson } from '../payments/view.ts';
import { makeRequestReview } from '../review/request-review.ts';
import { makeCreateReversal } from './create.ts';
import { createReversalProcessor } from './process.ts';
import type { Reversal } from './reversal.ts';
import { claimDueReversals, transitionReversal } from './store.ts';
import { createReversalWorker } from './worker.ts';

const ids = randomIds();
const tenantId = randomUUID();
const timing = {
  operatorTimeoutMs: 1_000,
  expiryGraceMs: 1_000,
  firstBackoffMs: 20,
  maxBackoffMs: 100,
  watchMs: 86_400_000,
};

/** Payments, a simulated operator and reversals, composed without the workers' loops. */
async function compose(context: TestContext) {
  const { database } = await testDatabase(context);
  await addTenants(database, tenantId);
  const base = { database, clock: systemClock, log: silentLog, ids, timing };
  const started: Reversal[] = [];
  const requestReview = makeRequestReview({ ...base, onReview: () => {} });
  const simulator = new Simulator({
    ...base,
    delayMs: 0,
    notify: (notification) => processor.notify(notification),
  });
  const applyTransition = makeApplyTransition({
    ...base,
    dispatcher: noDispatcher,
    prepareEnded: async () => undefined,
    onTransition: () => {},
  });
  const reverse = makeCreateReversal({
    ...base,
    wake: () => {},
    requestReview,
    onReversal: (reversal) => started.push(reversal),
  });
  const processor = createPaymentProcessor({
    ...base,
    applyTransition,
    operatorFor: () => simulator,
    reschedule: makeReschedule(database),
    reverse,
    requestReview,
    onNotReceived: () => assert.fail('the operator has heard of it'),
  });
  const cancel = makeCancelPayment({ ...base, applyTransition, wake: () => {} });
  return { database, simulator, processor, cancel, reverse, requestReview, started };
}

type Dependencies = Awaited<ReturnType<typeof compose>>;

/** A worker that runs until the test ends; a worker of another machine may be ahead in time. */
function startWorker(
  context: TestContext,
  { database, simulator, requestReview }: Dependencies,
  { operator = simulator as Operator, aheadMs = 0 } = {},
) {
  const clock = { nowMs: () => Date.now() + aheadMs };
  const base = { database, clock, log: silentLog, timing };
  const processor = createReversalProcessor({
    ...base,
    operatorFor: () => operator,
    wake: (atMs) => worker.wake(atMs),
    requestReview,
    onNotReceived: () => assert.fail('the operator has heard of it'),
  });
  const worker = createReversalWorker({ ...base, processor, maxCallsOf: () => undefined });
  worker.start();
  cleanUp(context, () => worker.stop());
}

/** Writes a payment, and processes it for the first time. */
async function pay({ database, processor }: Dependencies, operatorPhone: string): Promise<Payment> {
  const nowMs = Date.now();
  const payment = examplePayment({
    tenantId,
    id: ids.next(nowMs),
    operatorPhone,
    dueAtMs: nowMs + 60_000,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    expiresAtMs: nowMs + 300_000,
  });
  const about = { tenantId, type: 'payment.created', objectId: payment.id } as const;
  const event = newEvent(
    { ...about, id: ids.next(nowMs), sequence: 1, createdAtMs: nowMs },
    paymentJson(payment),
  );
  await insertPayments(database, [{ payment, event }], nowMs);
  await processor.process(payment, 'MEMORY');
  return current(database, payment);
}

async function current(database: Database, { id }: Payment): Promise<Payment> {
  return (await findPayment(database, tenantId, id))!;
}

/** A debit after the cancel: the payment stays CANCELLED, and a reversal waits to be processed. */
async function debitLate(
  dependencies: Dependencies,
): Promise<{ payment: Payment; reversal: Reversal }> {
  const sent = await pay(dependencies, '+2389910139');
  const payment = await dependencies.cancel(tenantId, sent.id);
  await dependencies.processor.process(payment, 'DATABASE');
  assert.equal(dependencies.started.length, 1);
  return { payment, reversal: dependencies.started[0]! };
}

const balances = async ({ database }: Dependencies) => {
  const text = 'SELECT account, balance_minor AS minor FROM balances WHERE tenant_id = $1';
  const rows = await database.query<{ account: string; minor: bigint }>({ text }, [tenantId]);
  return Object.fromEntries(rows.map(({ account, minor }) => [account, minor]));
};

/** The simulated operator's balance: its debits less its returns. */
const heldByOperator = async ({ database }: Dependencies) => {
  const text = `
    SELECT sum(CASE kind WHEN 'DEBIT' THEN amount_minor ELSE -amount_minor END)::bigint AS minor
    FROM simulator_transactions WHERE tenant_id = $1 AND status = 'SUCCEEDED'`;
  return (await database.query<{ minor: bigint }>({ text }, [tenantId]))[0]!.minor;
};

const statuses = ({ database }: Dependencies) =>
  database.query<{ status: string; failureCode: string | null; dueAtMs: number | null }>({
    text: 'SELECT status, failure_code AS "failureCode", due_at AS "dueAtMs" FROM reversals',
  });

const countOf = async ({ database }: Dependencies, table: string, condition: string) => {
  const text = `SELECT count(*)::integer AS count FROM ${table} WHERE ${condition}`;
  return (await database.query<{ count: number }>({ text }))[0]!.count;
};

const isDone = async (dependencies: Dependencies) => {
  const rows = await statuses(dependencies);
  return rows.length > 0 && rows.every(({ status }) => status === 'SUCCEEDED');
};

/** Everything is returned once, and the ledger agrees with the operator. */
async function checkGivenBackOnce(dependencies: Dependencies): Promise<void> {
  assert.equal(await countOf(dependencies, 'simulator_transactions', `kind = 'REVERSAL'`), 1);
  assert.equal(await countOf(dependencies, 'postings', `kind = 'suspense_in'`), 1);
  assert.equal(await countOf(dependencies, 'postings', `kind = 'suspense_out'`), 1);
  const { suspense, 'operator:MOCK': operator } = await balances(dependencies);
  assert.equal(suspense, 0n);
  assert.equal(-operator!, await heldByOperator(dependencies));
}

test('books a late debit to suspense once, however often and concurrently it is reported', async (context) => {
  const dependencies = await compose(context);
  const { payment } = await debitLate(dependencies);
  const asked = await dependencies.processor.refresh(payment);
  const answer = await dependencies.simulator.queryDebit({
    ...payment,
    reference: payment.id,
    phone: payment.operatorPhone,
    abandoned: true,
    repeated: false,
  });
  const notification = { tenantId, reference: payment.id, answer };
  await Promise.all(Array.from({ length: 8 }, () => dependencies.processor.notify(notification)));
  assert.equal(asked.status, 'CANCELLED');
  assert.equal((await current(dependencies.database, payment)).status, 'CANCELLED');
  assert.equal(dependencies.started.length, 1, 'it is counted once');
  assert.equal(await countOf(dependencies, 'reversals', 'true'), 1);
  assert.deepEqual(await balances(dependencies), { 'operator:MOCK': -10_000n, suspense: 10_000n });
});

test('returns a late debit, empties suspense, and agrees with the operator', async (context) => {
  const dependencies = await compose(context);
  const paid = await pay(dependencies, '+2389912345');
  assert.equal(paid.status, 'DEBITED');
  await debitLate(dependencies);
  startWorker(context, dependencies);
  await eventually('the reversal succeeds', () => isDone(dependencies));
  await checkGivenBackOnce(dependencies);
  assert.deepEqual(await balances(dependencies), {
    'operator:MOCK': -10_000n,
    payable: 9_800n,
    fees: 200n,
    suspense: 0n,
  });
  assert.equal((await statuses(dependencies))[0]!.dueAtMs, null, 'nobody looks at it again');
});

test('returns a second debit and a debit of another amount separately', async (context) => {
  const dependencies = await compose(context);
  const payment = examplePayment({ tenantId, id: ids.next(Date.now()) });
  const second = { reason: 'SECOND_DEBIT', operatorTxId: 'OP-2', amountMinor: 10_000n } as const;
  const wrong = { reason: 'WRONG_AMOUNT', operatorTxId: 'OP-3', amountMinor: 7n } as const;
  for (const debit of [second, wrong, second, wrong])
    await dependencies.reverse(payment, debit, null);
  assert.deepEqual(await balances(dependencies), { 'operator:MOCK': -10_007n, suspense: 10_007n });
  startWorker(context, dependencies);
  await eventually('both reversals succeed', () => isDone(dependencies));
  assert.equal(await countOf(dependencies, 'simulator_transactions', `kind = 'REVERSAL'`), 2);
  assert.deepEqual(await balances(dependencies), { 'operator:MOCK': 0n, suspense: 0n });
});

const requestOf = (reversal: Reversal): ReversalRequest => ({
  ...reversal,
  kind: 'REVERSAL',
  reference: reversal.id,
  repeated: false,
});

/** A worker that dies after it committed PROCESSING; returns its claim as last seen. */
async function dieWhileProcessing({ database }: Dependencies): Promise<Reversal> {
  const nowMs = Date.now();
  const [claimed] = await claimDueReversals(database, nowMs, nowMs + 30_000, 10);
  const { dueAtMs } = claimed!;
  const change = { status: 'PROCESSING', dueAtMs, sentAtMs: nowMs, nowMs } as const;
  assert.equal(await transitionReversal(database, claimed!, change, []), true);
  return claimed!;
}

test('queries a reversal that a dead worker may have sent, and reverses it once by another', async (context) => {
  const dependencies = await compose(context);
  await debitLate(dependencies);
  const claimed = await dieWhileProcessing(dependencies);
  await dependencies.simulator.reverse(requestOf(claimed));
  startWorker(context, dependencies, { aheadMs: 60_000 });
  await eventually('another worker finishes it', () => isDone(dependencies));
  await checkGivenBackOnce(dependencies);
});

test('sends a reversal that a dead worker had not sent yet, once', async (context) => {
  const dependencies = await compose(context);
  await debitLate(dependencies);
  const claimed = await dieWhileProcessing(dependencies);
  startWorker(context, dependencies, { aheadMs: 60_000 });
  await eventually('another worker finishes it', () => isDone(dependencies));
  // The dead worker comes back to life with its answer.
  const nowMs = Date.now();
  const late = { status: 'FAILED', dueAtMs: null, nowMs } as const;
  assert.equal(await transitionReversal(dependencies.database, claimed, late, []), false);
  await checkGivenBackOnce(dependencies);
});

test('leaves a reversal alone while another worker holds its lease', async (context) => {
  const dependencies = await compose(context);
  await debitLate(dependencies);
  const claimed = await dieWhileProcessing(dependencies);
  const { dueAtMs } = claimed;
  assert.deepEqual(
    await claimDueReversals(dependencies.database, dueAtMs! - 1, dueAtMs! + 1, 10),
    [],
  );
  const [taken] = await claimDueReversals(dependencies.database, dueAtMs!, dueAtMs! + 1, 10);
  assert.deepEqual([taken?.id, taken?.status], [claimed.id, 'PROCESSING']);
});

test('reverses once with many workers at once', async (context) => {
  const dependencies = await compose(context);
  await debitLate(dependencies);
  for (let count = 0; count < 5; count++) startWorker(context, dependencies);
  await eventually('the reversal succeeds', () => isDone(dependencies));
  await checkGivenBackOnce(dependencies);
});

/** The simulator behind a network that loses every answer while it is down. */
function unreliable({ simulator }: Dependencies) {
  const network = { isDown: false, calls: 0 };
  const across = async (call: Promise<Awaited<ReturnType<Operator['reverse']>>>) => {
    const answer = await call;
    network.calls += 1;
    return network.isDown ? ({ kind: 'unknown', progress: 'UNREACHABLE' } as const) : answer;
  };
  const operator: Operator = {
    requestDebit: (request) => simulator.requestDebit(request),
    queryDebit: (request) => simulator.queryDebit(request),
    reverse: (request) => across(simulator.reverse(request)),
    queryReversal: (request) => across(simulator.queryReversal(request)),
    traits: () => simulator.traits(),
  };
  return { network, operator };
}

test('queries an unknown outcome until it is known, and books it once', async (context) => {
  const dependencies = await compose(context);
  await debitLate(dependencies);
  const { network, operator } = unreliable(dependencies);
  const toldNothing = {
    ...operator,
    reverse: (request: ReversalRequest) => {
      network.isDown = true;
      return operator.reverse(request);
    },
  };
  startWorker(context, dependencies, { operator: toldNothing });
  await eventually('it asks again and again', () => network.calls >= 4);
  assert.equal((await statuses(dependencies))[0]!.status, 'PROCESSING');
  assert.equal((await balances(dependencies)).suspense, 10_000n, 'not booked before it is known');
  network.isDown = false;
  await eventually('the reversal succeeds', () => isDone(dependencies));
  await checkGivenBackOnce(dependencies);
});

test('keeps a reversal that the operator refuses in suspense for a person', async (context) => {
  const dependencies = await compose(context);
  await debitLate(dependencies);
  const { operator } = unreliable(dependencies);
  operator.reverse = async () => ({ kind: 'failed', failureCode: 'OPERATOR_REJECTED' });
  startWorker(context, dependencies, { operator });
  await eventually(
    'the reversal fails',
    async () => (await statuses(dependencies))[0]?.status === 'FAILED',
  );
  assert.deepEqual(await statuses(dependencies), [
    { status: 'FAILED', failureCode: 'OPERATOR_REJECTED', dueAtMs: null },
  ]);
  assert.equal((await balances(dependencies)).suspense, 10_000n);
});
