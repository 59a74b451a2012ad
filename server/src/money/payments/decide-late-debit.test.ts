import { test } from 'node:test';
import {
  anotherTx,
  check,
  failed,
  graceEndMs,
  lateDebit,
  notFound,
  notSent,
  overMs,
  pending,
  prompted,
  type Row,
  sentAtMs,
  silent,
  succeeded,
  timedOut,
  tx,
  unreachable,
  watchEndMs,
  wrongAmount,
  wrongDebit,
} from '../../../test/support/decide.ts';
import { examplePayment } from '../../../test/support/payment.ts';
import type { Decision } from './decide.ts';
import type { Payment, PaymentStatus } from './payment.ts';

test('returns a debit that comes to light after the end, and closes the payment', () => {
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

test('watches an ended payment until the operator is definite', () => {
  const rows = (['CANCELLED', 'EXPIRED'] as const).flatMap((given): Row[] => [
    { given, answer: pending, decision: { dueAtMs: sentAtMs + 65_000 } },
    { given, answer: prompted, decision: { dueAtMs: sentAtMs + 65_000 } },
    { given, answer: unreachable, decision: { dueAtMs: sentAtMs + 65_000 } },
    {
      given,
      answer: pending,
      atMs: graceEndMs + 86_400_000,
      change: { queryCount: 20 },
      decision: { dueAtMs: graceEndMs + 86_400_000 + 3_600_000 },
    },
    {
      given,
      answer: notFound,
      atMs: overMs - 1,
      decision: { dueAtMs: overMs - 1 + 5_000 },
    },
    { given, answer: notFound, atMs: overMs, decision: { dueAtMs: overMs + 5_000 } },
    {
      given,
      answer: notFound,
      atMs: watchEndMs - 1,
      change: { queryCount: 40 },
      decision: { dueAtMs: watchEndMs },
    },
    { given, answer: failed, decision: { dueAtMs: null } },
    { given, answer: timedOut, decision: { dueAtMs: null } },
  ]);
  check(rows);
});

test('marks an unknown payment as not received at the end of the watch, and leaves the rest to a person', () => {
  const rows = (['CANCELLED', 'EXPIRED'] as const).flatMap((given): Row[] => [
    { given, answer: notFound, atMs: watchEndMs, decision: { dueAtMs: null, notReceived: true } },
    {
      given,
      answer: notFound,
      atMs: watchEndMs,
      traits: silent,
      decision: unclear(given, 'NOT_FOUND'),
    },
    { given, answer: pending, atMs: watchEndMs, decision: unclear(given, 'PENDING') },
    { given, answer: prompted, atMs: watchEndMs, decision: unclear(given, 'PROMPTED') },
    { given, answer: unreachable, atMs: watchEndMs, decision: unclear(given, 'UNREACHABLE') },
    { given, answer: notSent, atMs: watchEndMs, decision: unclear(given, 'NOT_SENT') },
  ]);
  check(rows);
});

function unclear(status: PaymentStatus, lastAnswer: string): Decision {
  const about = String(sentAtMs);
  return { dueAtMs: null, review: { kind: 'UNCLEAR', about, detail: { status, lastAnswer } } };
}

test('accepts "not found" for a payment that was never sent or that failed for a reason', () => {
  const decision: Decision = { dueAtMs: null };
  check([
    { given: 'CANCELLED', answer: notFound, change: { sentAtMs: null }, decision },
    { given: 'EXPIRED', answer: notFound, change: { sentAtMs: null }, decision },
    { given: 'FAILED', answer: notFound, decision },
  ]);
});

test('watches an abandoned payment again once the operator has the request', () => {
  const change = { dueAtMs: null };
  const rows = (['CANCELLED', 'EXPIRED', 'FAILED'] as const).flatMap((given): Row[] => [
    { given, answer: pending, change, decision: { taken: true, dueAtMs: sentAtMs + 65_000 } },
    { given, answer: prompted, change, decision: { taken: true, dueAtMs: sentAtMs + 65_000 } },
    { given, answer: notFound, change, decision: { dueAtMs: null } },
    { given, answer: unreachable, change, decision: { dueAtMs: null } },
  ]);
  check(rows);
});

/** What a person sees: our records, and the operator's answer. */
function contradiction(booked: Partial<Payment>, told: object, about: string): Decision {
  const { amountMinor = 10_000n, operatorTxId = null, byHand = false, status } = booked;
  const detail = {
    booked: { status, operatorTxId, amountMinor: amountMinor.toString(), byHand },
    told,
  };
  return { dueAtMs: null, review: { kind: 'CONTRADICTION', about, detail } };
}

/** The same for the booked debit, which must not be refunded meanwhile. */
function failedDebit(booked: Partial<Payment>, answer: object): Decision {
  const told = { ...answer, operatorTxId: tx, listedAs: 'FAILED' };
  const { review, ...decision } = contradiction(booked, told, tx);
  const reserved = { paymentId: examplePayment().id, amountMinor: '10000' };
  return { ...decision, review: { ...review!, detail: { ...review!.detail, reserved } } };
}

const debitedStatuses = ['DEBITED', 'SETTLED', 'PARTIALLY_REFUNDED', 'REFUNDED'] as const;

test('never overwrites a success: returns a second transaction, and asks a person about a different answer', () => {
  const change = { operatorTxId: tx, dueAtMs: null };
  const rows = debitedStatuses.flatMap((status): Row[] => [
    ...[succeeded, pending, prompted, notFound, unreachable].map(
      (answer): Row => ({
        given: status,
        answer,
        change,
        atMs: graceEndMs,
        decision: { dueAtMs: null },
      }),
    ),
    {
      given: status,
      answer: anotherTx,
      change,
      decision: {
        dueAtMs: null,
        reverse: { ...lateDebit, operatorTxId: 'OP-2', reason: 'SECOND_DEBIT' },
      },
    },
    ...[failed, timedOut].map(
      (answer): Row => ({
        given: status,
        answer,
        change,
        decision: failedDebit({ ...change, status }, answer),
      }),
    ),
    {
      given: status,
      answer: wrongAmount,
      change,
      decision: contradiction(
        { ...change, status },
        { ...wrongAmount, amountMinor: '9999' },
        'OP-1 9999',
      ),
    },
  ]);
  check(rows);
});

test('treats a UUID in capitals as the same transaction, which does not go back', () => {
  const operatorTxId = '6f0c2c1e-9a54-4c1f-8d43-0a1b2c3d4e5f';
  const inCapitals = operatorTxId.toUpperCase();
  const answer = { ...succeeded, operatorTxId: inCapitals } as const;
  const change = { operatorTxId, dueAtMs: null };
  check(debitedStatuses.map((given) => ({ given, answer, change, decision: { dueAtMs: null } })));
});

test('stops for a person at the first answer that differs from the recorded outcome', () => {
  const resolved = { operatorTxId: tx, dueAtMs: null, byHand: true };
  const told = { ...anotherTx, amountMinor: '10000' };
  const rows = debitedStatuses.flatMap((status): Row[] => [
    { given: status, answer: succeeded, change: resolved, decision: { dueAtMs: null } },
    {
      given: status,
      answer: anotherTx,
      change: resolved,
      decision: contradiction({ ...resolved, status }, told, 'OP-2 10000'),
    },
  ]);
  check(rows);
  const closed = (['CANCELLED', 'EXPIRED', 'FAILED'] as const).flatMap((status): Row[] => [
    { given: status, answer: failed, change: { byHand: true }, decision: { dueAtMs: null } },
    {
      given: status,
      answer: anotherTx,
      change: { byHand: true },
      decision: contradiction({ status, byHand: true }, told, 'OP-2 10000'),
    },
  ]);
  check(closed);
});
