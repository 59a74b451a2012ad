import type {
  FailureCode,
  OperatorAnswer,
  OperatorTraits,
} from '../../integrations/operators/operator.ts';
import { afterUnknown, type QueryTiming } from '../../integrations/operators/query-schedule.ts';
import { isSameName } from '../../integrations/operators/transaction-ids.ts';
import type { Decision } from '../outgoing/process.ts';
import { mismatch } from '../review/mismatch.ts';
import type { Finding } from '../review/review-item.ts';
import type { Reversal } from './reversal.ts';

/** The effect of an operator's answer on a reversal. */
export type Outcome =
  | { status: 'SUCCEEDED'; operatorReversalId: string }
  | { status: 'FAILED'; failureCode: FailureCode };

type Known = Exclude<OperatorAnswer, { kind: 'unknown' }>;

/**
 * Decides what an operator's answer means for a reversal. Success is a fact, even after the operator had refused:
 * then suspense is cleared after all. Pure.
 */
export function decideReversal(
  reversal: Reversal,
  answer: OperatorAnswer,
  nowMs: number,
  timing: QueryTiming,
  traits: Pick<OperatorTraits, 'deduplicates' | 'answersQueries'>,
): Decision<Outcome> {
  const { status, byHand } = reversal;
  const isOpen = status === 'PENDING' || status === 'PROCESSING';
  if (answer.kind === 'unknown') {
    const next = isOpen && { next: afterUnknown(reversal, answer.progress, nowMs, timing, traits) };
    return { ...next, ...mismatchOf(reversal, answer) };
  }
  if (status === 'SUCCEEDED' || (byHand && status === 'FAILED')) {
    return isKnown(reversal, answer) ? {} : { review: contradiction(reversal, answer) };
  }
  if (answer.kind === 'failed') {
    return isOpen ? { outcome: { status: 'FAILED', failureCode: answer.failureCode } } : {};
  }
  const outcome = { status: 'SUCCEEDED', operatorReversalId: answer.operatorTxId } as const;
  // We book the requested amount; only a person can ask the operator about a difference.
  const isOther = answer.amountMinor !== reversal.amountMinor;
  return isOther ? { outcome, review: contradiction(reversal, answer) } : { outcome };
}

/** A success that differs from our request: nothing is booked, and a person must ask the operator. */
function mismatchOf(
  { status, operatorReversalId, amountMinor, currency }: Reversal,
  { reported }: OperatorAnswer & { kind: 'unknown' },
): { review?: Finding } {
  if (!reported || isSameName(reported.operatorTxId, operatorReversalId)) return {};
  return { review: mismatch({ status, operatorReversalId, amountMinor, currency }, reported) };
}

/** Whether the operator agrees with the outcome of a finished reversal. */
function isKnown({ status, operatorReversalId, amountMinor }: Reversal, answer: Known): boolean {
  if (answer.kind === 'failed') return status === 'FAILED';
  // For a reversal that succeeded before its transaction id was stored, any id is right.
  const isSame = isSameName(answer.operatorTxId, operatorReversalId ?? answer.operatorTxId);
  return status === 'SUCCEEDED' && isSame && answer.amountMinor === amountMinor;
}

/** The operator returned the debit a second time, or denies the return: a person must look into it. */
export function contradiction(
  { status, operatorReversalId, byHand, amountMinor }: Reversal,
  answer: Known,
): Finding {
  const booked = { status, operatorReversalId, amountMinor: amountMinor.toString(), byHand };
  const isSuccess = answer.kind === 'succeeded';
  const told = isSuccess ? { ...answer, amountMinor: answer.amountMinor.toString() } : answer;
  const about = isSuccess ? answer.operatorTxId : 'failed';
  return { kind: 'CONTRADICTION', about, detail: { booked, told } };
}
