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

/** A debit, or a part of it, on its way back to the customer; its id is the reference at the operator. */
export interface Refund {
  tenantId: string;
  id: string;
  paymentId: string;
  /** Counts transitions; every transition is a compare-and-set on it. */
  version: number;
  status: RefundStatus;
  amountMinor: bigint;
  currency: Currency;
  operator: OperatorName;
  /** The operator's own id of the debit that is returned. */
  operatorTxId: string;
  /** The operator's own id of the refund; on a FAILED one it says that it succeeded after all. */
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
  /** Which fields the answer to its creation had (view.ts). */
  rendering: number;
  /** How often the operator was queried about the outcome. */
  queryCount: number;
  /** When it is due to be processed; while it is processed, the end of the lease. */
  dueAtMs: number | null;
  /** Since when a request for the refund may have left; null if none can have. */
  sentAtMs: number | null;
  /** A person said what became of it; the operator's first different word is for a person too. */
  byHand: boolean;
  createdAtMs: number;
  updatedAtMs: number;
}

/** What a refund may become (docs/payment-states.md). FAILED stays FAILED when it turns out to have succeeded. */
export const refundTransitions: Transitions<RefundStatus> = {
  PENDING: ['PROCESSING'],
  PROCESSING: ['SUCCEEDED', 'FAILED'],
  SUCCEEDED: [],
  FAILED: ['FAILED'],
};

/** What must be known of a payment before it can be refunded. */
export interface RefundablePayment {
  status: PaymentStatus;
  amountMinor: bigint;
  /** What pending and succeeded refunds take together, with what the operator returned beside them. */
  refundReservedMinor: bigint;
  /** Of it, what the operator returned after a refund had FAILED, or for no refund that the ledger has. */
  lateRefundMinor?: bigint;
  /** Of that, what the operator returned for no refund that the ledger has, and what a person has yet to explain. */
  unexplainedMinor?: bigint;
}

/**
 * The amount of a new refund in minor units: the one wanted, or all that is left.
 * @throws INVALID_STATE the payment is not debited, or a return of it that the ledger lacks waits for a person: that may
 * be the very refund that is asked for, forgotten by a backup
 * @throws REFUND_EXCEEDS_PAYMENT nothing, or less than that, is left
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
