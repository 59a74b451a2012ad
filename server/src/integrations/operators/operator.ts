import type { OperatorName } from '../../platform/config/operator-catalogue.ts';

export type { OperatorName } from '../../platform/config/operator-catalogue.ts';

/** Why a debit, a refund or a disbursement failed: a closed list, the same for all operators. */
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
  PAYEE_NOT_FOUND: 'The recipient has no mobile money account.',
  PAYEE_LIMIT_REACHED: 'The recipient has reached a limit of the account.',
  PAYEE_NOT_ALLOWED: 'The account is not allowed to receive this payment.',
  PAYEE_UNREACHABLE: 'The recipient could not be reached.',
  INSUFFICIENT_BALANCE: 'The balance does not cover the amount and its fee.',
} as const;
export type FailureCode = keyof typeof failureMessages;

const onlyOfDisbursements = [
  'PAYEE_NOT_FOUND',
  'PAYEE_LIMIT_REACHED',
  'PAYEE_NOT_ALLOWED',
  'PAYEE_UNREACHABLE',
  'INSUFFICIENT_BALANCE',
] as const satisfies readonly FailureCode[];

/** The codes of disbursements. */
export const disbursementFailureCodes = [
  ...onlyOfDisbursements,
  'OPERATOR_UNAVAILABLE',
  'OPERATOR_REJECTED',
  'OPERATOR_ERROR',
] as const satisfies readonly FailureCode[];
export type DisbursementFailureCode = (typeof disbursementFailureCodes)[number];

export type PaymentFailureCode = Exclude<FailureCode, (typeof onlyOfDisbursements)[number]>;

/** The codes of payments and refunds: the contract closes their list. */
export const paymentFailureCodes = (Object.keys(failureMessages) as FailureCode[]).filter(
  (code): code is PaymentFailureCode => !onlyOfDisbursements.some((each) => each === code),
);

const ofPayer: readonly FailureCode[] = [
  'INSUFFICIENT_FUNDS',
  'PAYER_NOT_FOUND',
  'PAYER_DECLINED',
  'PAYER_AUTH_FAILED',
  'CONFIRMATION_TIMEOUT',
];

/** Errors about the payer of a debit would be about us when money goes back, which nobody could understand. */
export function failureOfReversal(code: FailureCode): FailureCode {
  return ofPayer.includes(code) ? 'OPERATOR_REJECTED' : code;
}

const ofPayee: Partial<Record<FailureCode, DisbursementFailureCode>> = {
  // The funds that lack are ours at the operator: a later disbursement may succeed.
  INSUFFICIENT_FUNDS: 'OPERATOR_UNAVAILABLE',
  PAYER_NOT_FOUND: 'PAYEE_NOT_FOUND',
  PAYER_LIMIT_REACHED: 'PAYEE_LIMIT_REACHED',
  PAYER_NOT_ALLOWED: 'PAYEE_NOT_ALLOWED',
  PAYER_UNREACHABLE: 'PAYEE_UNREACHABLE',
};

/**
 * The same failure of a disbursement, in which we pay and the customer is paid. What only a payer can do, such as
 * entering a PIN, would be about us: the merchant can do nothing about that.
 */
export function failureOfDisbursement(code: FailureCode): DisbursementFailureCode {
  const own = disbursementFailureCodes.find((each) => each === code);
  return own ?? ofPayee[code] ?? 'OPERATOR_REJECTED';
}

/** A debit as the operator sees it; the reference is the payment's own UUID. */
export interface DebitRequest {
  tenantId: string;
  reference: string;
  operator: OperatorName;
  amountMinor: bigint;
  currency: string;
  phone: string;
  /** The text for the customer's statement at the operator. */
  statementDescriptor?: string | null;
  expiresAtMs: number;
  /** The payment was cancelled or has expired: nobody waits for the debit any more. */
  abandoned: boolean;
  /** It may have been requested before: then a refusal says nothing about the first request. */
  repeated: boolean;
  /** The record that {@link Operator.recordOf} returned, which is already written. */
  record?: DebitRecord | undefined;
}

/** A simulated operator's data of a debit, besides the payment's. */
export interface DebitRecord {
  status: 'PENDING' | 'SUCCEEDED' | 'FAILED';
  failureCode: FailureCode | null;
  operatorTxId: string;
  /** When the customer answers; null: not automatically. */
  decideAtMs: number | null;
  /** When the operator does its next step; null: never. */
  dueAtMs: number | null;
}

export interface ReversalRequest {
  /** A refund returns all or part of a rightful debit, a reversal the whole of a wrong one. */
  kind: 'REFUND' | 'REVERSAL';
  tenantId: string;
  reference: string;
  operator: OperatorName;
  /** The operator's transaction id of the debit that is returned. */
  operatorTxId: string;
  amountMinor: bigint;
  currency: string;
  /** It may have been requested before: then a refusal says nothing about the first request. */
  repeated: boolean;
  /** Looks up the customer's phone, to compare it with the phone in an answer. */
  phoneOf?: () => Promise<string | undefined>;
}

/** A payment out of our account at the operator to a wallet there. */
export interface DisbursementRequest {
  tenantId: string;
  /** The disbursement's own reference, which is not its id. */
  reference: string;
  operator: OperatorName;
  amountMinor: bigint;
  currency: string;
  /** Of the recipient. */
  phone: string;
  /** The text for the recipient's statement at the operator. */
  statementDescriptor?: string | null;
  /** It may have been requested before: then a refusal says nothing about the first request. */
  repeated: boolean;
}

/**
 * Definite success, definite failure, or unknown: the last never counts as a failure. NOT_FOUND: the operator does
 * not know the reference now, which is no promise. UNREACHABLE: it gave no usable answer. NOT_SENT: the connection
 * was certainly never made, so no request of ours can have arrived. MISMATCH: it reports a success that differs from
 * our request, with its details. isReversed, of a debit: it had succeeded, and was undone. deniesSuccess, of a refund, reversal or
 * disbursement in a callback: it ended in another way, which decides nothing.
 */
export type OperatorAnswer =
  | { kind: 'succeeded'; operatorTxId: string; amountMinor: bigint }
  | { kind: 'failed'; failureCode: FailureCode; isReversed?: boolean }
  | { kind: 'unknown'; progress: Progress; reported?: ReportedSuccess; deniesSuccess?: boolean };

export type Progress =
  | 'PENDING'
  | 'PROMPTED'
  | 'NOT_FOUND'
  | 'UNREACHABLE'
  | 'NOT_SENT'
  | 'MISMATCH';

/** A success as the operator wrote it, for a person: texts shortened and cleaned for our database. */
export interface ReportedSuccess {
  operatorTxId: string;
  amount: string | null;
  currency: string | null;
  type: string | null;
  /** The party that the operator names. */
  reference: string | null;
}

/** The properties of an operator that its configuration fixes. */
export interface OperatorTraits {
  /** It answers a repeated request with the outcome of the first: only then does the gateway repeat requests. */
  deduplicates: boolean;
  /** It can be queried about the outcome of a request. */
  answersQueries: boolean;
  /** Our account there, whose transactions are each booked once; null: simulated. */
  account: string | null;
}

/** The operations of every operator; the conformance suite checks each adapter. */
export interface Operator {
  /** Requests the debit. A caller that repeats it under the same reference must know that the operator deduplicates. */
  requestDebit(request: DebitRequest): Promise<OperatorAnswer>;
  /** Queries the outcome of a debit, by our reference. */
  queryDebit(request: DebitRequest): Promise<OperatorAnswer>;
  /** Returns all or part of a debit; may be repeated like the debit. */
  reverse(request: ReversalRequest): Promise<OperatorAnswer>;
  /** Queries the outcome of a reversal or refund, by our reference. */
  queryReversal(request: ReversalRequest): Promise<OperatorAnswer>;
  /**
   * Pays money out; may be repeated like the debit. An operator without this method and the next one cannot pay out.
   */
  disburse?(request: DisbursementRequest): Promise<OperatorAnswer>;
  /** Queries the outcome of a disbursement, by our reference. */
  queryDisbursement?(request: DisbursementRequest): Promise<OperatorAnswer>;
  /** The operator's properties; the same for all requests of a tenant. */
  traits(request: Pick<DebitRequest, 'tenantId' | 'operator'>): Promise<OperatorTraits>;
  /**
   * Until when a new debit should wait because the operator is down, in milliseconds since 1970; null: send it now.
   * An operator without this method is never down.
   */
  heldUntilMs?(request: Pick<DebitRequest, 'tenantId' | 'operator'>): Promise<number | null>;
  /**
   * For an operator that keeps its books in our database: its record of a debit. The statement that commits the
   * request writes it too. Null, or without this method: only the request itself reaches the operator.
   */
  recordOf?(request: DebitRequest): Promise<DebitRecord | null>;
}

/** Pays out; with an operator that cannot, the request certainly never leaves. */
export const disburseWith = async (
  operator: Operator,
  request: DisbursementRequest,
): Promise<OperatorAnswer> =>
  (await operator.disburse?.(request)) ?? { kind: 'unknown', progress: 'NOT_SENT' };

/** Queries; an operator that cannot pay out now may have had another adapter before, so nothing is known. */
export const queryDisbursementWith = async (
  operator: Operator,
  request: DisbursementRequest,
): Promise<OperatorAnswer> =>
  (await operator.queryDisbursement?.(request)) ?? { kind: 'unknown', progress: 'UNREACHABLE' };

/** An unrequested message from an operator: it may be late, repeated or out of order. */
export interface OperatorNotification {
  tenantId: string;
  reference: string;
  answer: OperatorAnswer;
}
