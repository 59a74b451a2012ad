import type { Author } from '../../platform/audit/record.ts';
import type { IdempotentRequest } from '../../platform/idempotency/idempotency.ts';
import type { MerchantTerms } from '../../platform/values/merchant-terms.ts';

/** A request for a refund; the amount is in minor units, null for all that is left. */
export interface CreateRefundInput {
  tenantId: string;
  mode: 'live' | 'test';
  paymentId: string;
  amountMinor: bigint | null;
  reason: string | null;
  /** JSON text. */
  metadata: string | null;
  /** The API key of the request, and its limits. */
  apiKey: { id: string; maxRefundedPerDayMinor: bigint | null } | null;
  /** What is agreed with the merchant. */
  terms: MerchantTerms;
  idempotency: IdempotentRequest | null;
  /** A second person has agreed: no limit asks for one again. */
  isApproved?: boolean;
  /** The person whose wish it is: then it is recorded in the same transaction. */
  author?: Author;
}

/** A request with the id that its refund gets, however often it is tried. */
export interface Creation {
  id: string;
  nowMs: number;
  input: CreateRefundInput;
}
