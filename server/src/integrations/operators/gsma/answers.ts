import type { Expected } from '../adapter.ts';
import { minorOf } from '../amount.ts';
import type { CallbackKind } from '../callback-token.ts';
import type { OperatorAnswer, ReportedSuccess } from '../operator.ts';
import { isName, readableName } from '../transaction-ids.ts';
import { isNamed, isOfAnother, isSame } from './correlation.ts';
import { isGsmaError, meaningOfEnd } from './errors.ts';
import { isOfOtherParties } from './parties.ts';
import { isEnd, isReversed, isSuccess, meaningOfStatus } from './transaction-statuses.ts';

export const pending: OperatorAnswer = { kind: 'unknown', progress: 'PENDING' };
export const prompted: OperatorAnswer = { kind: 'unknown', progress: 'PROMPTED' };
export const unreachable: OperatorAnswer = { kind: 'unknown', progress: 'UNREACHABLE' };
export const notSent: OperatorAnswer = { kind: 'unknown', progress: 'NOT_SENT' };
export const notFound: OperatorAnswer = { kind: 'unknown', progress: 'NOT_FOUND' };

/** The transaction types of debits, of returns, and of disbursements. */
export const debitTypes = ['merchantpay', 'billpay'];
export const returnTypes = ['reversal', 'adjustment'];
export const disbursementTypes = ['disbursement'];

const typesOf: Record<CallbackKind, readonly string[]> = {
  DEBIT: debitTypes,
  REFUND: returnTypes,
  REVERSAL: returnTypes,
  DISBURSEMENT: disbursementTypes,
};

export interface Transaction {
  transactionReference: string;
  transactionStatus: string;
  type?: unknown;
  amount?: unknown;
  currency?: unknown;
  requestingOrganisationTransactionReference?: unknown;
  originalTransactionReference?: unknown;
  debitParty?: unknown;
  creditParty?: unknown;
}

/** Whether a body is a transaction or a reversal of the standard, with the fields that an outcome needs. */
export function isTransaction(body: unknown): body is Transaction {
  if (typeof body !== 'object' || body === null) return false;
  const { transactionReference: reference, transactionStatus: status } =
    body as Partial<Transaction>;
  return typeof reference === 'string' && typeof status === 'string';
}

/**
 * A body that reports a transaction without being one: its reference cannot be read, or it is a request's state
 * without the request's id. Nothing of it is booked, but a success in it must be reported.
 */
export function unnamed(body: unknown, named = ''): Transaction | undefined {
  if (isTransaction(body)) return body;
  const transaction = { ...(body as object | undefined), transactionReference: named };
  if (isTransaction(transaction)) return transaction;
  const { status, objectReference: id } = (body ?? {}) as Record<string, unknown>;
  const isDone = typeof status === 'string' && isSuccess(status);
  return isDone ? completed(typeof id === 'string' ? id : named) : undefined;
}

/** Whether an error also says that the request is completed. */
export const successIn = (body: unknown): Transaction | undefined => {
  const reported = unnamed(body);
  return reported && isSuccess(reported.transactionStatus) ? reported : undefined;
};

/**
 * The outcome in a transaction. Undefined if it differs from our request (another reference, payer or payee, the
 * return of another debit, a debit in place of a return), or if it succeeded in another currency, with an unreadable
 * amount or under an id that cannot be booked: a person must look into it, and nothing is booked.
 */
export function answerOfTransaction(
  transaction: Transaction,
  expected: Expected,
): OperatorAnswer | undefined {
  if (isOfAnother(transaction, expected) || isOfOtherKind(transaction, expected)) return undefined;
  if (isOfOtherParties(transaction, expected)) return undefined;
  const meaning = meaningOfStatus(transaction, expected);
  if (meaning === 'OPEN') return prompted;
  if (meaning !== 'SUCCEEDED') {
    const isUndone = isReversed(transaction.transactionStatus);
    return { kind: 'failed', failureCode: meaning, ...(isUndone && { isReversed: true }) };
  }
  if (!isName(transaction.transactionReference)) return undefined;
  const { amountMinor: expectedMinor } = expected;
  const { amount, currency = expected.currency } = transaction;
  const isSilent = amount === undefined && expectedMinor !== undefined;
  const amountMinor = isSilent ? expectedMinor : minorOf(amount);
  if (!amountMinor || !isCurrency(currency, expected.currency)) return undefined;
  return { kind: 'succeeded', operatorTxId: transaction.transactionReference, amountMinor };
}

/** A success that differs from our request, or cannot be booked; undefined for any other outcome. */
export function mismatchOf(
  transaction: Transaction,
  expected: Expected,
): OperatorAnswer | undefined {
  if (meaningOfStatus(transaction, expected) !== 'SUCCEEDED') return undefined;
  const { transactionReference, amount, currency, type } = transaction;
  const { requestingOrganisationTransactionReference: reference } = transaction;
  const reported: ReportedSuccess = {
    operatorTxId: readableName(transactionReference),
    amount: readable(amount),
    currency: readable(currency),
    type: readable(type),
    reference: readable(reference),
  };
  return { kind: 'unknown', progress: 'MISMATCH', reported };
}

/** A transaction that a request state calls completed, without further details. */
export const completed = (id: string): Transaction => ({
  transactionReference: id,
  transactionStatus: 'completed',
});

function readable(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return readableName(typeof value === 'string' ? value : JSON.stringify(value));
}

const isCurrency = (named: unknown, currency: string) =>
  typeof named === 'string' && named.toUpperCase() === currency.toUpperCase();

/** Whether it repeats the reference of the debit to be returned: that does not name the returning transaction. */
export const isOfDebitItself = (
  { transactionReference }: Pick<Transaction, 'transactionReference'>,
  { kind, operatorTxId }: Pick<Expected, 'kind' | 'operatorTxId'>,
): boolean =>
  kind !== 'DEBIT' && operatorTxId !== undefined && isSame(transactionReference, operatorTxId);

/** It returns money instead of taking it, or the other way round. */
function isOfOtherKind(transaction: Transaction, expected: Expected): boolean {
  const { type, originalTransactionReference: original, transactionReference } = transaction;
  const types = typesOf[expected.kind];
  if (isNamed(type) && !types.includes(String(type).toLowerCase())) return true;
  if (types === returnTypes) return isOfDebitItself(transaction, expected);
  // A debit or disbursement refers to no other transaction.
  return isNamed(original) && !isSame(original, transactionReference);
}

/** The content of a callback's body; undefined if it is not a callback, or not about our request. */
export function answerOfCallback(body: unknown, expected: Expected): OperatorAnswer | undefined {
  if (isGsmaError(body)) {
    if (isOfAnother(body, expected) || successIn(body)) return undefined;
    const failureCode = meaningOfEnd(body, expected.kind);
    return failureCode === 'ASK' ? pending : { kind: 'failed', failureCode };
  }
  if (!isTransaction(body)) return undefined;
  const answer = answerOfTransaction(body, expected);
  const { transactionReference: id, transactionStatus } = body;
  if (answer?.kind !== 'unknown' || expected.kind === 'DEBIT' || !isEnd(transactionStatus)) {
    return answer;
  }
  // Whether all of it came back, a person must find out, as after a query.
  const isPaidBack = expected.kind === 'DISBURSEMENT' && isReversed(transactionStatus);
  return isPaidBack ? mismatchOf(completed(id), expected) : { ...answer, deniesSuccess: true };
}
