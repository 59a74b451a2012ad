import assert from 'node:assert/strict';
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
  timing,
  unreachable,
  wrongAmount,
  wrongDebit,
} from '../../../test/support/decide.ts';
import { nextQueryMs } from '../../integrations/operators/query-schedule.ts';
import type { Decision } from './decide.ts';

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
  ]);
});

test('what our records call unsent and the operator has counts as sent from now', () => {
  const decision: Decision = { taken: true, dueAtMs: sentAtMs + 65_000 };
  const unsent = { sentAtMs: null };
  const rows = [pending, prompted].flatMap((answer): Row[] => [
    { given: 'CREATED', answer, decision },
    { given: 'OPERATOR_PENDING', answer, change: unsent, decision },
    { given: 'CANCELLED', answer, change: unsent, decision },
  ]);
  check(rows);
});

test('what was never sent is sent once the operator says that it does not know it', () => {
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

test('what was never sent waits while the operator cannot say whether it knows it', () => {
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

test('an unknown outcome before the expiry is asked about again, at the expiry at the latest', () => {
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

test('only an operator that deduplicates is sent a debit again, and not while the first may be on its way', () => {
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

test('what the operator does not know at the expiry is EXPIRED, and watched on', () => {
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

test('the intervals between questions double, up to the longest', () => {
  const intervals = [0, 1, 2, 3, 9, 10, 31, 1_000].map(
    (queryCount) => nextQueryMs({ queryCount }, sentAtMs, timing) - sentAtMs,
  );
  const seconds = [5, 10, 20, 40, 2_560, 3_600, 3_600, 3_600];
  assert.deepEqual(
    intervals,
    seconds.map((count) => count * 1_000),
  );
});
