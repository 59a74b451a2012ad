import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OperatorAnswer } from '../operators/operator.ts';
import { paymentStatuses } from '../payments/payment.ts';
import type { DomainError } from '../platform/errors.ts';
import { exampleRefund } from './refund.fixture.ts';
import { allows, amountToRefund, outcomeOf, refundStatuses } from './refund.ts';
import { createdRefund, refundJson } from './view.ts';

test('the table of statuses', () => {
  const allowed = refundStatuses.flatMap((from) =>
    refundStatuses.filter((to) => allows(from, to)).map((to) => `${from} ${to}`),
  );
  assert.deepEqual(allowed, [
    'PENDING PROCESSING',
    'PROCESSING PROCESSING',
    'PROCESSING SUCCEEDED',
    'PROCESSING FAILED',
    'FAILED FAILED',
  ]);
});

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as DomainError).code;
  }
  return 'allowed';
}

test('only what was debited can be refunded, and no more than is left of it', () => {
  const codes = Object.fromEntries(
    paymentStatuses.map((status) => {
      const refundReservedMinor = status === 'REFUNDED' ? 100n : 30n;
      const payment = { status, amountMinor: 100n, refundReservedMinor };
      return [status, codeOf(() => amountToRefund(payment, 70n))];
    }),
  );
  assert.deepEqual(codes, {
    CREATED: 'INVALID_STATE',
    OPERATOR_PENDING: 'INVALID_STATE',
    USER_CONFIRMING: 'INVALID_STATE',
    DEBITED: 'allowed',
    SETTLED: 'allowed',
    FAILED: 'INVALID_STATE',
    EXPIRED: 'INVALID_STATE',
    REFUNDED: 'REFUND_EXCEEDS_PAYMENT',
    PARTIALLY_REFUNDED: 'allowed',
    CANCELLED: 'INVALID_STATE',
  });
  const payment = { status: 'DEBITED', amountMinor: 100n, refundReservedMinor: 30n } as const;
  assert.equal(amountToRefund(payment, null), 70n, 'without an amount, all that is left');
  assert.throws(() => amountToRefund(payment, 71n), /must be at most 70/);
  const used = { ...payment, refundReservedMinor: 100n };
  assert.throws(() => amountToRefund(used, null), /Nothing of this payment is left/);
});

test('what an answer makes of a refund', () => {
  const succeeded: OperatorAnswer = { kind: 'succeeded', operatorTxId: 'OP-9', amountMinor: 1n };
  const failed: OperatorAnswer = { kind: 'failed', failureCode: 'OPERATOR_REJECTED' };
  const unknown: OperatorAnswer = { kind: 'unknown', progress: 'NOT_FOUND' };
  const of = (change: Parameters<typeof exampleRefund>[0]) =>
    [succeeded, failed, unknown].map((answer) => outcomeOf(exampleRefund(change), answer));
  assert.deepEqual(of({ status: 'PENDING' }), [undefined, undefined, undefined]);
  assert.deepEqual(of({ status: 'PROCESSING' }), [
    { to: 'SUCCEEDED', operatorRefundId: 'OP-9' },
    { to: 'FAILED', failureCode: 'OPERATOR_REJECTED' },
    undefined,
  ]);
  assert.deepEqual(of({ status: 'SUCCEEDED' }), [undefined, undefined, undefined]);
  const late = { to: 'FAILED', operatorRefundId: 'OP-9' };
  assert.deepEqual(of({ status: 'FAILED' }), [late, undefined, undefined]);
  const booked = of({ status: 'FAILED', operatorRefundId: 'OP-9' });
  assert.deepEqual(booked, [undefined, undefined, undefined]);
});

test('the answer to the creation is the same whatever the refund has become', () => {
  const created = exampleRefund({ metadata: '{"b":1,"a":2}', reason: 'devolução' });
  const now = exampleRefund({
    ...created,
    version: 3,
    status: 'FAILED',
    operatorRefundId: 'OP-9',
    failureCode: 'OPERATOR_REJECTED',
    failureMessage: 'x',
    updatedAtMs: created.createdAtMs + 5,
  });
  assert.equal(refundJson(createdRefund(now)), refundJson(created));
});
