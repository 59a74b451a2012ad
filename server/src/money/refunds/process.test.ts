import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { cleanUp } from '../../../test/support/cleanup.ts';
import { silentLog } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { testGateway } from '../../../test/support/gateway.ts';
import { testHashes } from '../../../test/support/request-hashes.ts';
import { noDispatcher } from '../../integrations/events/dispatch.ts';
import type {
  Operator,
  OperatorAnswer,
  ReversalRequest,
} from '../../integrations/operators/operator.ts';
import { Simulator } from '../../integrations/operators/simulator/simulator.ts';
import type { JobWorker } from '../../platform/jobs/worker.ts';
import { ByteBudget } from '../../platform/memory/byte-budget.ts';
import { parseId, randomIds } from '../../platform/values/ids.ts';
import { standardTerms } from '../../platform/values/merchant-terms.ts';
import { checkLedger } from '../ledger/check.ts';
import { suspense } from '../ledger/suspense.ts';
import { makeRequestReview } from '../review/request-review.ts';
import { openReviewItems } from '../review/store.ts';
import { makeCreateRefund } from './create.ts';
import { claimDueRefunds, type DueRefund } from './lease-store.ts';
import { createRefundProcessor } from './process.ts';
import type { Refund } from './refund.ts';
import { findRefund } from './store.ts';
import { makeApplyRefundTransition } from './transition.ts';
import { createRefundWorker } from './worker.ts';

const hourMs = 3_600_000;
const timing = {
  operatorTimeoutMs: 1_000,
  firstBackoffMs: 20,
  maxBackoffMs: 100,
  watchMs: 24 * hourMs,
};
const failed: OperatorAnswer = { kind: 'failed', failureCode: 'OPERATOR_REJECTED' };

/**
 * A debited payment of a gateway, and refunds as composed there, but behind an operator of the test's own. They are
 * dated an hour ahead, so the gateway's own worker leaves their rows alone.
 */
async function compose(context: TestContext) {
  const { api, database } = await testGateway(context);
  const order = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' };
  const { body } = await api('POST', '/v1/payments', order);
  const path = `/v1/payments/${body.id}`;
  await eventually('it is debited', async () => (await api('GET', path)).body.status === 'DEBITED');
  const [owner] = await database.query<{ tenantId: string }>({
    text: 'SELECT tenant_id AS "tenantId" FROM payments',
  });
  const { tenantId } = owner!;
  let aheadMs = hourMs;
  const clock = { nowMs: () => Date.now() + aheadMs };
  const wait = (ms: number) => {
    aheadMs += ms;
  };
  const base = { database, clock, ids: randomIds(), log: silentLog, timing };
  const simulator = new Simulator({ ...base, delayMs: 0, notify: async () => {} });
  const late: Refund[] = [];
  const dependencies = {
    ...base,
    dispatcher: noDispatcher,
    onRefund: () => {},
    onTransition: () => {},
  };
  const applyTransition = makeApplyRefundTransition(dependencies);
  const processorWith = (operator: Operator, wake = (_atMs: number) => {}) =>
    createRefundProcessor({
      ...dependencies,
      applyTransition,
      operatorFor: () => operator,
      wake,
      requestReview: makeRequestReview({ ...base, onReview: () => {} }),
      onLateSuccess: (refund) => late.push(refund),
      onNotReceived: () => assert.fail('the operator has heard of it'),
    });
  const accepted: Refund[] = [];
  const create = makeCreateRefund({
    refundApprovalAbove: {},
    ...dependencies,
    requestHashes: testHashes,
    refundRendering: { at: () => 2 },
    worker: {
      leaseMs: ({ createdAtMs }) => createdAtMs,
      accept: (refund) => accepted.push(refund),
    },
  });
  /** A refund of 40 CVE that is due and unprocessed. */
  const refund = async (): Promise<Refund> => {
    const paymentId = parseId('pi', body.id)!;
    const nothing = { reason: null, metadata: null, idempotency: null, apiKey: null };
    const text = { ...nothing, mode: 'test', terms: standardTerms } as const;
    await create({ tenantId, paymentId, amountMinor: 4_000n, ...text });
    return accepted.at(-1)!;
  };
  const paymentStatus = async () => (await api('GET', path)).body.status;
  return {
    database,
    simulator,
    applyTransition,
    processorWith,
    refund,
    late,
    base,
    wait,
    paymentStatus,
  };
}

type Dependencies = Awaited<ReturnType<typeof compose>>;

/** Claims the refund like a worker. */
async function claim({ database, base }: Dependencies): Promise<Refund> {
  const nowMs = base.clock.nowMs();
  const [claimed] = await claimDueRefunds(database, nowMs, nowMs + 60_000, 10);
  return claimed!;
}

const requestOf = (refund: Refund): ReversalRequest => ({
  ...refund,
  kind: 'REFUND',
  reference: refund.id,
  repeated: false,
});

async function current({ database }: Dependencies, { tenantId, id }: Refund): Promise<Refund> {
  return (await findRefund(database, tenantId, id))!;
}

async function balances({ database }: Dependencies): Promise<Record<string, number>> {
  const text = 'SELECT account, balance_minor AS minor FROM balances';
  const rows = await database.query<{ account: string; minor: bigint }>({ text });
  return Object.fromEntries(rows.map(({ account, minor }) => [account, Number(minor)]));
}

/** The operator refunded once, the ledger agrees, and the payment says so. */
async function checkRefundedOnce(dependencies: Dependencies, refund: Refund): Promise<void> {
  const text = `SELECT reference FROM simulator_transactions WHERE kind = 'REFUND'`;
  assert.deepEqual(await dependencies.database.query({ text }), [{ reference: refund.id }]);
  const now = await current(dependencies, refund);
  assert.deepEqual([now.status, now.dueAtMs], ['SUCCEEDED', null]);
  assert.equal(await dependencies.paymentStatus(), 'PARTIALLY_REFUNDED');
  assert.equal((await balances(dependencies)).refunds_in_transit, 0);
  assert.deepEqual(await checkLedger(dependencies.database), []);
}

/** The simulator behind a network that loses every answer while it is down; counts requests. */
function unreliable({ simulator }: Dependencies) {
  const network = { isDown: true, calls: 0, sent: 0 };
  const across = async (answer: OperatorAnswer): Promise<OperatorAnswer> => {
    network.calls += 1;
    return network.isDown ? { kind: 'unknown', progress: 'UNREACHABLE' } : answer;
  };
  const operator: Operator = {
    requestDebit: (request) => simulator.requestDebit(request),
    queryDebit: (request) => simulator.queryDebit(request),
    reverse: async (request) => {
      network.sent += 1;
      return across(await simulator.reverse(request));
    },
    queryReversal: async (request) => across(await simulator.queryReversal(request)),
    traits: () => simulator.traits(),
  };
  return { network, operator };
}

function startWorker(context: TestContext, dependencies: Dependencies, operator: Operator): void {
  const processor = dependencies.processorWith(operator, (atMs) => worker.wake(atMs));
  const worker: JobWorker<DueRefund> = createRefundWorker({
    ...dependencies.base,
    processor,
    paymentMemory: new ByteBudget({ perTenant: 1e7, test: 1e7, overall: 1e7 }),
    maxCallsOf: () => undefined,
  });
  worker.start();
  cleanUp(context, () => worker.stop());
}

test('commits PROCESSING before the operator hears of the refund', async (context) => {
  const dependencies = await compose(context);
  const { operator } = unreliable(dependencies);
  const seen: string[] = [];
  const refund = await dependencies.refund();
  operator.reverse = async (request) => {
    seen.push((await current(dependencies, refund)).status);
    assert.equal(request.kind, 'REFUND');
    assert.equal(request.reference, refund.id);
    return dependencies.simulator.reverse(request);
  };
  await dependencies.processorWith(operator).process(await claim(dependencies), 'MEMORY');
  assert.deepEqual(seen, ['PROCESSING']);
  await checkRefundedOnce(dependencies, refund);
});

test('does not shorten the lease of a request in flight by a hint', async (context) => {
  const dependencies = await compose(context);
  const { operator } = unreliable(dependencies);
  const refund = await dependencies.refund();
  const leases: (number | null)[] = [];
  const note = async () => leases.push((await current(dependencies, refund)).dueAtMs);
  operator.queryReversal = async () => {
    await note();
    return { kind: 'unknown', progress: 'NOT_FOUND' };
  };
  operator.reverse = async (request) => {
    await note();
    await dependencies.processorWith(operator).hint(refund.tenantId, refund.id);
    return dependencies.simulator.reverse(request);
  };
  await dependencies.processorWith(operator).process(await claim(dependencies), 'MEMORY');
  assert.equal(leases.length, 2);
  assert.equal(leases[0], leases[1]);
});

test('queries an unknown outcome until it is known, and sends and books the refund once', async (context) => {
  const dependencies = await compose(context);
  const { network, operator } = unreliable(dependencies);
  const refund = await dependencies.refund();
  await dependencies.processorWith(operator).process(await claim(dependencies), 'MEMORY');
  startWorker(context, dependencies, operator);
  await eventually('it asks again and again', () => network.calls >= 4);
  assert.equal((await current(dependencies, refund)).status, 'PROCESSING');
  assert.equal(
    (await balances(dependencies)).refunds_in_transit,
    4_000,
    'not booked before it is known',
  );
  assert.equal(await dependencies.paymentStatus(), 'DEBITED');
  network.isDown = false;
  await eventually(
    'the refund succeeds',
    async () => (await current(dependencies, refund)).status === 'SUCCEEDED',
  );
  assert.equal(network.sent, 1);
  await checkRefundedOnce(dependencies, refund);
});

/** A worker that dies after it committed PROCESSING, before or after the operator heard of it. */
async function dieWhileProcessing(dependencies: Dependencies, sent: boolean): Promise<Refund> {
  const { operator } = unreliable(dependencies);
  operator.reverse = async (request) => {
    if (sent) await dependencies.simulator.reverse(request);
    throw new Error('killed');
  };
  const claimed = await claim(dependencies);
  await assert.rejects(dependencies.processorWith(operator).process(claimed, 'MEMORY'), /killed/);
  assert.equal((await current(dependencies, claimed)).status, 'PROCESSING');
  return claimed;
}

for (const sent of [true, false]) {
  test(`refunds once after a worker was killed ${sent ? 'after' : 'before'} it called the operator`, async (context) => {
    const dependencies = await compose(context);
    await dependencies.refund();
    const dead = await dieWhileProcessing(dependencies, sent);
    assert.equal(await claim(dependencies), undefined, 'its lease keeps others away');
    const { network, operator } = unreliable(dependencies);
    network.isDown = false;
    dependencies.wait(2 * hourMs);
    await dependencies.processorWith(operator).process(await claim(dependencies), 'DATABASE');
    assert.equal(network.sent, sent ? 0 : 1, 'what may have been sent is asked about first');
    await checkRefundedOnce(dependencies, dead);
    // The dead worker comes back to life with another answer.
    await dependencies
      .applyTransition(await current(dependencies, dead), { to: 'FAILED', dueAtMs: null })
      .then(
        () => assert.fail('SUCCEEDED is for ever'),
        (error: Error) => assert.match(error.message, /no transition/),
      );
  });
}

test('writes nothing under a lost lease', async (context) => {
  const dependencies = await compose(context);
  await dependencies.refund();
  const mine = await claim(dependencies);
  dependencies.wait(hourMs);
  await claim(dependencies);
  const { network, operator } = unreliable(dependencies);
  await dependencies.processorWith(operator).process(mine, 'MEMORY');
  assert.equal(network.sent, 0);
  assert.equal((await current(dependencies, mine)).status, 'PENDING');
});

test('refunds once with many workers at once', async (context) => {
  const dependencies = await compose(context);
  const refund = await dependencies.refund();
  for (let count = 0; count < 5; count++)
    startWorker(context, dependencies, dependencies.simulator);
  await eventually(
    'the refund succeeds',
    async () => (await current(dependencies, refund)).status === 'SUCCEEDED',
  );
  await checkRefundedOnce(dependencies, refund);
});

test('ignores a failure that is reported after the success', async (context) => {
  const dependencies = await compose(context);
  const refund = await dependencies.refund();
  const processor = dependencies.processorWith(dependencies.simulator);
  await processor.process(await claim(dependencies), 'MEMORY');
  const { tenantId, id: reference } = refund;
  const answer = await dependencies.simulator.queryReversal(requestOf(refund));
  for (const word of [failed, answer, failed]) {
    await processor.notify({ tenantId, reference, answer: word });
  }
  await checkRefundedOnce(dependencies, refund);
});

/** The state once the customer has received a refund that the ledger calls FAILED. */
async function checkLateSuccess(dependencies: Dependencies, refund: Refund): Promise<void> {
  const now = await current(dependencies, refund);
  assert.deepEqual([now.status, now.failureCode], ['FAILED', 'OPERATOR_REJECTED']);
  assert.match(now.operatorRefundId!, /^SIM/);
  assert.equal(dependencies.late.length, 1, 'it is counted once');
  assert.deepEqual(await balances(dependencies), {
    fees: 200,
    payable: 9_800,
    refunds_in_transit: 0,
    suspense: -4_000,
    'operator:MOCK': -6_000,
  });
  assert.equal(await dependencies.paymentStatus(), 'DEBITED');
  assert.deepEqual(await checkLedger(dependencies.database), []);
  const [item, ...others] = await suspense(dependencies.database);
  assert.deepEqual(others, []);
  assert.deepEqual(item, {
    id: refund.id,
    byHand: false,
    tenantId: refund.tenantId,
    paymentId: refund.paymentId,
    reason: 'LATE_REFUND',
    status: null,
    operator: 'MOCK',
    operatorTxId: now.operatorRefundId,
    currency: 'CVE',
    amountMinor: -4_000n,
    failureCode: null,
    createdAtMs: now.updatedAtMs,
  });
}

test('books a success after FAILED to suspense once, however often it is reported', async (context) => {
  const dependencies = await compose(context);
  const refund = await dependencies.refund();
  const { operator } = unreliable(dependencies);
  operator.reverse = async () => failed;
  const processor = dependencies.processorWith(operator);
  await processor.process(await claim(dependencies), 'MEMORY');
  assert.equal((await current(dependencies, refund)).status, 'FAILED');
  const { tenantId, id: reference } = refund;
  const answer = await dependencies.simulator.reverse(requestOf(refund));
  const [problem] = await checkLedger(dependencies.database);
  assert.match(
    problem!.message,
    /^MOCK refunded 4000 CVE that the ledger lacks, and the refund re_/,
  );
  const notification = { tenantId, reference, answer };
  await Promise.all(Array.from({ length: 8 }, () => processor.notify(notification)));
  await processor.notify(notification);
  await checkLateSuccess(dependencies, refund);
});

test('keeps a success whose answer follows a notification of failure', async (context) => {
  const dependencies = await compose(context);
  const refund = await dependencies.refund();
  const { operator } = unreliable(dependencies);
  const processor = dependencies.processorWith(operator);
  operator.reverse = async (request) => {
    const { tenantId, reference } = request;
    await processor.notify({ tenantId, reference, answer: failed });
    return dependencies.simulator.reverse(request);
  };
  await processor.process(await claim(dependencies), 'MEMORY');
  await checkLateSuccess(dependencies, refund);
});

test('reviews a refund of another amount than requested', async (context) => {
  const dependencies = await compose(context);
  const refund = await dependencies.refund();
  const { operator } = unreliable(dependencies);
  operator.reverse = async () => ({ kind: 'succeeded', operatorTxId: 'OP-9', amountMinor: 3_999n });
  await dependencies.processorWith(operator).process(await claim(dependencies), 'MEMORY');
  assert.equal((await current(dependencies, refund)).status, 'SUCCEEDED');
  const [item, ...others] = await openReviewItems(dependencies.database);
  assert.deepEqual(others, []);
  assert.deepEqual(
    [item!.kind, item!.subjectKind, item!.subjectId],
    ['CONTRADICTION', 'REFUND', refund.id],
  );
  const booked = {
    status: 'PROCESSING',
    operatorRefundId: null,
    amountMinor: '4000',
    byHand: false,
  };
  assert.deepEqual(item!.detail, { booked, told: { operatorTxId: 'OP-9', amountMinor: '3999' } });
});
