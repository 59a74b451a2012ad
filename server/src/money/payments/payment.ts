import type { FailureCode, OperatorName } from '../../integrations/operators/operator.ts';
import type { Currency } from '../../platform/values/money.ts';
import { allows, type Transitions } from '../../platform/values/transitions.ts';

export const paymentStatuses = [
  'CREATED',
  'OPERATOR_PENDING',
  'USER_CONFIRMING',
  'DEBITED',
  'SETTLED',
  'FAILED',
  'EXPIRED',
  'REFUNDED',
  'PARTIALLY_REFUNDED',
  'CANCELLED',
] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/** A payment as it is stored. Amounts are in minor units, instants in milliseconds since 1970. */
export interface Payment {
  tenantId: string;
  id: string;
  /** Counts transitions; every transition is a compare-and-set on it. */
  version: number;
  status: PaymentStatus;
  amountMinor: bigint;
  feeMinor: bigint;
  currency: Currency;
  operator: OperatorName;
  operatorPhone: string;
  operatorTxId: string | null;
  failureCode: FailureCode | null;
  failureMessage: string | null;
  externalId: string | null;
  customerId: string | null;
  description: string | null;
  statementDescriptor: string | null;
  /** JSON text, kept as text because jsonb would reorder its keys. */
  metadata: string | null;
  /** The checkout session whose attempt this payment is. */
  checkoutSessionId: string | null;
  idempotencyKey: string | null;
  requestHash: Buffer | null;
  /** The API key that created it, perhaps through a checkout session; null if older than this column. */
  createdByKey: string | null;
  /** The version of the fields in the answer to its creation (view.ts). */
  rendering: number;
  /** How often the operator was queried about the outcome. */
  queryCount: number;
  /** When the payment is due to be processed; while it is processed, the end of the lease. */
  dueAtMs: number | null;
  /** Since when a request for the debit may have left; null if none can have. */
  sentAtMs: number | null;
  /** A person recorded the outcome; the operator's first different answer also goes to a person. */
  byHand: boolean;
  /**
   * The operator has reported a success that differs from our request: the payment does not expire before that is
   * clear.
   */
  mismatched: boolean;
  expiresAtMs: number;
  createdAtMs: number;
  updatedAtMs: number;
}

/** The fields of its JSON (view.ts); code that only shows payments reads no more than these. */
export const shownFields = [
  'id',
  'externalId',
  'amountMinor',
  'feeMinor',
  'currency',
  'operator',
  'operatorPhone',
  'operatorTxId',
  'status',
  'failureCode',
  'failureMessage',
  'description',
  'statementDescriptor',
  'customerId',
  'metadata',
  'expiresAtMs',
  'createdAtMs',
  'updatedAtMs',
  'checkoutSessionId',
] as const satisfies readonly (keyof Payment)[];
export type ShownPayment = Pick<Payment, (typeof shownFields)[number]>;

/**
 * The allowed transitions of a payment (docs/payment-states.md). PARTIALLY_REFUNDED stays when another part is
 * refunded, and when its settlement is completed.
 */
export const paymentTransitions: Transitions<PaymentStatus> = {
  CREATED: ['OPERATOR_PENDING', 'FAILED', 'EXPIRED', 'CANCELLED'],
  OPERATOR_PENDING: ['USER_CONFIRMING', 'DEBITED', 'FAILED', 'EXPIRED', 'CANCELLED'],
  USER_CONFIRMING: ['DEBITED', 'FAILED', 'EXPIRED', 'CANCELLED'],
  DEBITED: ['SETTLED', 'PARTIALLY_REFUNDED', 'REFUNDED'],
  SETTLED: ['PARTIALLY_REFUNDED', 'REFUNDED'],
  PARTIALLY_REFUNDED: ['PARTIALLY_REFUNDED', 'REFUNDED'],
  REFUNDED: [],
  FAILED: [],
  EXPIRED: [],
  CANCELLED: [],
};

/** Not debited yet, but still can be. */
export function isOpen(status: PaymentStatus): boolean {
  return allows(paymentTransitions, status, 'CANCELLED');
}

/** Ended without a debit; a debit that comes to light now must be reversed. */
export function isClosedWithoutDebit(status: PaymentStatus): boolean {
  return status === 'CANCELLED' || status === 'EXPIRED' || status === 'FAILED';
}
