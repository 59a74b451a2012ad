import type { Author } from '../../platform/audit/record.ts';
import type { IdempotentRequest } from '../../platform/idempotency/idempotency.ts';
import type { MerchantTerms } from '../../platform/values/merchant-terms.ts';

/** A request for a refund; the amount is in minor units, null for the whole remainder. */
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
  /** The terms agreed with the merchant. */
  terms: MerchantTerms;
  idempotency: IdempotentRequest | null;
  /** A second person has approved: no limit asks for another approval. */
  isApproved?: boolean;
  /** The person who asks for it: then it is audited in the same transaction. */
  author?: Author;
}

/** A request with the id of its refund, the same for each try. */
export interface Creation {
  id: string;
  nowMs: number;
  input: CreateRefundInput;
}
