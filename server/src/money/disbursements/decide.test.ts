import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleDisbursement } from '../../../test/support/disbursement.ts';
import type {
  OperatorAnswer,
  Progress,
  ReportedSuccess,
} from '../../integrations/operators/operator.ts';
import { decideDisbursement } from './decide.ts';
import type { Disbursement } from './disbursement.ts';

const timing = {
  operatorTimeoutMs: 10_000,
  firstBackoffMs: 5_000,
  maxBackoffMs: 3_600_000,
  watchMs: 3 * 86_400_000,
};
const nowMs = Date.parse('2026-11-21T10:00:00.000Z');
const expiresAtMs = nowMs + 60_000;
const amountMinor = 4_000n;
const succeeded: OperatorAnswer = { kind: 'succeeded', operatorTxId: 'OP-9', amountMinor };
const another: OperatorAnswer = { ...succeeded, operatorTxId: 'OP-10' };
const short: OperatorAnswer = { ...succeeded, amountMinor: 3_999n };
const failed = (failureCode: (OperatorAnswer & { kind: 'failed' })['failureCode']) =>
  ({ kind: 'failed', failureCode }) as const;
const rejected = failed('OPERATOR_REJECTED');
const unknown = (progress: Progress): OperatorAnswer => ({ kind: 'unknown', progress });

const decisionOf = (
  change: Partial<Disbursement>,
  answer: OperatorAnswer,
  { atMs = nowMs, deduplicates = false, answersQueries = true } = {},
) =>
  decideDisbursement(
    exampleDisbursement({ amountMinor, expiresAtMs, createdAtMs: nowMs, ...change }),
    answer,
    atMs,
    timing,
    { deduplicates, answersQueries },
  );

/** The outcome, and the case for a person, if any. */
function of(change: Partial<Disbursement>, answer: OperatorAnswer) {
  const { outcome, review } = decisionOf(change, answer);
  return {
    ...(outcome && { outcome }),
    ...(review && { review: `${review.kind} ${review.about}` }),
  };
}

test('decides what an answer means for a disbursement under way', () => {
  for (const status of ['CREATED', 'PROCESSING'] as const) {
    const outcome = { to: 'SUCCEEDED', operatorTxId: 'OP-9' };
    assert.deepEqual(of({ status }, succeeded), { outcome });
    const review = { outcome, review: 'CONTRADICTION OP-9' };
    assert.deepEqual(of({ status }, short), review, 'another amount');
    const refused = { outcome: { to: 'FAILED', failureCode: 'OPERATOR_REJECTED' } };
    assert.deepEqual(of({ status }, rejected), refused);
  }
});

test('names a failure from the side of the recipient', () => {
  for (const [code, failureCode] of [
    ['PAYER_NOT_FOUND', 'PAYEE_NOT_FOUND'],
    ['PAYER_LIMIT_REACHED', 'PAYEE_LIMIT_REACHED'],
    // Our funds at the operator, not the merchant's.
    ['INSUFFICIENT_FUNDS', 'OPERATOR_UNAVAILABLE'],
    // Only a payer enters a PIN.
    ['PAYER_AUTH_FAILED', 'OPERATOR_REJECTED'],
  ] as const) {
    const expected = { outcome: { to: 'FAILED', failureCode } };
    assert.deepEqual(of({ status: 'PROCESSING' }, failed(code)), expected, code);
  }
});

test('never takes a success back, and asks a person about a different answer', () => {
  const done = { status: 'SUCCEEDED', operatorTxId: 'OP-9' } as const;
  assert.deepEqual(of(done, succeeded), {});
  assert.deepEqual(of(done, another), { review: 'CONTRADICTION OP-10' });
  assert.deepEqual(of(done, short), { review: 'CONTRADICTION OP-9' }, 'another amount');
  assert.deepEqual(of(done, rejected), { review: 'CONTRADICTION failed' });
  assert.deepEqual(of(done, unknown('NOT_FOUND')), {});
});

test('books a success after the end once, and shows it to a person', () => {
  for (const status of ['FAILED', 'CANCELLED'] as const) {
    const outcome = { to: status, operatorTxId: 'OP-9' };
    const review = 'CONTRADICTION OP-9';
    assert.deepEqual(of({ status }, succeeded), { outcome, review });
    assert.deepEqual(of({ status }, rejected), {});
    assert.deepEqual(of({ status, byHand: true }, succeeded), { review });
    const booked = { status, operatorTxId: 'OP-9' };
    assert.deepEqual(of(booked, succeeded), {});
    assert.deepEqual(of(booked, another), { review: 'CONTRADICTION OP-10' });
    assert.deepEqual(of(booked, rejected), { review: 'CONTRADICTION failed' });
    assert.deepEqual(decisionOf({ status }, unknown('NOT_FOUND')), {}, 'nobody asks any more');
  }
});

test('a person sees what our records say and what the operator says', () => {
  const booked = { status: 'SUCCEEDED', operatorTxId: 'OP-9', amountMinor: '4000', byHand: false };
  const done = { status: 'SUCCEEDED', operatorTxId: 'OP-9' } as const;
  const denied = { booked, told: { failureCode: 'OPERATOR_REJECTED' } };
  assert.deepEqual(decisionOf(done, rejected).review?.detail, denied);
  const less = { booked, told: { operatorTxId: 'OP-9', amountMinor: '3999' } };
  assert.deepEqual(decisionOf(done, short).review?.detail, less);
});

test('sends until it expires, and then gives up only what the operator does not know', () => {
  const created = { status: 'CREATED' } as const;
  const next = (progress: Progress, atMs: number) =>
    decisionOf(created, unknown(progress), { atMs }).next;
  assert.deepEqual(next('NOT_FOUND', nowMs), { kind: 'SEND' });
  assert.deepEqual(next('NOT_FOUND', expiresAtMs - 1), { kind: 'SEND' });
  assert.deepEqual(next('NOT_FOUND', expiresAtMs), { kind: 'NOT_RECEIVED' });
  assert.deepEqual(next('UNREACHABLE', nowMs), { kind: 'WAIT', dueAtMs: nowMs + 5_000 });
  const end = { kind: 'WAIT', dueAtMs: expiresAtMs };
  assert.deepEqual(next('UNREACHABLE', expiresAtMs - 1_000), end, 'asked again at its end');
  const after = { kind: 'WAIT', dueAtMs: expiresAtMs + 5_000 };
  assert.deepEqual(next('UNREACHABLE', expiresAtMs), after, 'the operator may still know it');
  const taken = { kind: 'TAKEN', dueAtMs: expiresAtMs + 5_000 };
  assert.deepEqual(next('PENDING', expiresAtMs), taken, 'a restore forgot that it was sent');
  const early = { kind: 'TAKEN', dueAtMs: expiresAtMs + 4_000 };
  assert.deepEqual(next('PENDING', expiresAtMs - 1_000), early, 'its end concerns it no more');
});

test('books no second success for a row that lost its transaction number', () => {
  const lost = { status: 'SUCCEEDED', operatorTxId: null } as const;
  assert.deepEqual(of(lost, succeeded), { review: 'CONTRADICTION OP-9' });
  assert.deepEqual(of(lost, rejected), { review: 'CONTRADICTION failed' });
});

test('fails nothing by a clock once it may have been sent', () => {
  const sent = { status: 'PROCESSING', sentAtMs: nowMs } as const;
  const watchEndMs = nowMs + timing.watchMs;
  for (const progress of ['NOT_FOUND', 'UNREACHABLE', 'PENDING'] as const) {
    const early = decisionOf(sent, unknown(progress), { atMs: expiresAtMs });
    assert.deepEqual(early.next, { kind: 'WAIT', dueAtMs: expiresAtMs + 5_000 }, progress);
    const late = decisionOf(sent, unknown(progress), { atMs: watchEndMs });
    assert.deepEqual(late.next, { kind: 'UNCLEAR' }, progress);
  }
});

test('sends again what an operator without duplicates does not find', () => {
  const sent = { status: 'PROCESSING', sentAtMs: nowMs } as const;
  const laterMs = nowMs + 3_600_000;
  const options = { atMs: laterMs, deduplicates: true };
  assert.deepEqual(decisionOf(sent, unknown('NOT_FOUND'), options).next, { kind: 'SEND' });
});

test('a person sees a success that does not match the request, unless it is the booked one', () => {
  const reported: ReportedSuccess = {
    operatorTxId: 'OP-9',
    amount: '1.520,00',
    currency: null,
    type: null,
    reference: null,
  };
  const unlike: OperatorAnswer = { kind: 'unknown', progress: 'MISMATCH', reported };
  const sent = { status: 'PROCESSING', sentAtMs: nowMs } as const;
  const { operatorTxId, ...words } = reported;
  const ours = { status: 'PROCESSING', operatorTxId: null, currency: 'CVE', amountMinor: '4000' };
  assert.deepEqual(decisionOf(sent, unlike), {
    next: { kind: 'WAIT', dueAtMs: nowMs + 5_000 },
    review: {
      kind: 'MISMATCH',
      about: 'OP-9',
      detail: {
        booked: ours,
        told: { transactionReference: operatorTxId, transactionStatus: 'succeeded', ...words },
      },
    },
  });
  assert.deepEqual(decisionOf({ status: 'SUCCEEDED', operatorTxId: 'OP-9' }, unlike), {});
});
