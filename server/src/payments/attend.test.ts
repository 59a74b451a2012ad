import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../test/database.ts';
import { newEvent } from '../events/event.ts';
import { noHandover } from '../events/handover.ts';
import { checkLedger } from '../ledger/check.ts';
import type { Operator, OperatorAnswer } from '../operators/operator.ts';
import { randomIds } from '../platform/ids.ts';
import type { WrongDebit } from '../reversals/reversal.ts';
import { createAdvance } from './advance.ts';
import { createAttend } from './attend.ts';
import { createCancelPayment } from './cancel.ts';
import { examplePayment } from './payment.fixture.ts';
import { createReschedule } from './reschedule.ts';
import { claimDuePayments, findPayment, insertPayments } from './store.ts';
import { paymentJson } from './view.ts';

const operatorTimeoutMs = 10_000;
const timing = {
  operatorTimeoutMs,
  expiryGraceMs: 60_000,
  firstAskGapMs: 5_000,
  longestAskGapMs: 3_600_000,
};

test('a payment cancelled while its debit is asked for again is watched, and a late debit goes back', async (context) => {
  const { database } = await testDatabase(context);
  const payment = examplePayment();
  const { tenantId, id, createdAtMs } = payment;
  const ids = randomIds();
  const given = { tenantId, id: ids.next(createdAtMs), objectId: id, sequence: 1, createdAtMs };
  const event = newEvent({ ...given, type: 'payment.created' }, paymentJson(payment));
  await insertPayments(database, [{ payment, event }], createdAtMs);

  let nowMs = createdAtMs;
  const clock = { nowMs: () => nowMs };
  const handover = { leaseMs: (atMs: number) => atMs, accept: () => {} };
  const advance = createAdvance({
    database,
    clock,
    ids,
    handover,
    prepareCompleted: async () => undefined,
    onTransition: () => {},
  });
  const cancel = createCancelPayment({ database, clock, advance, wake: () => {} });
  let requests = 0;
  let known: OperatorAnswer = { kind: 'unknown', progress: 'NOT_FOUND' };
  const operator = {
    async requestDebit(): Promise<OperatorAnswer> {
      requests += 1;
      if (requests === 2) await cancel(tenantId, id);
      return { kind: 'unknown', progress: 'UNREACHABLE' };
    },
    askDebit: async () => known,
  } as unknown as Operator;
  const reversed: WrongDebit[] = [];
  const attend = createAttend({
    database,
    clock,
    timing,
    advance,
    operatorFor: () => operator,
    reschedule: createReschedule(database),
    reverse: async (_payment, debit) => {
      reversed.push(debit);
    },
  });
  const turn = async (laterMs: number) => {
    nowMs += laterMs;
    const leaseMs = nowMs + operatorTimeoutMs + 5_000;
    for (const due of await claimDuePayments(database, nowMs, leaseMs, 10)) {
      await attend.attend(due);
    }
  };

  await turn(0);
  await turn(20_000);
  assert.equal(requests, 2);
  // Asked at once, the operator has not got the second request yet; then it has.
  await turn(1_000);
  known = { kind: 'succeeded', operatorTxId: 'OP-1', amountMinor: payment.amountMinor };
  await turn(3_600_000);
  assert.deepEqual(
    reversed.map(({ reason }) => reason),
    ['LATE_DEBIT'],
  );
});

test('a debit of a payment that our books call unsent is booked, and it is not sent', async (context) => {
  const { database } = await testDatabase(context);
  const payment = examplePayment();
  const { tenantId, id, createdAtMs } = payment;
  const ids = randomIds();
  const given = { tenantId, id: ids.next(createdAtMs), objectId: id, sequence: 1, createdAtMs };
  const event = newEvent({ ...given, type: 'payment.created' }, paymentJson(payment));
  await insertPayments(database, [{ payment, event }], createdAtMs);
  const advance = createAdvance({
    database,
    clock: { nowMs: () => createdAtMs },
    ids,
    handover: noHandover,
    prepareCompleted: async () => undefined,
    onTransition: () => {},
  });
  const attend = createAttend({
    database,
    clock: { nowMs: () => createdAtMs },
    timing,
    advance,
    operatorFor: () => assert.fail('the operator is not asked for anything'),
    reschedule: createReschedule(database),
    reverse: () => assert.fail('the debit is good'),
  });
  const { amountMinor } = payment;
  const answer: OperatorAnswer = { kind: 'succeeded', operatorTxId: 'OP-1', amountMinor };
  for (let times = 0; times < 2; times++) {
    await attend.notice({ tenantId, reference: id, answer });
  }
  const now = await findPayment(database, tenantId, id);
  assert.equal(now?.status, 'DEBITED');
  assert.equal(now?.dueAtMs, null);
  assert.deepEqual(await checkLedger(database), []);
});

test('a process that was frozen before it could ask for the debit does not ask too late', async (context) => {
  const { database } = await testDatabase(context);
  const payment = examplePayment();
  const { tenantId, id, createdAtMs } = payment;
  const ids = randomIds();
  const given = { tenantId, id: ids.next(createdAtMs), objectId: id, sequence: 1, createdAtMs };
  const event = newEvent({ ...given, type: 'payment.created' }, paymentJson(payment));
  await insertPayments(database, [{ payment, event }], createdAtMs);
  let nowMs = createdAtMs;
  let frozenMs = 60_000;
  const clock = { nowMs: () => nowMs };
  const advanceNow = createAdvance({
    database,
    clock,
    ids,
    handover: noHandover,
    prepareCompleted: async () => undefined,
    onTransition: () => {},
  });
  let requests = 0;
  const unheard: OperatorAnswer = { kind: 'unknown', progress: 'NOT_FOUND' };
  const operator = {
    async requestDebit(): Promise<OperatorAnswer> {
      requests += 1;
      return { kind: 'unknown', progress: 'PENDING' };
    },
    askDebit: async () => unheard,
  } as unknown as Operator;
  const rescheduleNow = createReschedule(database);
  const attend = createAttend({
    database,
    clock,
    timing,
    // Between the commit and the request the process stands still.
    advance: async (...call) => {
      const advanced = await advanceNow(...call);
      nowMs += frozenMs;
      return advanced;
    },
    operatorFor: () => operator,
    reschedule: async (...call) => {
      const moved = await rescheduleNow(...call);
      nowMs += frozenMs;
      return moved;
    },
    reverse: () => assert.fail('nothing is debited'),
  });
  const turn = async () => {
    for (const due of await claimDuePayments(database, nowMs, nowMs + 15_000, 10)) {
      await attend.attend(due);
    }
  };
  await turn();
  // Meanwhile another may have asked, heard that the operator knows nothing, and believed it.
  assert.equal(requests, 0, 'when it is first sent');
  await turn();
  assert.equal(requests, 0, 'when it is sent again');
  frozenMs = 0;
  nowMs += 60_000;
  await turn();
  assert.equal(requests, 1);
});
