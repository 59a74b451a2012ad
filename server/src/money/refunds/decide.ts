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
import type { Refund } from './refund.ts';

/** The effect of an operator's answer on a refund; `dueAtMs` follows from it. */
export type Outcome =
  | { to: 'SUCCEEDED'; operatorRefundId: string }
  | { to: 'FAILED'; failureCode: FailureCode }
  /** It succeeded after it had FAILED; its status stays FAILED. */
  | { to: 'FAILED'; operatorRefundId: string };

type Failure = OperatorAnswer & { kind: 'failed' };

/**
 * Decides what an operator's answer means for a refund. Success is a fact: no later answer takes it
 * back, and after FAILED it is booked once without a change of the status. Pure.
 */
export function decideRefund(
  refund: Refund,
  answer: OperatorAnswer,
  nowMs: number,
  timing: QueryTiming,
  traits: Pick<OperatorTraits, 'deduplicates' | 'answersQueries'>,
): Decision<Outcome> {
  if (answer.kind === 'unknown') {
    const isOpen = refund.status === 'PENDING' || refund.status === 'PROCESSING';
    const next = isOpen && { next: afterUnknown(refund, answer.progress, nowMs, timing, traits) };
    return { ...next, ...mismatchOf(refund, answer) };
  }
  return answer.kind === 'succeeded'
    ? decideSuccess(refund, answer)
    : decideFailure(refund, answer);
}

/** A success that differs from our request: nothing is booked, and a person must ask the operator. */
function mismatchOf(
  { status, operatorRefundId, amountMinor, currency }: Refund,
  { reported }: OperatorAnswer & { kind: 'unknown' },
): { review?: Finding } {
  if (!reported || isSameName(reported.operatorTxId, operatorRefundId)) return {};
  return { review: mismatch({ status, operatorRefundId, amountMinor, currency }, reported) };
}

function decideSuccess(
  refund: Refund,
  { operatorTxId, amountMinor }: OperatorAnswer & { kind: 'succeeded' },
): Decision<Outcome> {
  const { status, operatorRefundId } = refund;
  const isOther = amountMinor !== refund.amountMinor;
  const isKnown = isSameName(operatorTxId, operatorRefundId) && !isOther;
  const told = { operatorTxId, amountMinor: amountMinor.toString() };
  const review = contradiction(refund, operatorTxId, told);
  if (status === 'SUCCEEDED' || operatorRefundId !== null) return isKnown ? {} : { review };
  if (status === 'FAILED') {
    // The merchant has seen that it failed: a person must look into it, and nothing is booked by hand.
    if (refund.byHand) return { review };
    return { outcome: { to: 'FAILED', operatorRefundId: operatorTxId }, review };
  }
  // We book the requested amount; only a person can ask the operator about a difference.
  const outcome: Outcome = { to: 'SUCCEEDED', operatorRefundId: operatorTxId };
  return isOther ? { outcome, review } : { outcome };
}

function decideFailure(refund: Refund, failure: Failure): Decision<Outcome> {
  if (refund.status === 'SUCCEEDED' || refund.operatorRefundId !== null) {
    return { review: contradictionOfFailure(refund, failure) };
  }
  const { failureCode } = failure;
  return refund.status === 'FAILED' ? {} : { outcome: { to: 'FAILED', failureCode } };
}

/** The operator says that it failed, and has said otherwise before: a person must look into it. */
export const contradictionOfFailure = (refund: Refund, { failureCode }: Failure): Finding =>
  contradiction(refund, 'failed', { failureCode });

function contradiction(
  { status, operatorRefundId, amountMinor, byHand }: Refund,
  about: string,
  told: Record<string, unknown>,
): Finding {
  const booked = { status, operatorRefundId, amountMinor: amountMinor.toString(), byHand };
  return { kind: 'CONTRADICTION', about, detail: { booked, told } };
}
