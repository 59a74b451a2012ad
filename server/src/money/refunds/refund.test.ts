import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleRefund } from '../../../test/support/refund.ts';
import type { DomainError } from '../../platform/errors/errors.ts';
import { paymentStatuses } from '../payments/payment.ts';
import { amountToRefund } from './refund.ts';
import { creationJson, refundJson } from './view.ts';

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as DomainError).code;
  }
  return 'allowed';
}

test('refunds only debited payments, and no more than the remainder', () => {
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

test('keeps the answer to the creation the same, whatever the refund becomes', () => {
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
  assert.equal(creationJson(now), refundJson(created));
});
