import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleRefund } from '../../../test/support/refund.ts';
import type { OperatorAnswer, ReportedSuccess } from '../../integrations/operators/operator.ts';
import { decideRefund } from './decide.ts';
import type { Refund } from './refund.ts';

const timing = {
  operatorTimeoutMs: 10_000,
  firstBackoffMs: 5_000,
  maxBackoffMs: 3_600_000,
  watchMs: 3 * 86_400_000,
};
const asked = { deduplicates: false, answersQueries: true };
const nowMs = Date.parse('2026-11-21T10:00:00.000Z');
const amountMinor = 4_000n;
const succeeded: OperatorAnswer = { kind: 'succeeded', operatorTxId: 'OP-9', amountMinor };
const another: OperatorAnswer = { ...succeeded, operatorTxId: 'OP-10' };
const short: OperatorAnswer = { ...succeeded, amountMinor: 3_999n };
const failed: OperatorAnswer = { kind: 'failed', failureCode: 'OPERATOR_REJECTED' };
const unknown: OperatorAnswer = { kind: 'unknown', progress: 'NOT_FOUND' };

/** The outcome, and the case for a person, if any. */
function of(change: Partial<Refund>, answer: OperatorAnswer) {
  const { outcome, review } = decideRefund(exampleRefund(change), answer, nowMs, timing, asked);
  return {
    ...(outcome && { outcome }),
    ...(review && { review: `${review.kind} ${review.about}` }),
  };
}

test('decides what an answer means for a refund in progress', () => {
  for (const status of ['PENDING', 'PROCESSING'] as const) {
    const outcome = { to: 'SUCCEEDED', operatorRefundId: 'OP-9' };
    assert.deepEqual(of({ status }, succeeded), { outcome });
    assert.deepEqual(of({ status }, failed), {
      outcome: { to: 'FAILED', failureCode: 'OPERATOR_REJECTED' },
    });
    assert.deepEqual(of({ status }, unknown), {});
    const review = { outcome, review: 'CONTRADICTION OP-9' };
    assert.deepEqual(of({ status }, short), review, 'another amount');
  }
});

test('never overwrites a success, and asks a person about a different answer', () => {
  const done = { status: 'SUCCEEDED', operatorRefundId: 'OP-9' } as const;
  assert.deepEqual(of(done, succeeded), {});
  assert.deepEqual(of(done, another), { review: 'CONTRADICTION OP-10' });
  assert.deepEqual(of(done, short), { review: 'CONTRADICTION OP-9' }, 'another amount');
  assert.deepEqual(of(done, failed), { review: 'CONTRADICTION failed' });
  assert.deepEqual(of(done, unknown), {});
  const operatorTxId = '6f0c2c1e-9a54-4c1f-8d43-0a1b2c3d4e5f';
  const inCapitals = { ...succeeded, operatorTxId: operatorTxId.toUpperCase() } as const;
  assert.deepEqual(of({ ...done, operatorRefundId: operatorTxId }, inCapitals), {});
});

test('books a success after FAILED once, and shows it to a person', () => {
  const outcome = { to: 'FAILED', operatorRefundId: 'OP-9' };
  const review = 'CONTRADICTION OP-9';
  assert.deepEqual(of({ status: 'FAILED' }, succeeded), { outcome, review });
  assert.deepEqual(of({ status: 'FAILED' }, failed), {});
  const booked = { status: 'FAILED', operatorRefundId: 'OP-9' } as const;
  assert.deepEqual(of(booked, succeeded), {});
  assert.deepEqual(of(booked, another), { review: 'CONTRADICTION OP-10' });
  assert.deepEqual(of(booked, failed), { review: 'CONTRADICTION failed' });
});

test('stops for a person at the first answer that differs from the recorded outcome', () => {
  const review = 'CONTRADICTION OP-9';
  assert.deepEqual(of({ status: 'FAILED', byHand: true }, succeeded), { review });
  assert.deepEqual(of({ status: 'FAILED', byHand: true }, failed), {});
  const given = { status: 'SUCCEEDED', operatorRefundId: 'OP-10', byHand: true } as const;
  assert.deepEqual(of(given, another), {});
  assert.deepEqual(of(given, succeeded), { review });
  assert.deepEqual(of(given, failed), { review: 'CONTRADICTION failed' });
});

test('a success stays even without the id of the operator', () => {
  const done = { status: 'SUCCEEDED' } as const;
  assert.deepEqual(of(done, succeeded), { review: 'CONTRADICTION OP-9' });
  assert.deepEqual(of(done, failed), { review: 'CONTRADICTION failed' });
});

const decisionOf = (change: Partial<Refund>, answer: OperatorAnswer) =>
  decideRefund(exampleRefund(change), answer, nowMs, timing, asked);

test('a person sees what our records say and what the operator says', () => {
  const booked = {
    status: 'SUCCEEDED',
    operatorRefundId: 'OP-9',
    amountMinor: '4000',
    byHand: false,
  };
  const done = { status: 'SUCCEEDED', operatorRefundId: 'OP-9' } as const;
  const failure = { booked, told: { failureCode: 'OPERATOR_REJECTED' } };
  const success = { booked, told: { operatorTxId: 'OP-9', amountMinor: '3999' } };
  assert.deepEqual(decisionOf(done, failed).review?.detail, failure);
  assert.deepEqual(decisionOf(done, short).review?.detail, success);
});

test('the gateway queries a refund without an outcome again, but only while it is in progress', () => {
  for (const status of ['PENDING', 'PROCESSING'] as const) {
    assert.deepEqual(decisionOf({ status }, unknown), { next: { kind: 'SEND' } });
    assert.deepEqual(decisionOf({ status, sentAtMs: nowMs }, unknown), {
      next: { kind: 'WAIT', dueAtMs: nowMs + 5_000 },
    });
  }
  for (const status of ['SUCCEEDED', 'FAILED'] as const) {
    assert.deepEqual(decisionOf({ status }, unknown), {});
  }
});

const reported: ReportedSuccess = {
  operatorTxId: 'OP-9',
  amount: '1.520,00',
  currency: null,
  type: null,
  reference: null,
};
const unlike: OperatorAnswer = { kind: 'unknown', progress: 'MISMATCH', reported };

test('a person sees a success that does not match the request, unless it is the booked one', () => {
  const { operatorTxId, ...words } = reported;
  const ours = { status: 'PROCESSING', operatorRefundId: null, currency: 'CVE' };
  assert.deepEqual(decisionOf({ status: 'PROCESSING', sentAtMs: nowMs }, unlike), {
    next: { kind: 'WAIT', dueAtMs: nowMs + 5_000 },
    review: {
      kind: 'MISMATCH',
      about: 'OP-9',
      detail: {
        booked: { ...ours, amountMinor: '4000' },
        told: { transactionReference: operatorTxId, transactionStatus: 'succeeded', ...words },
      },
    },
  });
  assert.deepEqual(decisionOf({ status: 'SUCCEEDED', operatorRefundId: 'OP-9' }, unlike), {});
});
