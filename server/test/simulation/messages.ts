import { majorOf } from '../../src/operators/amount.ts';
import type { Answer, Request, Transaction } from './provider.ts';

/** Nothing if less is left than is asked for; of more than there ever was, all. */
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

export const payerOf = (given: Record<string, unknown>) =>
  (given.debitParty as { value: string }[] | undefined)?.[0]?.value;

export const unknown: Answer = {
  status: 404,
  body: { errorCategory: 'identification', errorCode: 'identifierError' },
};

export function refusal(errorCategory: string, errorCode: string, status = 400): Answer {
  return { status, body: { errorCategory, errorCode } };
}

export function stateOf({ correlationId, status, transaction, error }: Request) {
  return {
    serverCorrelationId: correlationId,
    status,
    ...(transaction && { objectReference: transaction.id }),
    ...(error && { error: errorOf(error) }),
  };
}

const errorOf = (errorCode: string) => ({
  errorCategory: errorCode === 'requestDeclined' ? 'authorisation' : 'businessRule',
  errorCode,
});

export function bodyOf(request: Request): unknown {
  const { transaction, isDebit, reference, error } = request;
  if (!transaction) return error ? errorOf(error) : stateOf(request);
  return {
    transactionReference: transaction.id,
    requestingOrganisationTransactionReference: reference,
    transactionStatus: request.status,
    type: isDebit ? 'merchantpay' : 'reversal',
    amount: majorOf(transaction.amountMinor),
    currency: transaction.currency,
  };
}

export function invented(
  { isDebit, reference, phone, amountMinor, currency }: Request,
  number: number,
): Transaction {
  const id = `NO-${number}`;
  return {
    id,
    isDebit,
    reference,
    phone,
    amountMinor,
    currency,
    atMs: 0,
    of: undefined,
    givenBackMinor: 0n,
  };
}

export function minorOf(major: string): bigint {
  const [whole, fraction = ''] = major.split('.');
  return BigInt(whole! + fraction.padEnd(2, '0'));
}
