import type { CallbackKind } from '../callback-token.ts';
import { type FailureCode, failureOfDisbursement } from '../operator.ts';

/**
 * The meaning of an operator's error for our request. ASK: the outcome is unknown. MISCONFIGURED: the fault is ours
 * (credentials, rate), so the payment waits, and the gateway logs it. Everything else is a definite failure.
 */
export type Meaning = FailureCode | 'ASK' | 'MISCONFIGURED';

interface ErrorRow {
  category: string;
  code: string;
  /** When the request itself is refused. */
  refused: Meaning;
  /** When the operator reports the error as the outcome of the debit: absent, the same. */
  ended?: FailureCode;
  /** When a disbursement fails with it; absent: as a debit fails, but of the recipient. */
  paidOut?: FailureCode;
}

const row = (category: string, code: string, refused: Meaning, ended?: FailureCode): ErrorRow =>
  ended === undefined ? { category, code, refused } : { category, code, refused, ended };
const rows = (category: string, codes: readonly string[], refused: Meaning): ErrorRow[] =>
  codes.map((code) => row(category, code, refused));

/** Every error category and code of the GSMA Mobile Money API 1.2 (docs/operators.md). */
export const errorTable: readonly ErrorRow[] = [
  ...rows(
    'businessRule',
    [
      'dailyVolumeLimitExceeded',
      'dailyValueLimitExceeded',
      'weeklyVolumeLimitExceeded',
      'weeklyValueLimitExceeded',
      'monthlyVolumeLimitExceeded',
      'monthlyValueLimitExceeded',
      'accountMaxTotalVolumeExceeded',
      'accountMaxTotalValueExceeded',
    ],
    'PAYER_LIMIT_REACHED',
  ),
  ...rows(
    'businessRule',
    [
      'lessThanTransactionMinValue',
      'greaterThanTransactionMaxValue',
      'underPaymentNotAllowed',
      'overPaymentNotAllowed',
    ],
    'AMOUNT_OUT_OF_RANGE',
  ),
  row('businessRule', 'insufficientFunds', 'INSUFFICIENT_FUNDS'),
  ...rows(
    'businessRule',
    [
      'samePartiesError',
      'noMandateAuthority',
      'linkViolation',
      'countryofOriginNotPermitted',
      'nationalityNotPermitted',
      'idDocumentNotSupported',
      'issuingCountryNotSupported',
    ],
    'PAYER_NOT_ALLOWED',
  ),
  ...rows(
    'businessRule',
    ['genericError', 'incorrectState', 'transactionTypeError', 'quoteHasExpired'],
    'OPERATOR_REJECTED',
  ),
  {
    ...row('businessRule', 'maxBalanceExceeded', 'OPERATOR_REJECTED'),
    paidOut: 'PAYEE_LIMIT_REACHED',
  },
  row('businessRule', 'duplicateRequest', 'ASK'),
  row('businessRule', 'rateLimitError', 'MISCONFIGURED', 'OPERATOR_REJECTED'),
  ...rows(
    'validation',
    [
      'genericError',
      'lengthError',
      'formatError',
      'negativeValue',
      'currencyNotSupported',
      'mandatoryValueNotSupplied',
      'invalidOffset',
    ],
    'OPERATOR_REJECTED',
  ),
  row('authorisation', 'requestDeclined', 'PAYER_DECLINED'),
  row('authorisation', 'requestingPartyAuthorisationError', 'PAYER_AUTH_FAILED'),
  row('authorisation', 'clientAuthorisationError', 'MISCONFIGURED', 'OPERATOR_REJECTED'),
  row('authorisation', 'servicingPartyAuthorisationError', 'MISCONFIGURED', 'OPERATOR_REJECTED'),
  row('authorisation', 'genericError', 'MISCONFIGURED', 'OPERATOR_REJECTED'),
  ...rows('identification', ['identifierError', 'genericError'], 'PAYER_NOT_FOUND'),
  row('internal', 'genericError', 'ASK', 'OPERATOR_ERROR'),
  row('serviceUnavailable', 'genericError', 'ASK', 'OPERATOR_UNAVAILABLE'),
];

export interface GsmaError {
  errorCategory: string;
  errorCode: string;
}

/** Whether a body is an error object of the standard. */
export function isGsmaError(body: unknown): body is GsmaError {
  if (typeof body !== 'object' || body === null) return false;
  const { errorCategory, errorCode } = body as Partial<GsmaError>;
  return typeof errorCategory === 'string' && typeof errorCode === 'string';
}

/** The meaning of a request refused with this error; an undocumented error proves nothing. */
export function meaningOfRefusal(error: GsmaError, kind: CallbackKind = 'DEBIT'): Meaning {
  const found = find(error);
  if (!found) return 'ASK';
  // A new disbursement has no state: the operator knows its reference, from before a restore.
  if (kind === 'DISBURSEMENT' && found.code === 'incorrectState') return 'ASK';
  return forDirection(found, found.refused, kind);
}

/** Whether an error says that the operator rejects our credentials. */
export const isOfClient = ({ errorCode }: GsmaError): boolean =>
  /^(client|servicingParty)AuthorisationError$/i.test(errorCode);

/** The meaning of a request that ended with this error. Only "duplicate" says nothing about the request itself. */
export function meaningOfEnd(error: GsmaError, kind: CallbackKind = 'DEBIT'): FailureCode | 'ASK' {
  const found = find(error);
  if (!found) return 'OPERATOR_REJECTED';
  const ended = found.refused === 'MISCONFIGURED' ? 'OPERATOR_REJECTED' : found.refused;
  return forDirection(found, found.ended ?? ended, kind);
}

/** In a disbursement, we pay and the customer is paid. */
function forDirection<Word extends Meaning>(
  { paidOut }: ErrorRow,
  meaning: Word,
  kind: CallbackKind,
): Word | FailureCode {
  if (kind !== 'DISBURSEMENT' || meaning === 'ASK' || meaning === 'MISCONFIGURED') return meaning;
  return paidOut ?? failureOfDisbursement(meaning as FailureCode);
}

const find = ({ errorCategory, errorCode }: GsmaError) =>
  errorTable.find(
    ({ category, code }) =>
      category.toLowerCase() === errorCategory.toLowerCase() &&
      code.toLowerCase() === errorCode.toLowerCase(),
  );
