import { test } from 'node:test';
import {
  check,
  deduplicating,
  expired,
  expiresAtMs,
  failed,
  graceEndMs,
  notFound,
  pending,
  type Row,
  sentAtMs,
  timedOut,
  tx,
  unreachable,
  watchEndMs,
} from '../../../test/support/decide.ts';
import { examplePayment } from '../../../test/support/payment.ts';
import type { OperatorAnswer } from '../../integrations/operators/operator.ts';
import type { Decision } from './decide.ts';
import type { Payment, PaymentStatus } from './payment.ts';

const words = { amount: '1.520,00', currency: null, type: null, reference: null };
const reported = { operatorTxId: tx, ...words };
/** The operator reports a success, but of an amount that nobody can read. */
const unlike: OperatorAnswer = { kind: 'unknown', progress: 'MISMATCH', reported };
/** It reports a success whose transaction the gateway could not read just now. */
const unread: OperatorAnswer = { kind: 'unknown', progress: 'UNREACHABLE', reported };

const open = ['OPERATOR_PENDING', 'USER_CONFIRMING'] as const;
const closed = ['CANCELLED', 'EXPIRED', 'FAILED'] as const;
const debitedStatuses = ['DEBITED', 'SETTLED', 'PARTIALLY_REFUNDED', 'REFUNDED'] as const;

/** What a person sees of such a success: our records, and the operator's words. */
const mismatch = (status: PaymentStatus, { operatorTxId = null }: Partial<Payment> = {}) => ({
  kind: 'MISMATCH' as const,
  about: tx,
  detail: {
    booked: { status, operatorTxId, currency: 'CVE', amountMinor: '10000' },
    told: { transactionReference: tx, transactionStatus: 'succeeded', ...words },
  },
});

test('a success that does not match the request goes to a person, and the gateway keeps asking', () => {
  const rows = [...open, ...closed].map((given): Row => {
    const review = mismatch(given);
    const decision: Decision = { dueAtMs: sentAtMs + 65_000, review, mismatched: true };
    return { given, answer: unlike, decision };
  });
  const taken: Decision = { taken: true, dueAtMs: sentAtMs + 65_000 };
  const review = mismatch('CREATED');
  check([
    ...rows,
    { given: 'CREATED', answer: unlike, decision: { ...taken, review, mismatched: true } },
  ]);
});

test('until a person has cleared up such a success, the payment does not expire while it is watched', () => {
  const change = { mismatched: true };
  const atMs = graceEndMs + 1;
  const rows = open.flatMap((given): Row[] => [
    {
      given,
      answer: unlike,
      atMs,
      decision: { dueAtMs: atMs + 5_000, review: mismatch(given), mismatched: true },
    },
    ...[pending, unreachable, notFound].map(
      (answer): Row => ({ given, answer, atMs, change, decision: { dueAtMs: atMs + 5_000 } }),
    ),
    {
      given,
      answer: pending,
      atMs: watchEndMs - 1,
      change: { ...change, queryCount: 40 },
      decision: { dueAtMs: watchEndMs },
    },
    {
      given,
      answer: pending,
      atMs: watchEndMs,
      change,
      decision: { ...expired, dueAtMs: watchEndMs + 5_000 },
    },
  ]);
  check(rows);
});

test('after such a success, the gateway does not send the debit again', () => {
  const change = { mismatched: true };
  const atMs = sentAtMs + 60_000;
  const dueAtMs = atMs + 5_000;
  check([
    { given: 'CREATED', answer: notFound, change, decision: { taken: true, dueAtMs } },
    { given: 'CREATED', answer: unreachable, change, decision: { taken: true, dueAtMs } },
    {
      given: 'OPERATOR_PENDING',
      answer: notFound,
      change,
      traits: deduplicating,
      decision: { dueAtMs },
    },
  ]);
});

test('before the expiry, a success that the gateway could not read may still become readable', () => {
  const seen = { mismatched: true as const };
  const rows = open.flatMap((given): Row[] => [
    { given, answer: unread, decision: { dueAtMs: sentAtMs + 65_000, ...seen } },
    { given, answer: unread, atMs: expiresAtMs - 1, decision: { dueAtMs: expiresAtMs, ...seen } },
    {
      given,
      answer: unread,
      atMs: expiresAtMs,
      decision: { dueAtMs: expiresAtMs + 5_000, review: mismatch(given), ...seen },
    },
  ]);
  const ended = closed.map((given): Row => {
    const review = mismatch(given);
    return { given, answer: unread, decision: { dueAtMs: sentAtMs + 65_000, review, ...seen } };
  });
  check([...rows, ...ended]);
});

/** What a person sees of a failure after such a success. */
function contradiction(status: PaymentStatus, answer: OperatorAnswer) {
  const booked = { status, operatorTxId: null, amountMinor: '10000', byHand: false };
  return { kind: 'CONTRADICTION' as const, about: 'failed', detail: { booked, told: answer } };
}

test('a failure after such a success ends nothing, and a person sees it', () => {
  const change = { mismatched: true };
  const rows = [failed, timedOut].flatMap((answer) =>
    [...open, ...closed].map((given): Row => {
      const review = contradiction(given, answer);
      return { given, answer, change, decision: { dueAtMs: sentAtMs + 65_000, review } };
    }),
  );
  const unwatched = closed.map((given): Row => {
    const decision = { dueAtMs: null, review: contradiction(given, failed) };
    return { given, answer: failed, change: { ...change, dueAtMs: null }, decision };
  });
  check([...rows, ...unwatched]);
});

test('a failure after such a success shows that the operator has an ended request that was never sent', () => {
  const change = { mismatched: true, sentAtMs: null };
  const rows = closed.map((given): Row => {
    const review = contradiction(given, failed);
    const decision: Decision = { taken: true, dueAtMs: sentAtMs + 65_000, review };
    return { given, answer: failed, change, decision };
  });
  check(rows);
});

test('once a person has cleared up such a success, a failure counts', () => {
  const change = { mismatched: true, byHand: true };
  const failure: Decision = { to: 'FAILED', failureCode: 'INSUFFICIENT_FUNDS', dueAtMs: null };
  check([
    ...open.map((given): Row => ({ given, answer: failed, change, decision: failure })),
    ...closed.map((given): Row => ({ given, answer: failed, change, decision: { dueAtMs: null } })),
  ]);
});

test('at the end of the watch, a payment with such a success is unclear unless it is debited', () => {
  const rows = closed.flatMap((given): Row[] => {
    const unclear = (lastAnswer: string): Decision => {
      const detail = { status: given, lastAnswer };
      return { dueAtMs: null, review: { kind: 'UNCLEAR', about: String(sentAtMs), detail } };
    };
    const change = { mismatched: true };
    const atMs = watchEndMs;
    return [
      { given, answer: unlike, atMs, decision: unclear('MISMATCH') },
      { given, answer: failed, atMs, change, decision: unclear('PENDING') },
      ...(given === 'FAILED'
        ? []
        : [{ given, answer: notFound, atMs, change, decision: unclear('NOT_FOUND') }]),
    ];
  });
  check(rows);
});

test('a debited payment stays as it is, and a person sees a success of another transaction', () => {
  const change = { operatorTxId: 'OP-7', dueAtMs: null };
  const nothing = { dueAtMs: null };
  const unnamed: OperatorAnswer = { ...unlike, reported: { ...reported, operatorTxId: '' } };
  const rows = debitedStatuses.flatMap((given): Row[] => [
    {
      given,
      answer: unlike,
      change,
      decision: { ...nothing, review: mismatch(given, change) },
    },
    { given, answer: unlike, change: { ...change, operatorTxId: tx }, decision: nothing },
    { given, answer: unnamed, change, decision: nothing },
  ]);
  check(rows);
});

test('a person sees that a debit which was booked without an id failed', () => {
  const change = { operatorTxId: null, dueAtMs: null, byHand: true };
  const detail = {
    booked: { status: 'DEBITED', operatorTxId: null, amountMinor: '10000', byHand: true },
    told: { ...failed, operatorTxId: null, listedAs: 'FAILED' },
    reserved: { paymentId: examplePayment().id, amountMinor: '10000' },
  };
  const review = { kind: 'CONTRADICTION' as const, about: '', detail };
  check([{ given: 'DEBITED', answer: failed, change, decision: { dueAtMs: null, review } }]);
});

test('a payment that failed is watched while the operator still has its request', () => {
  check([{ given: 'FAILED', answer: pending, decision: { dueAtMs: sentAtMs + 65_000 } }]);
});
