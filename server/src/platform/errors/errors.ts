/** Every error code of `/v1` (docs/errors.md); `platform/http/errors.ts` gives each its status. */
export type ErrorCode =
  | 'VALIDATION_ERROR'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'ADDRESS_NOT_ALLOWED'
  | 'KEY_LIMIT_EXCEEDED'
  | 'NOT_FOUND'
  | 'INVALID_STATE'
  | 'REFUND_EXCEEDS_PAYMENT'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'LIMIT_REACHED'
  | 'RATE_LIMITED'
  | 'UNAVAILABLE'
  | 'INTERNAL_ERROR';

/** A refusal that its caller can understand: the message is shown to API clients as it stands. */
export class DomainError extends Error {
  readonly code: ErrorCode;
  /** Which field, parameter or header it is about, as the caller wrote it: `items[0].quantity`. */
  readonly param: string | undefined;

  constructor(code: ErrorCode, message: string, param?: string) {
    super(message);
    this.name = 'DomainError';
    this.code = code;
    this.param = param;
  }
}

/** @param field the name of the field or parameter as the caller wrote it; @param rule what it must be. */
export const invalid = (field: string, rule: string) =>
  new DomainError('VALIDATION_ERROR', `${field} ${rule}`, field);
export const invalidBody = (rule: string) =>
  new DomainError('VALIDATION_ERROR', `The request body ${rule}`);
export const unauthorized = (message: string) => new DomainError('UNAUTHORIZED', message);
/** Nobody may do this alone; whoever is a person can ask another for approval. */
export class ApprovalNeeded extends DomainError {
  constructor(message: string) {
    super('FORBIDDEN', message);
    this.name = 'ApprovalNeeded';
  }
}
/** What stands against it passes: the same may be asked for again. */
export class NotNow extends DomainError {
  constructor(message: string) {
    super('INVALID_STATE', message);
    this.name = 'NotNow';
  }
}
export const notNow = (message: string) => new NotNow(message);
export const approvalNeeded = (message: string) => new ApprovalNeeded(message);
export const forbidden = (message: string) => new DomainError('FORBIDDEN', message);
/** @param limit what the key may do at most. */
export const keyLimitExceeded = (limit: string) =>
  new DomainError('KEY_LIMIT_EXCEEDED', `This API key ${limit}.`, 'amount');
/**
 * @param what a noun such as `payment`; the id is not repeated, since it may be hostile text
 * @param param which field names it, where it is not the path
 */
export const notFound = (what: string, param?: string) =>
  new DomainError('NOT_FOUND', `No such ${what}.`, param);
/** Unlike an unknown id: whoever has the base URL wrong would think that a payment is missing. */
export const noSuchRoute = (paths = '/v1') =>
  new DomainError(
    'NOT_FOUND',
    `There is no route with this method and path. API paths begin with ${paths}; is the base URL right?`,
  );
export const invalidState = (message: string) => new DomainError('INVALID_STATE', message);
/** @param leftMinor what is left of the payment, in minor units. */
/** @param returnedMinor what the operator has returned beside the refunds that the ledger has */
export const refundExceedsPayment = (leftMinor: bigint, returnedMinor: bigint) =>
  new DomainError(
    'REFUND_EXCEEDS_PAYMENT',
    (leftMinor > 0n
      ? `amount must be at most ${leftMinor}, which is what is left of this payment. Refunds in progress count too.`
      : 'Nothing of this payment is left to refund. Refunds in progress count too.') +
      (returnedMinor > 0n
        ? ` The operator has already returned ${returnedMinor} of it outside these refunds, which counts until it is cleared up.`
        : ''),
    leftMinor > 0n ? 'amount' : undefined,
  );
/** @param returnedMinor what the operator has returned for no refund that the ledger has */
export const refundUnexplained = (returnedMinor: bigint) =>
  invalidState(
    `The operator has returned ${returnedMinor} of this payment outside its refunds, perhaps for this very request. Nothing more of it can be refunded until that is cleared up: ask whoever runs the gateway, and then repeat the request.`,
  );
export const limitReached = (message: string, param?: string) =>
  new DomainError('LIMIT_REACHED', message, param);
export const idempotencyKeyReused = () =>
  new DomainError(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used before with another request body.',
    'Idempotency-Key',
  );

/** Why something failed. Node tries several addresses of a name, and then has several errors and no message. */
export function reasonOf(error: Error): string {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  return (first as Error).message;
}
