import { majorOf } from '../../src/integrations/operators/amount.ts';
import { plainNotation } from './notation.ts';
import type { Answer, Request, Transaction } from './operator-records.ts';

/**
 * Returns nothing if less is left than requested, and everything if the request exceeds the
 * untouched debit.
 */
export function leftToGiveBack({
  of,
  amountMinor,
}: {
  of: Transaction;
  amountMinor: bigint;
}): bigint {
  if (of.givenBackMinor === 0n && amountMinor > of.amountMinor) return of.amountMinor;
  return amountMinor <= of.amountMinor - of.givenBackMinor ? amountMinor : 0n;
}

export const isDebitPath = (path: string) => path === '/transactions/type/merchantpay';

export const isPayoutPath = (path: string) => path === '/transactions/type/disbursement';

export const payeeOf = (given: Record<string, unknown>) =>
  (given.creditParty as { value: string }[] | undefined)?.[0]?.value;

export const payerOf = (given: Record<string, unknown>) =>
  (given.debitParty as { value: string }[] | undefined)?.[0]?.value;

export const unknown: Answer = {
  status: 404,
  body: { errorCategory: 'identification', errorCode: 'identifierError' },
};

export function refusal(errorCategory: string, errorCode: string, status = 400): Answer {
  return { status, body: { errorCategory, errorCode } };
}

export function stateOf(request: Request) {
  const { correlationId, status, transaction, repeats, error, usesCapitals } = request;
  const reported = transaction ?? repeats?.transaction;
  return {
    serverCorrelationId: usesCapitals ? correlationId.toUpperCase() : correlationId,
    status: usesCapitals ? status.toUpperCase() : status,
    ...(reported && status === 'completed' && { objectReference: reported.notation.id }),
    ...(error && { error: errorOf(error) }),
  };
}

const errorOf = (errorCode: string) => ({
  errorCategory: errorCode === 'requestDeclined' ? 'authorisation' : 'businessRule',
  errorCode,
});

/** The final answer to a request: its transaction in the operator's notation, or its error. */
export function bodyOf(request: Request): Record<string, unknown> {
  const { transaction, repeats, reference, error, status } = request;
  if (transaction)
    return transaction.notation.write(transactionBody(request, transaction, reference));
  if (repeats && status === 'completed') {
    return transactionBody({ ...request, ...repeats }, repeats.transaction, repeats.reference);
  }
  return error ? errorOf(error) : stateOf(request);
}

function transactionBody(
  { status, ofId }: Pick<Request, 'status' | 'ofId'>,
  { notation, isDebit, isPayout, amountMinor, currency }: Transaction,
  reference: string | undefined,
) {
  return {
    transactionReference: notation.id,
    ...(reference !== undefined && { requestingOrganisationTransactionReference: reference }),
    ...(ofId !== undefined && { originalTransactionReference: ofId }),
    transactionStatus: status === 'completed' ? notation.done : status,
    type: isDebit ? 'merchantpay' : isPayout ? 'disbursement' : 'reversal',
    amount: majorOf(amountMinor),
    currency,
  };
}

/** The plain content of a body from {@link bodyOf}. */
export function truthOf(request: Request) {
  const { transaction, repeats, reference, status, error } = request;
  if (transaction) {
    return { requestingOrganisationTransactionReference: reference, transactionStatus: status };
  }
  if (repeats && status === 'completed') return {};
  return error ? errorOf(error) : plainStateOf(request);
}

export const plainStateOf = ({ correlationId: serverCorrelationId, status }: Request) => ({
  serverCorrelationId,
  status,
});

export function invented(
  { isDebit, isPayout, reference, phone, amountMinor, currency }: Request,
  number: number,
): Transaction {
  const id = `NO-${number}`;
  return {
    id,
    isDebit,
    isPayout,
    reference,
    phone,
    amountMinor,
    currency,
    atMs: 0,
    of: undefined,
    givenBackMinor: 0n,
    notation: plainNotation(id),
  };
}

export function minorOf(major: string): bigint {
  const [whole, fraction = ''] = major.split('.');
  return BigInt(whole! + fraction.padEnd(2, '0'));
}

/** Distinct callbacks that name no outcome of ours. */
export const junk: readonly unknown[] = Array.from({ length: 10 }, (_, index) => ({
  errorCategory: 'businessRule',
  errorCode: `junk${index}`,
}));

/** The clock that dates the list of transactions. */
export type ListClock = 'right' | 'behind' | 'ahead' | 'without a zone';

/** A row of the list of transactions. */
export function rowOf(request: Request, clock: ListClock): Record<string, unknown> {
  return { ...bodyOf(request), creationDate: dateOf(request.transaction!.atMs, clock) };
}

function dateOf(atMs: number, clock: ListClock): string {
  const hours = { right: 0, behind: -3, ahead: 3, 'without a zone': -1 }[clock];
  const text = new Date(atMs + hours * 3_600_000).toISOString();
  return clock === 'without a zone' ? text.replace('Z', '') : text;
}

/** The id of the debit that a path asks to reverse. */
export function debitOf(path: string): string {
  const [, id = ''] = /^\/transactions\/([^/]+)\/reversals$/.exec(path) ?? [];
  return decodeURIComponent(id);
}
