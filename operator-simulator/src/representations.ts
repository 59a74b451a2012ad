import type { Told, Transaction } from './records.ts';
import type { Party } from './requests.ts';
import { majorOf } from './standard.ts';

/** `SIM0000000042`, the provider's id of a transaction. */
export const referenceOf = (number: number) => `SIM${String(number).padStart(10, '0')}`;

/** Also reads an id in a strange notation. */
export function numberOf(reference: string): number | undefined {
  const [, digits] =
    /^[^\p{L}\p{N}]*(?:\[31m)?[S\u0405]IM(\d{10,15})[^\p{L}\p{N}]*$/u.exec(reference) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** The standard's transaction or reversal. */
export function transactionBody(transaction: Transaction, account: Party, status?: string) {
  const { shownNumber, kind, originalShownNumber: original, reference } = transaction;
  const [payer, ours] = [[{ key: 'msisdn', value: transaction.payer }], [account]];
  const isDebit = kind === 'merchantpay';
  return {
    transactionReference: referenceOf(shownNumber),
    ...(original !== null && { originalTransactionReference: referenceOf(original) }),
    requestingOrganisationTransactionReference: reference,
    debitParty: isDebit ? payer : ours,
    creditParty: isDebit ? ours : payer,
    type: kind,
    transactionStatus: status ?? transaction.status,
    amount: majorOf(transaction.amountMinor),
    currency: transaction.currency,
    ...descriptionOf(transaction),
    creationDate: new Date(transaction.createdAtMs).toISOString(),
    modificationDate: new Date(transaction.changedAtMs).toISOString(),
  };
}

/** The text of the request for the customer. */
function descriptionOf({ kind, request }: Transaction): { descriptionText?: string } {
  if (kind === 'reversal') return {};
  try {
    const { descriptionText } = JSON.parse(request)[1];
    return typeof descriptionText === 'string' ? { descriptionText } : {};
  } catch {
    return {};
  }
}

/** The standard's error object for a failed transaction. */
export function errorBody({ errorCategory, errorCode, changedAtMs }: Transaction) {
  return { errorCategory, errorCode, errorDateTime: new Date(changedAtMs).toISOString() };
}

/** The standard's request state object. */
export function stateBody(
  transaction: Transaction,
  { pollLimit, expiryMs }: { pollLimit: number; expiryMs: number },
  isPrompted: boolean,
) {
  const { requestId, status, callbackUrl, shownNumber, createdAtMs } = transaction;
  return {
    serverCorrelationId: requestId,
    status,
    notificationMethod: callbackUrl === null ? 'polling' : 'callback',
    pollLimit,
    ...(status === 'pending' && {
      pendingReason: isPrompted
        ? 'The payer has been prompted.'
        : 'The prompt is on its way to the payer.',
      expiryTime: new Date(createdAtMs + expiryMs).toISOString(),
    }),
    ...(status === 'completed' && { objectReference: referenceOf(shownNumber) }),
    ...(status === 'failed' && { error: errorBody(transaction) }),
  };
}

/** The content of a transaction's callback, true or not. */
export function callbackBody(
  transaction: Transaction,
  account: Party,
  { told, feeMinor }: { told: Told; feeMinor: bigint },
) {
  const isFailed = transaction.status === 'failed';
  if (told === 'pending') return transactionBody(transaction, account, 'pending');
  if (told === 'opposite') {
    const error = { ...transaction, errorCategory: 'businessRule', errorCode: 'genericError' };
    return isFailed ? transactionBody(transaction, account, 'completed') : errorBody(error);
  }
  if (isFailed) return errorBody(transaction);
  const amountMinor = transaction.amountMinor + (told === 'fee' ? feeMinor : 0n);
  return transactionBody({ ...transaction, amountMinor }, account);
}
