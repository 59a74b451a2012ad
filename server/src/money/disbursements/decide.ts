import {
  type DisbursementFailureCode,
  failureOfDisbursement,
  type OperatorAnswer,
  type OperatorTraits,
  type Progress,
} from '../../integrations/operators/operator.ts';
import {
  afterUnknown,
  type NextStep,
  type QueryTiming,
} from '../../integrations/operators/query-schedule.ts';
import { isSameName } from '../../integrations/operators/transaction-ids.ts';
import type { Decision } from '../outgoing/process.ts';
import { mismatch } from '../review/mismatch.ts';
import type { Finding } from '../review/review-item.ts';
import type { Disbursement } from './disbursement.ts';

/** The effect of an operator's answer on a disbursement; `dueAtMs` follows from it. */
export type Outcome =
  | { to: 'SUCCEEDED'; operatorTxId: string }
  /** The message is that of the code, unless it is given. */
  | { to: 'FAILED'; failureCode: DisbursementFailureCode; failureMessage?: string }
  /** It succeeded after its end; its status stays. */
  | { to: 'FAILED' | 'CANCELLED'; operatorTxId: string };

type Traits = Pick<OperatorTraits, 'deduplicates' | 'answersQueries'>;
type Failure = OperatorAnswer & { kind: 'failed' };

/**
 * Decides what an operator's answer means for a disbursement. Success is a fact: no later answer takes it back, and
 * after FAILED or CANCELLED it is booked once without a change of the status. Pure.
 */
export function decideDisbursement(
  disbursement: Disbursement,
  answer: OperatorAnswer,
  nowMs: number,
  timing: QueryTiming,
  traits: Traits,
): Decision<Outcome> {
  if (answer.kind === 'unknown') {
    const { status } = disbursement;
    const isOpen = status === 'CREATED' || status === 'PROCESSING';
    const next = isOpen && {
      next: nextStep(disbursement, answer.progress, nowMs, timing, traits),
    };
    return { ...next, ...mismatchOf(disbursement, answer) };
  }
  return answer.kind === 'succeeded'
    ? decideSuccess(disbursement, answer)
    : decideFailure(disbursement, answer);
}

/**
 * At `expiresAt` an unsent disbursement is only asked about: it ends once the operator does not know it. One that was
 * sent never fails by a clock, even if the operator does not find it: a person decides, because the merchant would pay
 * the recipient a second time.
 */
function nextStep(
  disbursement: Disbursement,
  progress: Progress,
  nowMs: number,
  timing: QueryTiming,
  traits: Traits,
): NextStep {
  const next = afterUnknown(disbursement, progress, nowMs, timing, traits);
  if (disbursement.sentAtMs !== null) {
    return next.kind === 'NOT_RECEIVED' ? { kind: 'UNCLEAR' } : next;
  }
  const { expiresAtMs } = disbursement;
  if (next.kind === 'SEND') return nowMs < expiresAtMs ? next : { kind: 'NOT_RECEIVED' };
  if (next.kind !== 'WAIT' || nowMs >= expiresAtMs) return next;
  return { kind: 'WAIT', dueAtMs: Math.min(next.dueAtMs, expiresAtMs) };
}

/** A success that differs from our request: nothing is booked, and a person must ask the operator. */
function mismatchOf(
  { status, operatorTxId, amountMinor, currency }: Disbursement,
  { reported }: OperatorAnswer & { kind: 'unknown' },
): { review?: Finding } {
  if (!reported || isSameName(reported.operatorTxId, operatorTxId)) return {};
  return { review: mismatch({ status, operatorTxId, amountMinor, currency }, reported) };
}

function decideSuccess(
  disbursement: Disbursement,
  { operatorTxId, amountMinor }: OperatorAnswer & { kind: 'succeeded' },
): Decision<Outcome> {
  const { status } = disbursement;
  const isOther = amountMinor !== disbursement.amountMinor;
  const isKnown = isSameName(operatorTxId, disbursement.operatorTxId) && !isOther;
  const told = { operatorTxId, amountMinor: amountMinor.toString() };
  const review = contradiction(disbursement, operatorTxId, told);
  if (status === 'SUCCEEDED' || disbursement.operatorTxId !== null) {
    return isKnown ? {} : { review };
  }
  if (status === 'FAILED' || status === 'CANCELLED') {
    // The merchant has seen that it ended: a person must look into it, and nothing is booked by hand.
    if (disbursement.byHand) return { review };
    return { outcome: { to: status, operatorTxId }, review };
  }
  // We book the requested amount; only a person can ask the operator about a difference.
  const outcome: Outcome = { to: 'SUCCEEDED', operatorTxId };
  return isOther ? { outcome, review } : { outcome };
}

function decideFailure(disbursement: Disbursement, failure: Failure): Decision<Outcome> {
  const { status, operatorTxId } = disbursement;
  if (status === 'SUCCEEDED' || operatorTxId !== null) {
    return { review: contradictionOfFailure(disbursement, failure) };
  }
  if (status === 'FAILED' || status === 'CANCELLED') return {};
  return { outcome: { to: 'FAILED', failureCode: failureOfDisbursement(failure.failureCode) } };
}

/** The operator says that it failed, and has said otherwise before: a person must look into it. */
export const contradictionOfFailure = (
  disbursement: Disbursement,
  { failureCode }: Failure,
): Finding => contradiction(disbursement, 'failed', { failureCode });

function contradiction(
  { status, operatorTxId, amountMinor, byHand }: Disbursement,
  about: string,
  told: Record<string, unknown>,
): Finding {
  const booked = { status, operatorTxId, amountMinor: amountMinor.toString(), byHand };
  return { kind: 'CONTRADICTION', about, detail: { booked, told } };
}
