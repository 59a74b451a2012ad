import type { OperatorName } from '../../platform/config/operator-catalogue.ts';

export type { OperatorName } from '../../platform/config/operator-catalogue.ts';

/** Why a debit or a refund failed: a closed list, the same for all operators. */
export const failureMessages = {
  INSUFFICIENT_FUNDS: 'The customer does not have enough balance.',
  PAYER_NOT_FOUND: 'The phone number has no mobile money account.',
  PAYER_LIMIT_REACHED: 'The customer has reached a limit of the account.',
  AMOUNT_OUT_OF_RANGE: 'The operator does not accept this amount.',
  PAYER_DECLINED: 'The customer declined the payment.',
  PAYER_AUTH_FAILED: 'The customer entered a wrong PIN.',
  PAYER_UNREACHABLE: 'The phone could not be reached.',
  PAYER_BUSY: 'The customer has another operation under way.',
  PAYER_NOT_ALLOWED: 'The account is not allowed to make this payment.',
  CONFIRMATION_TIMEOUT: 'The customer did not confirm in time.',
  OPERATOR_UNAVAILABLE: 'The operator is not available.',
  OPERATOR_REJECTED: 'The operator rejected the request.',
  OPERATOR_ERROR: 'The operator reported an error.',
} as const;
export type FailureCode = keyof typeof failureMessages;

const ofPayer: readonly FailureCode[] = [
  'INSUFFICIENT_FUNDS',
  'PAYER_NOT_FOUND',
  'PAYER_DECLINED',
  'PAYER_AUTH_FAILED',
  'CONFIRMATION_TIMEOUT',
];

/** An error about the payer of a debit would be about us when money goes back, and nobody could understand it. */
export function failureOfReversal(code: FailureCode): FailureCode {
  return ofPayer.includes(code) ? 'OPERATOR_REJECTED' : code;
}

/** A debit as the operator sees it; the reference is the payment's own UUID. */
export interface DebitRequest {
  tenantId: string;
  reference: string;
  operator: OperatorName;
  amountMinor: bigint;
  currency: string;
  phone: string;
  /** What the customer should read on the operator's statement. */
  statementDescriptor?: string | null;
  expiresAtMs: number;
  /** The payment was cancelled or has expired: nobody waits for the debit any more. */
  abandoned: boolean;
  /** It may have been requested before: then a refusal says nothing about the first request. */
  repeated: boolean;
  /** What {@link Operator.recordOf} gave of it, which is written already. */
  record?: DebitRecord | undefined;
}

/** What a simulated operator keeps of a debit beside what the payment says. */
export interface DebitRecord {
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED';
  failureCode: FailureCode | null;
  operatorTxId: string;
  /** When the customer answers; null: not by himself. */
  decideAtMs: number | null;
  /** When the operator does its next step; null: never. */
  dueAtMs: number | null;
}

export interface ReversalRequest {
  /** A refund returns a good debit or a part of it, a reversal the whole of a wrong one. */
  kind: 'REFUND' | 'REVERSAL';
  tenantId: string;
  reference: string;
  operator: OperatorName;
  /** The operator's own id of the debit that is returned. */
  operatorTxId: string;
  amountMinor: bigint;
  currency: string;
  /** It may have been requested before: then a refusal says nothing about the first request. */
  repeated: boolean;
  /** Looks up the customer's phone, to compare it with the one that an answer names. */
  phoneOf?: () => Promise<string | undefined>;
}

/**
 * Definite success, definite failure, or unknown: the last is never taken for a failure.
 * NOT_FOUND: the operator does not know the reference now, which is no promise. UNREACHABLE: it gave no
 * usable answer. NOT_SENT: the connection was certainly never made, so no request of ours can have arrived.
 * MISMATCH: it reports a success that is not what we asked for, and tells what it is. isReversed, of a debit: it had
 * succeeded, and was undone.
 */
export type OperatorAnswer =
  | { kind: 'succeeded'; operatorTxId: string; amountMinor: bigint }
  | { kind: 'failed'; failureCode: FailureCode; isReversed?: boolean }
  | { kind: 'unknown'; progress: Progress; told?: ToldSuccess };

export type Progress =
  | 'PENDING'
  | 'PROMPTED'
  | 'NOT_FOUND'
  | 'UNREACHABLE'
  | 'NOT_SENT'
  | 'MISMATCH';

/** A success as the operator wrote it, for a person: texts that our database can hold, and not too long ones. */
export interface ToldSuccess {
  operatorTxId: string;
  amount: string | null;
  currency: string | null;
  type: string | null;
  /** Whose it is, by the operator's word. */
  reference: string | null;
}

/** What is known of an operator from its configuration. */
export interface OperatorTraits {
  /** It answers a repeated request with the outcome of the first: only then is one ever repeated. */
  deduplicates: boolean;
  /** It can be queried about the outcome of a request. */
  answersQueries: boolean;
  /** Our account there, among whose transactions each is booked once; null: it is simulated. */
  account: string | null;
}

/** What every operator can do for us; the conformance suite runs on each adapter. */
export interface Operator {
  /** Requests the debit. Whoever calls it again under the same reference must know that the operator deduplicates. */
  requestDebit(request: DebitRequest): Promise<OperatorAnswer>;
  /** Queries the outcome of a debit, by our reference. */
  queryDebit(request: DebitRequest): Promise<OperatorAnswer>;
  /** Returns a debit or a part of it; to be repeated like the debit. */
  reverse(request: ReversalRequest): Promise<OperatorAnswer>;
  /** Queries the outcome of a reversal or refund, by our reference. */
  queryReversal(request: ReversalRequest): Promise<OperatorAnswer>;
  /** What may be done with this operator; the same for all requests of a tenant. */
  traits(request: Pick<DebitRequest, 'tenantId' | 'operator'>): Promise<OperatorTraits>;
  /**
   * Until when a new debit should wait because the operator is down, in milliseconds since 1970; null:
   * send it. An operator without it is never down.
   */
  heldUntilMs?(request: Pick<DebitRequest, 'tenantId' | 'operator'>): Promise<number | null>;
  /**
   * Of an operator that keeps its books in our database: what it will have of a debit. The statement that
   * commits the request writes it too. Null, or without it: the request itself is all that reaches the operator.
   */
  recordOf?(request: DebitRequest): Promise<DebitRecord | null>;
}

/** An unrequested message from an operator: it may be late, repeated or out of order. */
export interface OperatorNotification {
  tenantId: string;
  reference: string;
  answer: OperatorAnswer;
}
