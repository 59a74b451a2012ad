import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OperatorAnswer } from '../operators/operator.ts';
import { type Decision, decide, nextAskMs, type PaymentTiming, requestLengthMs } from './decide.ts';
import { examplePayment } from './payment.fixture.ts';
import type { Payment, PaymentStatus } from './payment.ts';

const timing: PaymentTiming = {
  operatorTimeoutMs: 10_000,
  expiryGraceMs: 60_000,
  firstAskGapMs: 5_000,
  longestAskGapMs: 3_600_000,
};

const sentAtMs = Date.parse('2026-11-21T09:30:00.000Z');
const expiresAtMs = sentAtMs + 300_000;
const graceEndMs = expiresAtMs + timing.expiryGraceMs;
/** A request sent at `sentAtMs` is over from here on. */
const overMs = sentAtMs + requestLengthMs(timing) + 1;

const tx = 'OP-1';
const succeeded: OperatorAnswer = { kind: 'succeeded', operatorTxId: tx, amountMinor: 10_000n };
const anotherTx: OperatorAnswer = { ...succeeded, operatorTxId: 'OP-2' };
const wrongAmount: OperatorAnswer = { ...succeeded, amountMinor: 9_999n };
const failed: OperatorAnswer = { kind: 'failed', failureCode: 'INSUFFICIENT_FUNDS' };
const timedOut: OperatorAnswer = { kind: 'failed', failureCode: 'CONFIRMATION_TIMEOUT' };
const pending: OperatorAnswer = { kind: 'unknown', progress: 'PENDING' };
const prompted: OperatorAnswer = { kind: 'unknown', progress: 'PROMPTED' };
const notFound: OperatorAnswer = { kind: 'unknown', progress: 'NOT_FOUND' };
const unreachable: OperatorAnswer = { kind: 'unknown', progress: 'UNREACHABLE' };

const expired = { to: 'EXPIRED', failureCode: 'CONFIRMATION_TIMEOUT' } as const;
const debited: Decision = { to: 'DEBITED', operatorTxId: tx, dueAtMs: null };
const lateDebit = { reason: 'LATE_DEBIT', operatorTxId: tx, amountMinor: 10_000n } as const;
const wrongDebit = { reason: 'WRONG_AMOUNT', operatorTxId: tx, amountMinor: 9_999n } as const;

interface Row {
  given: PaymentStatus;
  answer: OperatorAnswer;
  atMs?: number;
  change?: Partial<Payment>;
  decision: Decision;
}

/** Each row: a payment that was sent, of this status, and what an answer at this instant leads to. */
function check(rows: Row[]): void {
  for (const { given, answer, atMs = sentAtMs + 60_000, change, decision } of rows) {
    const neverSent = given === 'CREATED';
    const payment = examplePayment({
      status: given,
      sentAtMs: neverSent ? null : sentAtMs,
      dueAtMs: sentAtMs + 15_000,
      expiresAtMs,
      ...change,
    });
    const seen = structuredClone(payment);
    const told = `${given}, ${JSON.stringify({ ...answer, amountMinor: undefined })}, at +${atMs - sentAtMs} ms`;
    assert.deepEqual(decide(payment, answer, atMs, timing), decision, told);
    assert.deepEqual(payment, seen, 'the payment itself is left alone');
  }
}

test('a debit of the right amount makes an open payment DEBITED, even after its expiry', () => {
  check([
    { given: 'OPERATOR_PENDING', answer: succeeded, decision: debited },
    { given: 'USER_CONFIRMING', answer: succeeded, decision: debited },
    { given: 'OPERATOR_PENDING', answer: succeeded, atMs: graceEndMs + 1, decision: debited },
    { given: 'USER_CONFIRMING', answer: succeeded, atMs: expiresAtMs, decision: debited },
  ]);
});

test('a definite failure makes an open payment FAILED with its reason, whenever it comes', () => {
  const decision: Decision = { to: 'FAILED', failureCode: 'INSUFFICIENT_FUNDS', dueAtMs: null };
  check([
    { given: 'CREATED', answer: failed, decision },
    { given: 'OPERATOR_PENDING', answer: failed, decision },
    { given: 'USER_CONFIRMING', answer: failed, decision },
    { given: 'USER_CONFIRMING', answer: failed, atMs: graceEndMs + 1, decision },
  ]);
});

test('that the customer did not confirm in time is EXPIRED, at once', () => {
  const decision: Decision = { ...expired, dueAtMs: null };
  check([
    { given: 'CREATED', answer: timedOut, decision },
    { given: 'OPERATOR_PENDING', answer: timedOut, decision },
    { given: 'USER_CONFIRMING', answer: timedOut, decision },
  ]);
});

test('a prompted customer makes a payment USER_CONFIRMING, once', () => {
  const dueAtMs = sentAtMs + 65_000;
  check([
    { given: 'OPERATOR_PENDING', answer: prompted, decision: { to: 'USER_CONFIRMING', dueAtMs } },
    { given: 'USER_CONFIRMING', answer: prompted, decision: { dueAtMs } },
    { given: 'CREATED', answer: prompted, decision: { dueAtMs } },
  ]);
});

test('an unknown outcome before the expiry is asked about again, at the expiry at the latest', () => {
  const rows = [pending, unreachable].flatMap((answer): Row[] => [
    { given: 'OPERATOR_PENDING', answer, decision: { dueAtMs: sentAtMs + 65_000 } },
    { given: 'USER_CONFIRMING', answer, decision: { dueAtMs: sentAtMs + 65_000 } },
    {
      given: 'USER_CONFIRMING',
      answer,
      change: { askCount: 3 },
      decision: { dueAtMs: sentAtMs + 100_000 },
    },
    {
      given: 'USER_CONFIRMING',
      answer,
      change: { askCount: 12 },
      decision: { dueAtMs: expiresAtMs },
    },
    {
      given: 'OPERATOR_PENDING',
      answer,
      atMs: expiresAtMs - 1,
      decision: { dueAtMs: expiresAtMs },
    },
  ]);
  check(rows);
});

test('what the operator does not know is sent again, but not while the request may be on its way', () => {
  check([
    {
      given: 'OPERATOR_PENDING',
      answer: notFound,
      atMs: overMs - 1,
      decision: { dueAtMs: overMs - 1 + 5_000 },
    },
    { given: 'OPERATOR_PENDING', answer: notFound, atMs: overMs, decision: { resend: true } },
    {
      given: 'OPERATOR_PENDING',
      answer: notFound,
      atMs: expiresAtMs - 1,
      decision: { resend: true },
    },
  ]);
});

test('what the operator does not know at the expiry is EXPIRED for good', () => {
  const decision: Decision = { ...expired, dueAtMs: null };
  check([
    { given: 'OPERATOR_PENDING', answer: notFound, atMs: expiresAtMs, decision },
    { given: 'USER_CONFIRMING', answer: notFound, atMs: graceEndMs + 1, decision },
  ]);
});

test('sent just before its expiry, what the operator does not know yet is waited for', () => {
  const change = { sentAtMs: expiresAtMs - 1 };
  const decision: Decision = { dueAtMs: expiresAtMs + 5_000 };
  check([{ given: 'OPERATOR_PENDING', answer: notFound, atMs: expiresAtMs, change, decision }]);
});

test('what is pending at the expiry is waited for a while, then EXPIRED, and watched on', () => {
  const rows = [pending, prompted, unreachable].flatMap((answer): Row[] => [
    {
      given: 'USER_CONFIRMING',
      answer,
      atMs: expiresAtMs,
      decision: { dueAtMs: expiresAtMs + 5_000 },
    },
    {
      given: 'OPERATOR_PENDING',
      answer,
      atMs: expiresAtMs,
      change: { askCount: 9 },
      decision: { dueAtMs: graceEndMs },
    },
    {
      given: 'OPERATOR_PENDING',
      answer,
      atMs: graceEndMs - 1,
      decision: { dueAtMs: graceEndMs },
    },
    {
      given: 'USER_CONFIRMING',
      answer,
      atMs: graceEndMs,
      decision: { ...expired, dueAtMs: graceEndMs + 5_000 },
    },
  ]);
  check(rows);
});

test('a debit of another amount is given back, and the payment goes on as if it were pending', () => {
  check([
    {
      given: 'OPERATOR_PENDING',
      answer: wrongAmount,
      decision: { dueAtMs: sentAtMs + 65_000, reverse: wrongDebit },
    },
    {
      given: 'USER_CONFIRMING',
      answer: wrongAmount,
      atMs: graceEndMs,
      decision: { ...expired, dueAtMs: graceEndMs + 5_000, reverse: wrongDebit },
    },
  ]);
});

test('a debit that comes to light after the end is given back, and the payment is done with', () => {
  const rows = (['CANCELLED', 'EXPIRED', 'FAILED'] as const).flatMap((given): Row[] => [
    { given, answer: succeeded, decision: { dueAtMs: null, reverse: lateDebit } },
    {
      given,
      answer: wrongAmount,
      change: { dueAtMs: null },
      decision: { dueAtMs: null, reverse: { ...wrongDebit, reason: 'LATE_DEBIT' } },
    },
  ]);
  check(rows);
});

test('an ended payment is watched until the operator is definite', () => {
  const rows = (['CANCELLED', 'EXPIRED'] as const).flatMap((given): Row[] => [
    { given, answer: pending, decision: { dueAtMs: sentAtMs + 65_000 } },
    { given, answer: prompted, decision: { dueAtMs: sentAtMs + 65_000 } },
    { given, answer: unreachable, decision: { dueAtMs: sentAtMs + 65_000 } },
    {
      given,
      answer: pending,
      atMs: graceEndMs + 86_400_000,
      change: { askCount: 20 },
      decision: { dueAtMs: graceEndMs + 86_400_000 + 3_600_000 },
    },
    {
      given,
      answer: notFound,
      atMs: overMs - 1,
      decision: { dueAtMs: overMs - 1 + 5_000 },
    },
    { given, answer: notFound, atMs: overMs, decision: { dueAtMs: null } },
    { given, answer: failed, decision: { dueAtMs: null } },
    { given, answer: timedOut, decision: { dueAtMs: null } },
  ]);
  check(rows);
});

test('a payment that nobody watches any more is not taken up again by a stray notice', () => {
  const change = { dueAtMs: null };
  check([
    { given: 'FAILED', answer: pending, change, decision: {} },
    { given: 'FAILED', answer: prompted, change, decision: {} },
    { given: 'CANCELLED', answer: unreachable, change, decision: {} },
  ]);
});

test('a success is never overwritten; only a second transaction means anything', () => {
  const change = { operatorTxId: tx, dueAtMs: null };
  const statuses = ['DEBITED', 'SETTLED', 'PARTIALLY_REFUNDED', 'REFUNDED'] as const;
  const rows = statuses.flatMap((given): Row[] => [
    ...[succeeded, failed, timedOut, pending, prompted, notFound, unreachable].map(
      (answer): Row => ({ given, answer, change, atMs: graceEndMs, decision: {} }),
    ),
    {
      given,
      answer: anotherTx,
      change,
      decision: { reverse: { ...lateDebit, operatorTxId: 'OP-2', reason: 'SECOND_DEBIT' } },
    },
  ]);
  check(rows);
});

test('the gaps between questions double, up to the longest', () => {
  const gaps = [0, 1, 2, 3, 9, 10, 31, 1_000].map(
    (askCount) => nextAskMs({ askCount }, sentAtMs, timing) - sentAtMs,
  );
  const seconds = [5, 10, 20, 40, 2_560, 3_600, 3_600, 3_600];
  assert.deepEqual(
    gaps,
    seconds.map((count) => count * 1_000),
  );
});
