import type { Expected } from '../adapter.ts';
import { minorOf } from '../amount.ts';
import { isName } from '../names.ts';
import type { FailureCode, OperatorAnswer } from '../operator.ts';
import { isGsmaError, meaningOfEnd } from './errors.ts';

export const pending: OperatorAnswer = { kind: 'unknown', progress: 'PENDING' };
export const prompted: OperatorAnswer = { kind: 'unknown', progress: 'PROMPTED' };
export const unreachable: OperatorAnswer = { kind: 'unknown', progress: 'UNREACHABLE' };
export const notSent: OperatorAnswer = { kind: 'unknown', progress: 'NOT_SENT' };
export const notFound: OperatorAnswer = { kind: 'unknown', progress: 'NOT_FOUND' };

const successes = ['completed', 'complete', 'success', 'successful', 'succeeded'];

/** The standard leaves the words to the operator; these are in use. */
const failures: Record<string, FailureCode> = {
  failed: 'OPERATOR_REJECTED',
  rejected: 'OPERATOR_REJECTED',
  reversed: 'OPERATOR_REJECTED',
  declined: 'PAYER_DECLINED',
  cancelled: 'PAYER_DECLINED',
  canceled: 'PAYER_DECLINED',
  expired: 'CONFIRMATION_TIMEOUT',
  timedout: 'CONFIRMATION_TIMEOUT',
};

/** The types of what goes back to the customer. */
const givingBack: unknown[] = ['reversal', 'adjustment'];

interface Transaction {
  transactionReference: string;
  transactionStatus: string;
  type?: unknown;
  amount?: unknown;
  currency?: unknown;
  requestingOrganisationTransactionReference?: unknown;
}

/** Whether a body is a transaction or a reversal of the standard, as far as an outcome needs it. */
export function isTransaction(body: unknown): body is Transaction {
  if (typeof body !== 'object' || body === null) return false;
  const { transactionReference: reference, transactionStatus: status } =
    body as Partial<Transaction>;
  return typeof reference === 'string' && typeof status === 'string';
}

/**
 * What a transaction says. Undefined if it is not what was asked for (another reference, a debit in
 * place of what gives it back), or succeeded in another currency, with an amount that cannot be read, or under a
 * name that cannot be booked: a person must look, and nothing is booked.
 */
export function answerOfTransaction(
  transaction: Transaction,
  expected: Expected,
): OperatorAnswer | undefined {
  const status = transaction.transactionStatus.toLowerCase().replace(/[^a-z]/g, '');
  const { requestingOrganisationTransactionReference: ours = expected.reference } = transaction;
  if (ours !== expected.reference || isOfOtherKind(transaction, expected)) return undefined;
  const failureCode = failures[status];
  if (failureCode) return { kind: 'failed', failureCode };
  if (!successes.includes(status)) return prompted;
  if (!isName(transaction.transactionReference)) return undefined;
  const { amountMinor: expectedMinor } = expected;
  const { amount, currency = expected.currency } = transaction;
  const isSilent = amount === undefined && expectedMinor !== undefined;
  const amountMinor = isSilent ? expectedMinor : minorOf(amount);
  if (!amountMinor || currency !== expected.currency) return undefined;
  return { kind: 'succeeded', operatorTxId: transaction.transactionReference, amountMinor };
}

function isOfOtherKind({ type }: Transaction, { kind }: Expected): boolean {
  return type !== undefined && givingBack.includes(type) === (kind === 'DEBIT');
}

/** What the body of a callback says; undefined if it is not a callback, or not about what was requested. */
export function answerOfCallback(body: unknown, expected: Expected): OperatorAnswer | undefined {
  if (isGsmaError(body)) {
    const failureCode = meaningOfEnd(body);
    return failureCode === 'ASK' ? pending : { kind: 'failed', failureCode };
  }
  return isTransaction(body) ? answerOfTransaction(body, expected) : undefined;
}
