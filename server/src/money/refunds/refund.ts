import type { FailureCode, OperatorName } from '../../integrations/operators/operator.ts';
import {
  invalidState,
  refundExceedsPayment,
  refundUnexplained,
} from '../../platform/errors/errors.ts';
import type { Currency } from '../../platform/values/money.ts';
import type { Transitions } from '../../platform/values/transitions.ts';
import { isClosedWithoutDebit, isOpen, type PaymentStatus } from '../payments/payment.ts';

export const refundStatuses = ['PENDING', 'PROCESSING', 'SUCCEEDED', 'FAILED'] as const;
export type RefundStatus = (typeof refundStatuses)[number];

/** All or part of a debit on its way back to the customer; its id is the reference at the operator. */
export interface Refund {
  tenantId: string;
  id: string;
  paymentId: string;
  /** Of the payment: what the merchant calls the order. */
  externalId: string | null;
  /** Of the payment: the session that it paid. */
  checkoutSessionId: string | null;
  /** Counts transitions; every transition is a compare-and-set on it. */
  version: number;
  status: RefundStatus;
  amountMinor: bigint;
  currency: Currency;
  operator: OperatorName;
  /** The operator's transaction id of the debit that is returned. */
  operatorTxId: string;
  /** The operator's transaction id of the refund; on a FAILED refund, the sign that it succeeded after all. */
  operatorRefundId: string | null;
  reason: string | null;
  failureCode: FailureCode | null;
  failureMessage: string | null;
  /** JSON text, kept as text because jsonb would reorder its keys. */
  metadata: string | null;
  idempotencyKey: string | null;
  requestHash: Buffer | null;
  /** The API key that created it; null if older than this column. */
  createdByKey: string | null;
  /** The version of the fields in the answer to its creation (view.ts). */
  rendering: number;
  /** How often the operator was queried about the outcome. */
  queryCount: number;
  /** When it is due to be processed; while it is processed, the end of the lease. */
  dueAtMs: number | null;
  /** Since when a request for the refund may have left; null if none can have. */
  sentAtMs: number | null;
  /** A person recorded the outcome; the operator's first different answer also goes to a person. */
  byHand: boolean;
  createdAtMs: number;
  updatedAtMs: number;
}

/**
 * The allowed transitions of a refund (docs/payment-states.md). FAILED stays FAILED when the refund turns out to have
 * succeeded.
 */
export const refundTransitions: Transitions<RefundStatus> = {
  PENDING: ['PROCESSING'],
  PROCESSING: ['SUCCEEDED', 'FAILED'],
  SUCCEEDED: [],
  FAILED: ['FAILED'],
};

/** The data needed of a payment before it can be refunded. */
export interface RefundablePayment {
  status: PaymentStatus;
  amountMinor: bigint;
  /** The sum of pending and succeeded refunds, with amounts that the operator returned beside them. */
  refundReservedMinor: bigint;
  /** The part of it that the operator returned after a refund had FAILED, or for no refund in the ledger. */
  lateRefundMinor?: bigint;
  /**
   * The part of that which the operator returned for no refund in the ledger, and which no person has explained yet.
   */
  unexplainedMinor?: bigint;
}

/**
 * The amount of a new refund in minor units: the requested amount, or the whole remainder.
 * @throws INVALID_STATE the payment is not debited, or a return of it that the ledger lacks waits for a person: that
 * may be the requested refund itself, lost by a restore
 * @throws REFUND_EXCEEDS_PAYMENT nothing, or too little, is left
 */
export function amountToRefund(payment: RefundablePayment, wantedMinor: bigint | null): bigint {
  const { status, amountMinor, refundReservedMinor } = payment;
  const { lateRefundMinor = 0n, unexplainedMinor = 0n } = payment;
  if (isOpen(status) || isClosedWithoutDebit(status)) {
    throw invalidState(`A payment that is ${status} cannot be refunded: it is not debited.`);
  }
  const leftMinor = amountMinor - refundReservedMinor;
  const refundMinor = wantedMinor ?? leftMinor;
  if (refundMinor <= 0n || refundMinor > leftMinor) {
    throw refundExceedsPayment(leftMinor, lateRefundMinor);
  }
  if (unexplainedMinor > 0n) throw refundUnexplained(unexplainedMinor);
  return refundMinor;
}
