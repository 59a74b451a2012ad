import type { Expected } from '../adapter.ts';
import { minorOf } from '../amount.ts';
import type { OperatorAnswer, ToldSuccess } from '../operator.ts';
import { isName, readableName } from '../transaction-ids.ts';
import { isNamed, isOfAnother, isSame } from './correlation.ts';
import { isGsmaError, meaningOfEnd } from './errors.ts';
import { isOfOtherParties } from './parties.ts';
import { isReversed, isSuccess, meaningOfStatus } from './transaction-statuses.ts';

export const pending: OperatorAnswer = { kind: 'unknown', progress: 'PENDING' };
export const prompted: OperatorAnswer = { kind: 'unknown', progress: 'PROMPTED' };
export const unreachable: OperatorAnswer = { kind: 'unknown', progress: 'UNREACHABLE' };
export const notSent: OperatorAnswer = { kind: 'unknown', progress: 'NOT_SENT' };
export const notFound: OperatorAnswer = { kind: 'unknown', progress: 'NOT_FOUND' };

/** The types of what comes from a customer, and of what goes back. */
export const comingIn = ['merchantpay', 'billpay'];
export const givingBack = ['reversal', 'adjustment'];

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

/** Whether a body is a transaction or a reversal of the standard, as far as an outcome needs it. */
export function isTransaction(body: unknown): body is Transaction {
  if (typeof body !== 'object' || body === null) return false;
  const { transactionReference: reference, transactionStatus: status } =
    body as Partial<Transaction>;
  return typeof reference === 'string' && typeof status === 'string';
}

/**
 * What tells of a transaction without being one: its reference cannot be read, or it is a request's state without the
 * request's id. Nothing of it is booked, and that it succeeded must be told.
 */
export function unnamed(body: unknown, named = ''): Transaction | undefined {
  if (isTransaction(body)) return body;
  const transaction = { ...(body as object | undefined), transactionReference: named };
  if (isTransaction(transaction)) return transaction;
  const { status, objectReference: id } = (body ?? {}) as Record<string, unknown>;
  const isDone = typeof status === 'string' && isSuccess(status);
  return isDone ? completed(typeof id === 'string' ? id : named) : undefined;
}

/** Whether an error says, too, that what was asked for is done. */
export const successIn = (body: unknown): Transaction | undefined => {
  const told = unnamed(body);
  return told && isSuccess(told.transactionStatus) ? told : undefined;
};

/**
 * What a transaction says. Undefined if it is not what was asked for (another reference, another payer or payee, the
 * return of another debit, a debit in place of what gives it back), or succeeded in another currency, with an amount that cannot be read, or
 * under a name that cannot be booked: a person must look, and nothing is booked.
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

/** A transaction that is not what was asked for, or cannot be booked; undefined unless it says that it succeeded. */
export function mismatchOf(
  transaction: Transaction,
  expected: Expected,
): OperatorAnswer | undefined {
  if (meaningOfStatus(transaction, expected) !== 'SUCCEEDED') return undefined;
  const { transactionReference, amount, currency, type } = transaction;
  const { requestingOrganisationTransactionReference: reference } = transaction;
  const told: ToldSuccess = {
    operatorTxId: readableName(transactionReference),
    amount: readable(amount),
    currency: readable(currency),
    type: readable(type),
    reference: readable(reference),
  };
  return { kind: 'unknown', progress: 'MISMATCH', told };
}

/** A transaction that a request state calls completed, and of which no more is known. */
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

/** Whether it repeats the reference of the debit that is to go back: that names no transaction which gave it back. */
export const isOfDebitItself = (
  { transactionReference }: Pick<Transaction, 'transactionReference'>,
  { kind, operatorTxId }: Pick<Expected, 'kind' | 'operatorTxId'>,
): boolean =>
  kind !== 'DEBIT' && operatorTxId !== undefined && isSame(transactionReference, operatorTxId);

/** It gives back where money was to come in, or the other way round. */
function isOfOtherKind(transaction: Transaction, expected: Expected): boolean {
  const { type, originalTransactionReference: original, transactionReference } = transaction;
  const types = expected.kind === 'DEBIT' ? comingIn : givingBack;
  if (isNamed(type) && !types.includes(String(type).toLowerCase())) return true;
  if (expected.kind !== 'DEBIT') return isOfDebitItself(transaction, expected);
  // A debit is of no other transaction.
  return isNamed(original) && !isSame(original, transactionReference);
}

/** What the body of a callback says; undefined if it is not a callback, or not about what was requested. */
export function answerOfCallback(body: unknown, expected: Expected): OperatorAnswer | undefined {
  if (isGsmaError(body)) {
    if (isOfAnother(body, expected) || successIn(body)) return undefined;
    const failureCode = meaningOfEnd(body);
    return failureCode === 'ASK' ? pending : { kind: 'failed', failureCode };
  }
  return isTransaction(body) ? answerOfTransaction(body, expected) : undefined;
}
