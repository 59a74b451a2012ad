import type { Expected } from '../adapter.ts';
import type { FailureCode } from '../operator.ts';
import { isSame } from './correlation.ts';

/** The meaning of a status for our request. OPEN: it decides nothing, so the operator is queried again. */
type Meaning = 'SUCCEEDED' | 'OPEN' | FailureCode;

/**
 * The standard leaves the words to the operator; these are in use. A word that fails a debit need not fail a return
 * or a disbursement: no such word says who cancelled a refund, or whether a refund that timed out was carried out, and
 * a refund or disbursement that is FAILED by mistake is paid twice. A disbursement that was "reversed" had left our
 * account: whether all of it came back, a person must find out.
 */
const meanings: ReadonlyMap<string, { debit: Meaning; goingOut: Meaning }> = new Map(
  Object.entries({
    completed: { debit: 'SUCCEEDED', goingOut: 'SUCCEEDED' },
    complete: { debit: 'SUCCEEDED', goingOut: 'SUCCEEDED' },
    success: { debit: 'SUCCEEDED', goingOut: 'SUCCEEDED' },
    successful: { debit: 'SUCCEEDED', goingOut: 'SUCCEEDED' },
    succeeded: { debit: 'SUCCEEDED', goingOut: 'SUCCEEDED' },
    failed: { debit: 'OPERATOR_REJECTED', goingOut: 'OPERATOR_REJECTED' },
    rejected: { debit: 'OPERATOR_REJECTED', goingOut: 'OPERATOR_REJECTED' },
    declined: { debit: 'PAYER_DECLINED', goingOut: 'OPERATOR_REJECTED' },
    cancelled: { debit: 'PAYER_DECLINED', goingOut: 'OPEN' },
    canceled: { debit: 'PAYER_DECLINED', goingOut: 'OPEN' },
    expired: { debit: 'CONFIRMATION_TIMEOUT', goingOut: 'OPEN' },
    timedout: { debit: 'CONFIRMATION_TIMEOUT', goingOut: 'OPEN' },
    reversed: { debit: 'OPERATOR_REJECTED', goingOut: 'OPEN' },
    refunded: { debit: 'OPEN', goingOut: 'OPEN' },
    returned: { debit: 'OPEN', goingOut: 'OPEN' },
  }),
);

const wordOf = (status: string) => status.toLowerCase().replace(/[^a-z]/g, '');

/** Whether a status says that the transaction was undone. */
export const isReversed = (status: string): boolean => wordOf(status) === 'reversed';

/** Whether a status that is no success says that the transaction has ended. */
export const isEnd = (status: string): boolean => meanings.has(wordOf(status));

/** Words for a transaction that has not ended. */
const underWay = ['pending', 'initiated', 'processing', 'inprogress', 'accepted', 'notcompleted'];

/** Whether a status says that the transaction has not ended; an unknown word says nothing. */
export const isUnderWay = (status: string): boolean => underWay.includes(wordOf(status));

/** Whether a status means success, for a request or a transaction. */
export const isSuccess = (status: string): boolean =>
  meanings.get(wordOf(status))?.debit === 'SUCCEEDED';

interface Stated {
  transactionStatus: string;
  originalTransactionReference?: unknown;
}

/**
 * The meaning of a transaction's status for the direction of our request. "Reversed" is the success of a reversal
 * that names the debit that it reverses; without that name, the reversal itself may have been undone.
 */
export function meaningOfStatus(
  { transactionStatus, originalTransactionReference: original }: Stated,
  { kind, operatorTxId }: Pick<Expected, 'kind' | 'operatorTxId'>,
): Meaning {
  const word = wordOf(transactionStatus);
  const meaning = meanings.get(word);
  if (!meaning) return 'OPEN';
  if (kind === 'DEBIT') return meaning.debit;
  const isOfDebit = operatorTxId !== undefined && isSame(original, operatorTxId);
  return word === 'reversed' && isOfDebit ? 'SUCCEEDED' : meaning.goingOut;
}
