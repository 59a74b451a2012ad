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
  | 'INSUFFICIENT_BALANCE'
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

/** A rule that a request breaks. */
export interface Problem {
  /** The field, parameter or header, as the caller wrote it: `items[0].quantity`. */
  param: string;
  message: string;
}

/** How many problems of a request are told at most. */
export const mostProblems = 20;

/** Several fields are wrong. */
export class InvalidFields extends DomainError {
  /** The first of them, if there are several. */
  readonly details: readonly Problem[];

  /** @param problems at least one, each with its field */
  constructor(problems: readonly DomainError[]) {
    const [first] = problems;
    super('VALIDATION_ERROR', first!.message, first!.param);
    const told = problems.slice(0, mostProblems);
    const details = told.map(({ param = '', message }) => ({ param, message }));
    this.details = problems.length > 1 ? details : [];
  }
}

/** @param field the name of the field or parameter as the caller wrote it; @param rule what it must be. */
export const invalid = (field: string, rule: string) =>
  new DomainError('VALIDATION_ERROR', `${field} ${rule}`, field);
export const invalidBody = (rule: string) =>
  new DomainError('VALIDATION_ERROR', `The request body ${rule}`);
export const unauthorized = (message: string) => new DomainError('UNAUTHORIZED', message);
/** One person alone may not do this; a person can ask another for approval, an API key cannot. */
export class ApprovalNeeded extends DomainError {
  constructor(message: string) {
    super('FORBIDDEN', message);
    this.name = 'ApprovalNeeded';
  }
}
/** A temporary conflict: the caller may send the same request again later. */
export class NotNow extends DomainError {
  constructor(message: string) {
    super('INVALID_STATE', message);
    this.name = 'NotNow';
  }
}
export const notNow = (message: string) => new NotNow(message);
export const approvalNeeded = (message: string) => new ApprovalNeeded(message);
export const forbidden = (message: string) => new DomainError('FORBIDDEN', message);
/** @param limit the most that the key may do. */
export const keyLimitExceeded = (limit: string) =>
  new DomainError('KEY_LIMIT_EXCEEDED', `This API key ${limit}.`, 'amount');
/**
 * @param what a noun such as `payment`; the message omits the id, which may be hostile text
 * @param param the field that names the object, if the path does not
 */
export const notFound = (what: string, param?: string) =>
  new DomainError('NOT_FOUND', `No such ${what}.`, param);
/**
 * Differs from the error for an unknown id: a client with a wrong base URL must not conclude that a payment
 * is missing.
 */
export const noSuchRoute = (paths = '/v1') =>
  new DomainError(
    'NOT_FOUND',
    `There is no route with this method and path. API paths begin with ${paths}; is the base URL right?`,
  );
export const invalidState = (message: string) => new DomainError('INVALID_STATE', message);
/** @param leftMinor the rest of the payment that can be refunded, in minor units. */
/** @param returnedMinor the amount that the operator has returned in addition to the refunds in the ledger */
export const refundExceedsPayment = (leftMinor: bigint, returnedMinor: bigint) =>
  new DomainError(
    'REFUND_EXCEEDS_PAYMENT',
    (leftMinor > 0n
      ? `amount must be at most ${leftMinor}, the rest of this payment. Refunds in progress count too.`
      : 'Nothing of this payment is left to refund. Refunds in progress count too.') +
      (returnedMinor > 0n
        ? ` The operator has already returned ${returnedMinor} of it outside these refunds, which counts until it is cleared up.`
        : ''),
    leftMinor > 0n ? 'amount' : undefined,
  );
/** @param returnedMinor the amount that the operator has returned without a refund in the ledger */
export const refundUnexplained = (returnedMinor: bigint) =>
  invalidState(
    `The operator has returned ${returnedMinor} of this payment outside its refunds, perhaps for this very request. Nothing more of it can be refunded until that is cleared up: ask the operator of the gateway, and then repeat the request.`,
  );
/** @param availableMinor what the merchant may pay out now, in minor units; negative after refunds of settled payments */
export const insufficientBalance = (
  { amountMinor, feeMinor, currency }: { amountMinor: bigint; feeMinor: bigint; currency: string },
  availableMinor: bigint,
) =>
  new DomainError(
    'INSUFFICIENT_BALANCE',
    `${availableMinor} centavos (${currency}) are available, and this disbursement needs ${amountMinor + feeMinor}, of which ${feeMinor} are the fee.`,
    'amount',
  );
export const limitReached = (message: string, param?: string) =>
  new DomainError('LIMIT_REACHED', message, param);
export const idempotencyKeyReused = () =>
  new DomainError(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used before with another request body.',
    'Idempotency-Key',
  );

/**
 * The reason for a failure. If Node tried several addresses of a host name, it throws an error that contains
 * several errors and has no message of its own.
 */
export function reasonOf(error: Error): string {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  return (first as Error).message;
}

/** PostgreSQL's error details contain row values: phones, names of customers. */
const holdsValues = ['detail', 'where', 'internalQuery'] as const;

/** Removes row values from an error, its causes and its parts, or from the object that a log writes for them. */
export function dropRowValues<T extends object>(shown: T): T {
  for (const name of holdsValues) if (name in shown) Reflect.deleteProperty(shown, name);
  const { cause, errors } = shown as { cause?: unknown; errors?: unknown };
  for (const value of [...Object.values(shown), cause, errors].flat()) {
    if (typeof value === 'object' && value !== null && 'stack' in value) dropRowValues(value);
  }
  return shown;
}
