import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { silentLog } from '../../test/database.ts';
import { eventually } from '../../test/eventually.ts';
import { testGateway } from '../../test/gateway.ts';
import { testHashes } from '../../test/request-hashes.ts';
import { noHandover } from '../events/handover.ts';
import { checkLedger, suspense } from '../ledger/check.ts';
import type { Operator, OperatorAnswer, ReversalRequest } from '../operators/operator.ts';
import { Simulator } from '../operators/simulator/simulator.ts';
import { ByteBudget } from '../platform/byte-budget.ts';
import type { DueWorker } from '../platform/due-worker.ts';
import { parseId, randomIds } from '../platform/ids.ts';
import { createAskPerson } from '../review/ask-person.ts';
import { openReviewItems } from '../review/store.ts';
import { createAdvanceRefund } from './advance.ts';
import { createAttendRefund } from './attend.ts';
import { createCreateRefund } from './create.ts';
import { claimDueRefunds, type DueRefund } from './due-store.ts';
import type { Refund } from './refund.ts';
import { findRefund } from './store.ts';
import { createRefundWorker } from './worker.ts';

const hourMs = 3_600_000;
const timing = {
  operatorTimeoutMs: 1_000,
  firstAskGapMs: 20,
  longestAskGapMs: 100,
  watchMs: 24 * hourMs,
};
const failed: OperatorAnswer = { kind: 'failed', failureCode: 'OPERATOR_REJECTED' };

/**
 * A debited payment of a gateway, and refunds as they are composed, but behind an operator of the
 * test's own. They live an hour ahead, so the gateway's own worker leaves their rows alone.
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
  const parts = { ...base, handover: noHandover, onRefund: () => {}, onTransition: () => {} };
  const advance = createAdvanceRefund(parts);
  const attendWith = (operator: Operator, wake = (_atMs: number) => {}) =>
    createAttendRefund({
      ...parts,
      advance,
      operatorFor: () => operator,
      wake,
      askPerson: createAskPerson({ ...base, onReview: () => {} }),
      onLateSuccess: (refund) => late.push(refund),
      onNotReceived: () => assert.fail('the operator has heard of it'),
    });
  const accepted: Refund[] = [];
  const create = createCreateRefund({
    ...parts,
    requestHashes: testHashes,
    worker: {
      leaseMs: ({ createdAtMs }) => createdAtMs,
      accept: (refund) => accepted.push(refund),
    },
  });
  /** A refund of 40 CVE that is due and that nobody has attended to. */
  const refund = async (): Promise<Refund> => {
    const paymentId = parseId('pi', body.id)!;
    const text = {
      mode: 'test',
      reason: null,
      metadata: null,
      idempotency: null,
      apiKey: null,
    } as const;
    await create({ tenantId, paymentId, amountMinor: 4_000n, ...text });
    return accepted.at(-1)!;
  };
  const paymentStatus = async () => (await api('GET', path)).body.status;
  return { database, simulator, advance, attendWith, refund, late, base, wait, paymentStatus };
}

type Parts = Awaited<ReturnType<typeof compose>>;

/** Takes the refund as a worker does. */
async function claim({ database, base }: Parts): Promise<Refund> {
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

async function current({ database }: Parts, { tenantId, id }: Refund): Promise<Refund> {
  return (await findRefund(database, tenantId, id))!;
}

async function balances({ database }: Parts): Promise<Record<string, number>> {
  const text = 'SELECT account, balance_minor AS minor FROM balances';
  const rows = await database.query<{ account: string; minor: bigint }>({ text });
  return Object.fromEntries(rows.map(({ account, minor }) => [account, Number(minor)]));
}

/** The operator refunded once, the books agree, and the payment says so. */
async function checkRefundedOnce(parts: Parts, refund: Refund): Promise<void> {
  const text = `SELECT reference FROM simulator_transactions WHERE kind = 'REFUND'`;
  assert.deepEqual(await parts.database.query({ text }), [{ reference: refund.id }]);
  const now = await current(parts, refund);
  assert.deepEqual([now.status, now.dueAtMs], ['SUCCEEDED', null]);
  assert.equal(await parts.paymentStatus(), 'PARTIALLY_REFUNDED');
  assert.equal((await balances(parts)).refunds_in_transit, 0);
  assert.deepEqual(await checkLedger(parts.database), []);
}

/** The simulator behind a network that loses every answer while it is down; counts what is sent. */
function unreliable({ simulator }: Parts) {
  const network = { isDown: true, calls: 0, sent: 0 };
  const across = async (answer: OperatorAnswer): Promise<OperatorAnswer> => {
    network.calls += 1;
    return network.isDown ? { kind: 'unknown', progress: 'UNREACHABLE' } : answer;
  };
  const operator: Operator = {
    requestDebit: (request) => simulator.requestDebit(request),
    askDebit: (request) => simulator.askDebit(request),
    reverse: async (request) => {
      network.sent += 1;
      return across(await simulator.reverse(request));
    },
    askReversal: async (request) => across(await simulator.askReversal(request)),
    traits: () => simulator.traits(),
  };
  return { network, operator };
}

function startWorker(context: TestContext, parts: Parts, operator: Operator): void {
  const attend = parts.attendWith(operator, (atMs) => worker.wake(atMs));
  const worker: DueWorker<DueRefund> = createRefundWorker({
    ...parts.base,
    attend,
    paymentMemory: new ByteBudget({ perTenant: 1e7, test: 1e7, overall: 1e7 }),
    maxCallsOf: () => undefined,
  });
  worker.start();
  context.after(() => worker.stop());
}

test('PROCESSING is committed before the operator hears of the refund', async (context) => {
  const parts = await compose(context);
  const { operator } = unreliable(parts);
  const seen: string[] = [];
  const refund = await parts.refund();
  operator.reverse = async (request) => {
    seen.push((await current(parts, refund)).status);
    assert.equal(request.kind, 'REFUND');
    assert.equal(request.reference, refund.id);
    return parts.simulator.reverse(request);
  };
  await parts.attendWith(operator).attend(await claim(parts), 'MEMORY');
  assert.deepEqual(seen, ['PROCESSING']);
  await checkRefundedOnce(parts, refund);
});

test('an unknown outcome is asked about until it is known, sent once and booked once', async (context) => {
  const parts = await compose(context);
  const { network, operator } = unreliable(parts);
  const refund = await parts.refund();
  await parts.attendWith(operator).attend(await claim(parts), 'MEMORY');
  startWorker(context, parts, operator);
  await eventually('it asks again and again', () => network.calls >= 4);
  assert.equal((await current(parts, refund)).status, 'PROCESSING');
  assert.equal((await balances(parts)).refunds_in_transit, 4_000, 'not booked before it is known');
  assert.equal(await parts.paymentStatus(), 'DEBITED');
  network.isDown = false;
  await eventually(
    'the refund succeeds',
    async () => (await current(parts, refund)).status === 'SUCCEEDED',
  );
  assert.equal(network.sent, 1);
  await checkRefundedOnce(parts, refund);
});

/** A worker that dies after it committed PROCESSING, before or after the operator heard of it. */
async function dieWhileProcessing(parts: Parts, sent: boolean): Promise<Refund> {
  const { operator } = unreliable(parts);
  operator.reverse = async (request) => {
    if (sent) await parts.simulator.reverse(request);
    throw new Error('killed');
  };
  const claimed = await claim(parts);
  await assert.rejects(parts.attendWith(operator).attend(claimed, 'MEMORY'), /killed/);
  assert.equal((await current(parts, claimed)).status, 'PROCESSING');
  return claimed;
}

for (const sent of [true, false]) {
  test(`a worker killed ${sent ? 'after' : 'before'} it called the operator: another refunds once`, async (context) => {
    const parts = await compose(context);
    await parts.refund();
    const dead = await dieWhileProcessing(parts, sent);
    assert.equal(await claim(parts), undefined, 'its lease keeps others away');
    const { network, operator } = unreliable(parts);
    network.isDown = false;
    parts.wait(2 * hourMs);
    await parts.attendWith(operator).attend(await claim(parts), 'DATABASE');
    assert.equal(network.sent, sent ? 0 : 1, 'what may have been sent is asked about first');
    await checkRefundedOnce(parts, dead);
    // The dead one comes back to life with another answer.
    await parts.advance(await current(parts, dead), { to: 'FAILED', dueAtMs: null }).then(
      () => assert.fail('SUCCEEDED is for ever'),
      (error: Error) => assert.match(error.message, /no transition/),
    );
  });
}

test('a lost lease writes nothing', async (context) => {
  const parts = await compose(context);
  await parts.refund();
  const mine = await claim(parts);
  parts.wait(hourMs);
  await claim(parts);
  const { network, operator } = unreliable(parts);
  await parts.attendWith(operator).attend(mine, 'MEMORY');
  assert.equal(network.sent, 0);
  assert.equal((await current(parts, mine)).status, 'PENDING');
});

test('many workers at once refund once', async (context) => {
  const parts = await compose(context);
  const refund = await parts.refund();
  for (let count = 0; count < 5; count++) startWorker(context, parts, parts.simulator);
  await eventually(
    'the refund succeeds',
    async () => (await current(parts, refund)).status === 'SUCCEEDED',
  );
  await checkRefundedOnce(parts, refund);
});

test('a failure that is reported after the success changes nothing', async (context) => {
  const parts = await compose(context);
  const refund = await parts.refund();
  const attend = parts.attendWith(parts.simulator);
  await attend.attend(await claim(parts), 'MEMORY');
  const { tenantId, id: reference } = refund;
  const answer = await parts.simulator.askReversal(requestOf(refund));
  for (const word of [failed, answer, failed]) {
    await attend.notice({ tenantId, reference, answer: word });
  }
  await checkRefundedOnce(parts, refund);
});

/** What is left when the customer has got back what the books called FAILED. */
async function checkLateSuccess(parts: Parts, refund: Refund): Promise<void> {
  const now = await current(parts, refund);
  assert.deepEqual([now.status, now.failureCode], ['FAILED', 'OPERATOR_REJECTED']);
  assert.match(now.operatorRefundId!, /^SIM/);
  assert.equal(parts.late.length, 1, 'it is counted once');
  assert.deepEqual(await balances(parts), {
    fees: 200,
    payable: 9_800,
    refunds_in_transit: 0,
    suspense: -4_000,
    'operator:MOCK': -6_000,
  });
  assert.equal(await parts.paymentStatus(), 'DEBITED');
  assert.deepEqual(await checkLedger(parts.database), []);
  const [item, ...others] = await suspense(parts.database);
  assert.deepEqual(others, []);
  assert.deepEqual(item, {
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

test('a success that is reported after FAILED is booked to suspense once, however often it is heard of', async (context) => {
  const parts = await compose(context);
  const refund = await parts.refund();
  const { operator } = unreliable(parts);
  operator.reverse = async () => failed;
  const attend = parts.attendWith(operator);
  await attend.attend(await claim(parts), 'MEMORY');
  assert.equal((await current(parts, refund)).status, 'FAILED');
  const { tenantId, id: reference } = refund;
  const answer = await parts.simulator.reverse(requestOf(refund));
  const [problem] = await checkLedger(parts.database);
  assert.match(
    problem!.message,
    /^MOCK refunded 4000 CVE that the ledger lacks, and the refund re_/,
  );
  const notice = { tenantId, reference, answer };
  await Promise.all(Array.from({ length: 8 }, () => attend.notice(notice)));
  await attend.notice(notice);
  await checkLateSuccess(parts, refund);
});

test('a success that an answer brings after a notice of the failure is not lost either', async (context) => {
  const parts = await compose(context);
  const refund = await parts.refund();
  const { operator } = unreliable(parts);
  const attend = parts.attendWith(operator);
  operator.reverse = async (request) => {
    const { tenantId, reference } = request;
    await attend.notice({ tenantId, reference, answer: failed });
    return parts.simulator.reverse(request);
  };
  await attend.attend(await claim(parts), 'MEMORY');
  await checkLateSuccess(parts, refund);
});

test('another amount than was asked for is told to a person', async (context) => {
  const parts = await compose(context);
  const refund = await parts.refund();
  const { operator } = unreliable(parts);
  operator.reverse = async () => ({ kind: 'succeeded', operatorTxId: 'OP-9', amountMinor: 3_999n });
  await parts.attendWith(operator).attend(await claim(parts), 'MEMORY');
  assert.equal((await current(parts, refund)).status, 'SUCCEEDED');
  const [item, ...others] = await openReviewItems(parts.database);
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
