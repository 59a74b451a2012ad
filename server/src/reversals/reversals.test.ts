import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { silentLog, testDatabase } from '../../test/database.ts';
import { eventually } from '../../test/eventually.ts';
import { newEvent } from '../events/event.ts';
import { noHandover } from '../events/handover.ts';
import type { Operator, ReversalRequest } from '../operators/operator.ts';
import { Simulator } from '../operators/simulator/simulator.ts';
import { createAdvance } from '../payments/advance.ts';
import { createAttend } from '../payments/attend.ts';
import { createCancelPayment } from '../payments/cancel.ts';
import { examplePayment } from '../payments/payment.fixture.ts';
import type { Payment } from '../payments/payment.ts';
import { createReschedule } from '../payments/reschedule.ts';
import { findPayment, insertPayments } from '../payments/store.ts';
import { paymentJson } from '../payments/view.ts';
import { systemClock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { randomIds } from '../platform/ids.ts';
import { createAskPerson } from '../review/ask-person.ts';
import { createAttendReversal } from './attend.ts';
import type { Reversal } from './reversal.ts';
import { createStartReversal } from './start.ts';
import { claimDueReversals, moveReversal } from './store.ts';
import { createReversalWorker } from './worker.ts';

const ids = randomIds();
const tenantId = randomUUID();
const timing = {
  operatorTimeoutMs: 1_000,
  expiryGraceMs: 1_000,
  firstAskGapMs: 20,
  longestAskGapMs: 100,
  watchMs: 86_400_000,
};

/** Payments, a simulated operator and reversals, as they are composed, but without the workers' loops. */
async function compose(context: TestContext) {
  const { database } = await testDatabase(context);
  const base = { database, clock: systemClock, log: silentLog, ids, timing };
  const started: Reversal[] = [];
  const askPerson = createAskPerson({ ...base, onReview: () => {} });
  const simulator = new Simulator({
    ...base,
    delayMs: 0,
    notify: (notice) => attend.notice(notice),
  });
  const advance = createAdvance({
    ...base,
    handover: noHandover,
    prepareEnded: async () => undefined,
    onTransition: () => {},
  });
  const reverse = createStartReversal({
    ...base,
    wake: () => {},
    askPerson,
    onReversal: (reversal) => started.push(reversal),
  });
  const attend = createAttend({
    ...base,
    advance,
    operatorFor: () => simulator,
    reschedule: createReschedule(database),
    reverse,
    askPerson,
    onNotReceived: () => assert.fail('the operator has heard of it'),
  });
  const cancel = createCancelPayment({ ...base, advance, wake: () => {} });
  return { database, simulator, attend, cancel, reverse, askPerson, started };
}

type Parts = Awaited<ReturnType<typeof compose>>;

/** A worker that runs until the test ends; one of another machine may be ahead in time. */
function startWorker(
  context: TestContext,
  { database, simulator, askPerson }: Parts,
  { operator = simulator as Operator, aheadMs = 0 } = {},
) {
  const clock = { nowMs: () => Date.now() + aheadMs };
  const base = { database, clock, log: silentLog, timing };
  const attend = createAttendReversal({
    ...base,
    operatorFor: () => operator,
    wake: (atMs) => worker.wake(atMs),
    askPerson,
    onNotReceived: () => assert.fail('the operator has heard of it'),
  });
  const worker = createReversalWorker({ ...base, attend, maxCallsOf: () => undefined });
  worker.start();
  context.after(() => worker.stop());
}

/** Writes a payment, and attends to it for the first time. */
async function pay({ database, attend }: Parts, operatorPhone: string): Promise<Payment> {
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
  await attend.attend(payment, 'MEMORY');
  return current(database, payment);
}

async function current(database: Database, { id }: Payment): Promise<Payment> {
  return (await findPayment(database, tenantId, id))!;
}

/** A debit after the cancel: the payment stays CANCELLED, and a reversal waits to be attended to. */
async function debitLate(parts: Parts): Promise<{ payment: Payment; reversal: Reversal }> {
  const sent = await pay(parts, '+2389910139');
  const payment = await parts.cancel(tenantId, sent.id);
  await parts.attend.attend(payment, 'DATABASE');
  assert.equal(parts.started.length, 1);
  return { payment, reversal: parts.started[0]! };
}

const balances = async ({ database }: Parts) => {
  const text = 'SELECT account, balance_minor AS minor FROM balances WHERE tenant_id = $1';
  const rows = await database.query<{ account: string; minor: bigint }>({ text }, [tenantId]);
  return Object.fromEntries(rows.map(({ account, minor }) => [account, minor]));
};

/** What the simulated operator holds for us: its debits less what it gave back. */
const heldByOperator = async ({ database }: Parts) => {
  const text = `
    SELECT sum(CASE kind WHEN 'DEBIT' THEN amount_minor ELSE -amount_minor END)::bigint AS minor
    FROM simulator_transactions WHERE tenant_id = $1 AND status = 'SUCCEEDED'`;
  return (await database.query<{ minor: bigint }>({ text }, [tenantId]))[0]!.minor;
};

const statuses = ({ database }: Parts) =>
  database.query<{ status: string; failureCode: string | null; dueAtMs: number | null }>({
    text: 'SELECT status, failure_code AS "failureCode", due_at AS "dueAtMs" FROM reversals',
  });

const countOf = async ({ database }: Parts, table: string, condition: string) => {
  const text = `SELECT count(*)::integer AS count FROM ${table} WHERE ${condition}`;
  return (await database.query<{ count: number }>({ text }))[0]!.count;
};

const isDone = async (parts: Parts) => {
  const rows = await statuses(parts);
  return rows.length > 0 && rows.every(({ status }) => status === 'SUCCEEDED');
};

/** Everything is given back once, and the ledger agrees with the operator. */
async function checkGivenBackOnce(parts: Parts): Promise<void> {
  assert.equal(await countOf(parts, 'simulator_transactions', `kind = 'REVERSAL'`), 1);
  assert.equal(await countOf(parts, 'postings', `kind = 'suspense_in'`), 1);
  assert.equal(await countOf(parts, 'postings', `kind = 'suspense_out'`), 1);
  const { suspense, 'operator:MOCK': operator } = await balances(parts);
  assert.equal(suspense, 0n);
  assert.equal(-operator!, await heldByOperator(parts));
}

test('a late debit is booked to suspense once, however often and however much at once it is heard of', async (context) => {
  const parts = await compose(context);
  const { payment } = await debitLate(parts);
  const asked = await parts.attend.refresh(payment);
  const answer = await parts.simulator.askDebit({
    ...payment,
    reference: payment.id,
    phone: payment.operatorPhone,
    abandoned: true,
    repeated: false,
  });
  const notice = { tenantId, reference: payment.id, answer };
  await Promise.all(Array.from({ length: 8 }, () => parts.attend.notice(notice)));
  assert.equal(asked.status, 'CANCELLED');
  assert.equal((await current(parts.database, payment)).status, 'CANCELLED');
  assert.equal(parts.started.length, 1, 'it is counted once');
  assert.equal(await countOf(parts, 'reversals', 'true'), 1);
  assert.deepEqual(await balances(parts), { 'operator:MOCK': -10_000n, suspense: 10_000n });
});

test('a late debit is given back, suspense ends at nothing, and the ledger agrees with the operator', async (context) => {
  const parts = await compose(context);
  const paid = await pay(parts, '+2389912345');
  assert.equal(paid.status, 'DEBITED');
  await debitLate(parts);
  startWorker(context, parts);
  await eventually('the reversal succeeds', () => isDone(parts));
  await checkGivenBackOnce(parts);
  assert.deepEqual(await balances(parts), {
    'operator:MOCK': -10_000n,
    payable: 9_800n,
    fees: 200n,
    suspense: 0n,
  });
  assert.equal((await statuses(parts))[0]!.dueAtMs, null, 'nobody looks at it again');
});

test('a second debit and one of another amount are given back each for itself', async (context) => {
  const parts = await compose(context);
  const payment = examplePayment({ tenantId, id: ids.next(Date.now()) });
  const second = { reason: 'SECOND_DEBIT', operatorTxId: 'OP-2', amountMinor: 10_000n } as const;
  const wrong = { reason: 'WRONG_AMOUNT', operatorTxId: 'OP-3', amountMinor: 7n } as const;
  for (const debit of [second, wrong, second, wrong]) await parts.reverse(payment, debit, null);
  assert.deepEqual(await balances(parts), { 'operator:MOCK': -10_007n, suspense: 10_007n });
  startWorker(context, parts);
  await eventually('both reversals succeed', () => isDone(parts));
  assert.equal(await countOf(parts, 'simulator_transactions', `kind = 'REVERSAL'`), 2);
  assert.deepEqual(await balances(parts), { 'operator:MOCK': 0n, suspense: 0n });
});

const requestOf = (reversal: Reversal): ReversalRequest => ({
  ...reversal,
  kind: 'REVERSAL',
  reference: reversal.id,
  repeated: false,
});

/** A worker that dies after it committed PROCESSING; gives its claim as it last saw it. */
async function dieWhileProcessing({ database }: Parts): Promise<Reversal> {
  const nowMs = Date.now();
  const [claimed] = await claimDueReversals(database, nowMs, nowMs + 30_000, 10);
  const { dueAtMs } = claimed!;
  const change = { status: 'PROCESSING', dueAtMs, sentAtMs: nowMs, nowMs } as const;
  assert.equal(await moveReversal(database, claimed!, change, []), true);
  return claimed!;
}

test('what a dead worker may have sent is asked about, and reversed once by another', async (context) => {
  const parts = await compose(context);
  await debitLate(parts);
  const claimed = await dieWhileProcessing(parts);
  await parts.simulator.reverse(requestOf(claimed));
  startWorker(context, parts, { aheadMs: 60_000 });
  await eventually('another worker finishes it', () => isDone(parts));
  await checkGivenBackOnce(parts);
});

test('what a dead worker had not sent yet is sent by another, once', async (context) => {
  const parts = await compose(context);
  await debitLate(parts);
  const claimed = await dieWhileProcessing(parts);
  startWorker(context, parts, { aheadMs: 60_000 });
  await eventually('another worker finishes it', () => isDone(parts));
  // The dead one comes back to life with its answer.
  const nowMs = Date.now();
  const late = { status: 'FAILED', dueAtMs: null, nowMs } as const;
  assert.equal(await moveReversal(parts.database, claimed, late, []), false);
  await checkGivenBackOnce(parts);
});

test('while a worker holds the lease, another leaves the reversal alone', async (context) => {
  const parts = await compose(context);
  await debitLate(parts);
  const claimed = await dieWhileProcessing(parts);
  const { dueAtMs } = claimed;
  assert.deepEqual(await claimDueReversals(parts.database, dueAtMs! - 1, dueAtMs! + 1, 10), []);
  const [taken] = await claimDueReversals(parts.database, dueAtMs!, dueAtMs! + 1, 10);
  assert.deepEqual([taken?.id, taken?.status], [claimed.id, 'PROCESSING']);
});

test('many workers at once reverse it once', async (context) => {
  const parts = await compose(context);
  await debitLate(parts);
  for (let count = 0; count < 5; count++) startWorker(context, parts);
  await eventually('the reversal succeeds', () => isDone(parts));
  await checkGivenBackOnce(parts);
});

/** The simulator behind a network that loses every answer while it is down. */
function unreliable({ simulator }: Parts) {
  const network = { isDown: false, calls: 0 };
  const across = async (call: Promise<Awaited<ReturnType<Operator['reverse']>>>) => {
    const answer = await call;
    network.calls += 1;
    return network.isDown ? ({ kind: 'unknown', progress: 'UNREACHABLE' } as const) : answer;
  };
  const operator: Operator = {
    requestDebit: (request) => simulator.requestDebit(request),
    askDebit: (request) => simulator.askDebit(request),
    reverse: (request) => across(simulator.reverse(request)),
    askReversal: (request) => across(simulator.askReversal(request)),
    traits: () => simulator.traits(),
  };
  return { network, operator };
}

test('an unknown outcome is asked about until it is known, and booked once', async (context) => {
  const parts = await compose(context);
  await debitLate(parts);
  const { network, operator } = unreliable(parts);
  const toldNothing = {
    ...operator,
    reverse: (request: ReversalRequest) => {
      network.isDown = true;
      return operator.reverse(request);
    },
  };
  startWorker(context, parts, { operator: toldNothing });
  await eventually('it asks again and again', () => network.calls >= 4);
  assert.equal((await statuses(parts))[0]!.status, 'PROCESSING');
  assert.equal((await balances(parts)).suspense, 10_000n, 'not booked before it is known');
  network.isDown = false;
  await eventually('the reversal succeeds', () => isDone(parts));
  await checkGivenBackOnce(parts);
});

test('a reversal that the operator refuses stays in suspense for a person to look at', async (context) => {
  const parts = await compose(context);
  await debitLate(parts);
  const { operator } = unreliable(parts);
  operator.reverse = async () => ({ kind: 'failed', failureCode: 'OPERATOR_REJECTED' });
  startWorker(context, parts, { operator });
  await eventually(
    'the reversal fails',
    async () => (await statuses(parts))[0]?.status === 'FAILED',
  );
  assert.deepEqual(await statuses(parts), [
    { status: 'FAILED', failureCode: 'OPERATOR_REJECTED', dueAtMs: null },
  ]);
  assert.equal((await balances(parts)).suspense, 10_000n);
});
