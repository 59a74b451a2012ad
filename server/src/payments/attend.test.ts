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
