import { test } from 'node:test';
import {
  asked,
  check,
  debited,
  deduplicating,
  expired,
  expiresAtMs,
  failed,
  graceEndMs,
  notFound,
  notSent,
  overMs,
  pending,
  prompted,
  type Row,
  sentAtMs,
  succeeded,
  timedOut,
  unreachable,
  wrongAmount,
  wrongDebit,
} from '../../../test/support/decide.ts';
import type { Decision } from './decide.ts';

test('makes an open payment DEBITED by a debit of the right amount, even after its expiry', () => {
  check([
    { given: 'OPERATOR_PENDING', answer: succeeded, decision: debited },
    { given: 'USER_CONFIRMING', answer: succeeded, decision: debited },
    { given: 'OPERATOR_PENDING', answer: succeeded, atMs: graceEndMs + 1, decision: debited },
    { given: 'USER_CONFIRMING', answer: succeeded, atMs: expiresAtMs, decision: debited },
  ]);
});

test('makes an open payment FAILED with its reason by a definite failure at any time', () => {
  const decision: Decision = { to: 'FAILED', failureCode: 'INSUFFICIENT_FUNDS', dueAtMs: null };
  check([
    { given: 'CREATED', answer: failed, decision },
    { given: 'OPERATOR_PENDING', answer: failed, decision },
    { given: 'USER_CONFIRMING', answer: failed, decision },
    { given: 'USER_CONFIRMING', answer: failed, atMs: graceEndMs + 1, decision },
  ]);
});

test('expires a payment at once if the customer did not confirm in time', () => {
  const decision: Decision = { ...expired, dueAtMs: null };
  check([
    { given: 'CREATED', answer: timedOut, decision },
    { given: 'OPERATOR_PENDING', answer: timedOut, decision },
    { given: 'USER_CONFIRMING', answer: timedOut, decision },
  ]);
});

test('makes a payment USER_CONFIRMING once when the customer is prompted', () => {
  const dueAtMs = sentAtMs + 65_000;
  check([
    { given: 'OPERATOR_PENDING', answer: prompted, decision: { to: 'USER_CONFIRMING', dueAtMs } },
    { given: 'USER_CONFIRMING', answer: prompted, decision: { dueAtMs } },
  ]);
});

test('counts an unsent payment that the operator has as sent from now', () => {
  const decision: Decision = { taken: true, dueAtMs: sentAtMs + 65_000 };
  const unsent = { sentAtMs: null };
  const rows = [pending, prompted].flatMap((answer): Row[] => [
    { given: 'CREATED', answer, decision },
    { given: 'OPERATOR_PENDING', answer, change: unsent, decision },
    { given: 'CANCELLED', answer, change: unsent, decision },
  ]);
  check(rows);
});

test('sends an unsent payment once the operator does not know it', () => {
  const unsent = { sentAtMs: null };
  const rows = [asked, deduplicating].flatMap((traits): Row[] => [
    { given: 'CREATED', answer: notFound, traits, decision: { send: true } },
    {
      given: 'OPERATOR_PENDING',
      answer: notFound,
      change: unsent,
      traits,
      decision: { send: true },
    },
    {
      given: 'CREATED',
      answer: notFound,
      atMs: expiresAtMs,
      traits,
      decision: { ...expired, dueAtMs: null },
    },
  ]);
  check(rows);
});

test('waits with an unsent payment while the operator cannot say whether it knows it', () => {
  const rows = [unreachable, notSent].flatMap((answer): Row[] => [
    { given: 'CREATED', answer, decision: { dueAtMs: sentAtMs + 65_000 } },
    { given: 'CREATED', answer, atMs: expiresAtMs - 1, decision: { dueAtMs: expiresAtMs } },
    {
      given: 'CREATED',
      answer,
      atMs: expiresAtMs,
      decision: { ...expired, dueAtMs: expiresAtMs + 5_000 },
    },
  ]);
  check(rows);
});

test('queries an unknown outcome again, at the expiry at the latest', () => {
  const rows = [pending, unreachable, notSent, notFound].flatMap((answer): Row[] => [
    { given: 'OPERATOR_PENDING', answer, decision: { dueAtMs: sentAtMs + 65_000 } },
    { given: 'USER_CONFIRMING', answer, decision: { dueAtMs: sentAtMs + 65_000 } },
    {
      given: 'USER_CONFIRMING',
      answer,
      change: { queryCount: 3 },
      decision: { dueAtMs: sentAtMs + 100_000 },
    },
    {
      given: 'USER_CONFIRMING',
      answer,
      change: { queryCount: 12 },
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

test('resends a debit only to an operator that deduplicates, and not while the first may be on its way', () => {
  const given = 'OPERATOR_PENDING';
  const answer = notFound;
  const traits = deduplicating;
  check([
    { given, answer, atMs: overMs - 1, traits, decision: { dueAtMs: overMs - 1 + 5_000 } },
    { given, answer, atMs: overMs, traits, decision: { send: true } },
    { given, answer, atMs: expiresAtMs - 1, traits, decision: { send: true } },
    { given, answer, atMs: overMs, decision: { dueAtMs: overMs + 5_000 } },
    { given, answer, atMs: expiresAtMs - 1, decision: { dueAtMs: expiresAtMs } },
  ]);
});

test('expires a payment that the operator does not know at the expiry, and watches it on', () => {
  check([
    {
      given: 'OPERATOR_PENDING',
      answer: notFound,
      atMs: expiresAtMs,
      decision: { ...expired, dueAtMs: expiresAtMs + 5_000 },
    },
    {
      given: 'USER_CONFIRMING',
      answer: notFound,
      atMs: graceEndMs + 1,
      decision: { ...expired, dueAtMs: graceEndMs + 1 + 5_000 },
    },
  ]);
});

test('waits for a payment sent just before its expiry that the operator does not know yet', () => {
  const change = { sentAtMs: expiresAtMs - 1 };
  const decision: Decision = { dueAtMs: expiresAtMs + 5_000 };
  check([{ given: 'OPERATOR_PENDING', answer: notFound, atMs: expiresAtMs, change, decision }]);
});

test('waits a while for a payment that is pending at the expiry, then expires it and watches it on', () => {
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
      change: { queryCount: 9 },
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

test('returns a debit of another amount, and goes on as if the payment were pending', () => {
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
