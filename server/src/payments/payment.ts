import type { FailureCode, OperatorName } from '../operators/operator.ts';
import { allows, type Transitions } from '../platform/transitions.ts';

export const currencies = ['CVE', 'AOA'] as const;
export type Currency = (typeof currencies)[number];

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
  /** The API key that asked for it, also through a checkout session; null: of before keys were noted. */
  createdByKey: string | null;
  /** Which fields the answer to its creation had (view.ts). */
  rendering: number;
  /** How often the operator was asked about the outcome. */
  askCount: number;
  /** When the payment needs attention next; for whoever attends to it, the end of the lease. */
  dueAtMs: number | null;
  /** Since when a request for the debit may have left; null where none can have. */
  sentAtMs: number | null;
  /** A person said what became of it; the operator's first different word is for a person too. */
  byHand: boolean;
  expiresAtMs: number;
  createdAtMs: number;
  updatedAtMs: number;
}

/**
 * What a payment may become (docs/payment-states.md). PARTIALLY_REFUNDED stays what it is when another part
 * is refunded, and when its settlement is completed.
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

/** Not debited yet, and still able to be. */
export function isOpen(status: PaymentStatus): boolean {
  return allows(paymentTransitions, status, 'CANCELLED');
}

/** Ended without a debit; a debit that comes to light now must be reversed. */
export function isClosedWithoutDebit(status: PaymentStatus): boolean {
  return status === 'CANCELLED' || status === 'EXPIRED' || status === 'FAILED';
}

export interface Fee {
  basisPoints: number;
  fixedMinor: bigint;
}

/** The fee of an amount in minor units: rounded half up, never more than the amount. */
export function feeOf(amountMinor: bigint, fee: Fee): bigint {
  const proportional = (amountMinor * BigInt(fee.basisPoints) + 5_000n) / 10_000n;
  const total = proportional + fee.fixedMinor;
  return total < amountMinor ? total : amountMinor;
}

const separator = '[\\s.\\-()\\[\\]{}]*';
/** What {@link normalizePhone} takes, as a regular expression. */
export const writtenPhone = `^${separator}\\+${separator}[1-9](?:${separator}[0-9]){7,14}${separator}$`;
export const phoneRule =
  'must be an international number: + and 8 to 15 digits, the first of them not 0';
const phonePattern = /^\+[1-9]\d{7,14}$/;

/** `+2389912345`: separators are dropped; undefined unless `+` and 8 to 15 digits are left. No country code begins with 0. */
export function normalizePhone(phone: string): string | undefined {
  const digits = phone.replace(/[\s.\-()[\]{}]/g, '');
  return phonePattern.test(digits) ? digits : undefined;
}

/** The currency of the country that the phone belongs to. */
export function currencyOfPhone(phone: string): Currency {
  return phone.startsWith('+244') ? 'AOA' : 'CVE';
}
