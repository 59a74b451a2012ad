import type {
  FailureCode,
  OperatorAnswer,
  OperatorTraits,
} from '../../integrations/operators/operator.ts';
import {
  isAcknowledged,
  nextQueryMs,
  type QueryTiming,
} from '../../integrations/operators/query-schedule.ts';
import { isSameName } from '../../integrations/operators/transaction-ids.ts';
import { mismatch } from '../review/mismatch.ts';
import type { Finding } from '../review/review-item.ts';
import { expired, waitOrExpire } from './expire.ts';
import { isClosedWithoutDebit, isOpen, type Payment, type PaymentStatus } from './payment.ts';
import type { WrongDebit } from './wrong-debit.ts';

/** How long to wait, and for whom. All in milliseconds. */
export interface PaymentTiming extends QueryTiming {
  /** How long after its expiry a payment stays open if the operator still calls it pending. */
  expiryGraceMs: number;
}

/** The consequences of an operator's answer. At most one of `to`, `send` and `taken` is set. */
export interface Decision {
  to?: PaymentStatus;
  failureCode?: FailureCode;
  operatorTxId?: string;
  /** When to look at the payment again; null: never; absent: unchanged. */
  dueAtMs?: number | null;
  /** Request the debit: it never was requested, or the operator, which deduplicates, does not know it. */
  send?: true;
  /** The operator has the request although our records say that nothing is under way: watch the payment from now on. */
  taken?: true;
  /** A debit that must go back to the customer. */
  reverse?: WrongDebit;
  /** A case for a person. */
  review?: Finding;
  /** The case is a success that differs from our request: until it is clear, the payment does not expire. */
  mismatched?: true;
  /** The operator never had the request: there will be no debit. */
  notReceived?: true;
}

export type Traits = Pick<OperatorTraits, 'deduplicates' | 'answersQueries'>;
type Unknown = OperatorAnswer & { kind: 'unknown' };
type Succeeded = OperatorAnswer & { kind: 'succeeded' };
type Failed = OperatorAnswer & { kind: 'failed' };

/** Decides what an operator's answer means for a payment. Pure: the transition itself is a compare-and-set. */
export function decide(
  payment: Payment,
  answer: OperatorAnswer,
  nowMs: number,
  timing: PaymentTiming,
  traits: Traits,
): Decision {
  if (isOpen(payment.status)) return decideOpen(payment, answer, nowMs, timing, traits);
  if (isClosedWithoutDebit(payment.status)) {
    return decideClosed(payment, answer, nowMs, timing, traits);
  }
  return decideDebited(payment, answer, nowMs);
}

function decideOpen(
  payment: Payment,
  answer: OperatorAnswer,
  nowMs: number,
  timing: PaymentTiming,
  traits: Traits,
): Decision {
  switch (answer.kind) {
    case 'succeeded':
      if (answer.amountMinor === payment.amountMinor) {
        return { to: 'DEBITED', operatorTxId: answer.operatorTxId, dueAtMs: null };
      }
      return {
        // Stryker disable next-line StringLiteral: only PROMPTED and NOT_FOUND make a difference here
        ...waitOrExpire(payment, 'PENDING', nowMs, timing, traits),
        reverse: { ...debitOf(answer), reason: 'WRONG_AMOUNT' },
      };
    case 'failed':
      if (hasReportedDebit(payment)) return disputed(payment, answer, nowMs, timing, traits);
      return {
        to: answer.failureCode === 'CONFIRMATION_TIMEOUT' ? 'EXPIRED' : 'FAILED',
        failureCode: answer.failureCode,
        dueAtMs: null,
      };
    case 'unknown':
      return {
        ...decideUnknown(payment, answer, nowMs, timing, traits),
        ...mismatchOf(payment, answer, nowMs),
      };
  }
}

function decideUnknown(
  payment: Payment,
  answer: Unknown,
  nowMs: number,
  timing: PaymentTiming,
  traits: Traits,
): Decision {
  const { sentAtMs, mismatched } = payment;
  const isHeld = mismatched || answer.progress === 'MISMATCH';
  if (sentAtMs === null) {
    if (isHeld) return { taken: true, dueAtMs: nextQueryMs(payment, nowMs, timing) };
    return decideUnsent(payment, answer, nowMs, timing);
  }
  const watchEndMs = sentAtMs + timing.watchMs;
  if (!isHeld || nowMs >= watchEndMs) {
    return waitOrExpire(payment, answer.progress, nowMs, timing, traits);
  }
  // The operator has reported a success, so no lack of an answer now may expire the payment.
  return { dueAtMs: Math.min(nextQueryMs(payment, nowMs, timing), watchEndMs) };
}

/** Our records say that the payment was never sent; we queried the operator because a database can be restored. */
function decideUnsent(
  payment: Payment,
  { progress }: Unknown,
  nowMs: number,
  timing: PaymentTiming,
): Decision {
  const nextMs = nextQueryMs(payment, nowMs, timing);
  if (isAcknowledged(progress)) return { taken: true, dueAtMs: nextMs };
  const isOver = nowMs >= payment.expiresAtMs;
  if (progress === 'NOT_FOUND') return isOver ? { ...expired, dueAtMs: null } : { send: true };
  // The payment expires in time, and the operator is still queried once.
  if (isOver) return { ...expired, dueAtMs: nextMs };
  return { dueAtMs: Math.min(nextMs, payment.expiresAtMs) };
}

/** Whether the operator has reported a debit that differs from our request, and no person has cleared it up. */
export const hasReportedDebit = ({ mismatched, byHand }: Payment): boolean => mismatched && !byHand;

/**
 * A failure does not undo a reported success: the payment goes on as if there were no answer, and a person must look
 * into it.
 */
function disputed(
  payment: Payment,
  answer: Failed,
  nowMs: number,
  timing: PaymentTiming,
  traits: Traits,
): Decision {
  const review = contradiction(payment, answer);
  if (!isOpen(payment.status) && payment.dueAtMs === null) return { dueAtMs: null, review };
  const pending: Unknown = { kind: 'unknown', progress: 'PENDING' };
  return { review, ...decide(payment, pending, nowMs, timing, traits) };
}

/** A payment that was cancelled or expired after it was sent is watched until the operator is definite. */
function decideClosed(
  payment: Payment,
  answer: OperatorAnswer,
  nowMs: number,
  timing: PaymentTiming,
  traits: Traits,
): Decision {
  if (answer.kind === 'failed') {
    return hasReportedDebit(payment)
      ? disputed(payment, answer, nowMs, timing, traits)
      : { dueAtMs: null };
  }
  if (answer.kind === 'succeeded') {
    const review = payment.byHand && contradiction(payment, answer);
    if (review) return { dueAtMs: null, review };
    return { dueAtMs: null, reverse: { ...debitOf(answer), reason: 'LATE_DEBIT' } };
  }
  const watched = decideWatched(payment, answer, nowMs, timing, traits);
  return { ...watched, ...(watched.review ? {} : mismatchOf(payment, answer, nowMs)) };
}

function decideWatched(
  payment: Payment,
  { progress }: Unknown,
  nowMs: number,
  timing: PaymentTiming,
  traits: Traits,
): Decision {
  const isWatched = payment.dueAtMs !== null;
  const dueAtMs = nextQueryMs(payment, nowMs, timing);
  if (isAcknowledged(progress) && (!isWatched || payment.sentAtMs === null)) {
    return { taken: true, dueAtMs };
  }
  if (!isWatched) return { dueAtMs: null };
  // "Not found" is true only for now: enough if the payment was never sent, or had failed before.
  const isSettled = payment.sentAtMs === null || payment.status === 'FAILED';
  if (isSettled && progress === 'NOT_FOUND') return { dueAtMs: null };
  const watchEndMs = (payment.sentAtMs ?? payment.createdAtMs) + timing.watchMs;
  if (nowMs < watchEndMs) return { dueAtMs: Math.min(dueAtMs, watchEndMs) };
  if (progress === 'NOT_FOUND' && traits.answersQueries && !payment.mismatched) {
    return { dueAtMs: null, notReceived: true };
  }
  const detail = { status: payment.status, lastAnswer: progress };
  // A payment that is sent or taken up again can become unclear again, and is listed again.
  const about = String(payment.sentAtMs);
  return { dueAtMs: null, review: { kind: 'UNCLEAR', about, detail } };
}

/** A success is never overwritten; a person handles any contradicting answer. */
function decideDebited(payment: Payment, answer: OperatorAnswer, nowMs: number): Decision {
  const nothing: Decision = { dueAtMs: null };
  if (answer.kind === 'unknown') {
    const named = answer.reported?.operatorTxId;
    const isBooked = named === '' || isSameName(named, payment.operatorTxId);
    return isBooked ? nothing : { ...nothing, ...mismatchOf(payment, answer, nowMs) };
  }
  if (answer.kind === 'failed') return { ...nothing, review: failedDebit(payment, answer) };
  const isSame = isSameName(answer.operatorTxId, payment.operatorTxId);
  if (!isSame && !payment.byHand) {
    return { ...nothing, reverse: { ...debitOf(answer), reason: 'SECOND_DEBIT' } };
  }
  const isBooked = isSame && answer.amountMinor === payment.amountMinor;
  return isBooked ? nothing : { ...nothing, review: contradiction(payment, answer) };
}

/** A success that differs from our request, with both sides; nothing for any other answer. */
function mismatchOf(
  payment: Payment,
  { reported, progress }: Unknown,
  nowMs: number,
): Pick<Decision, 'review' | 'mismatched'> {
  if (!reported) return {};
  const { status, operatorTxId, amountMinor, currency } = payment;
  // The transaction could not be read just now: that may pass before the customer's time is up.
  const mayMend = progress === 'UNREACHABLE' && isOpen(status) && nowMs < payment.expiresAtMs;
  if (mayMend) return { mismatched: true };
  const review = mismatch({ status, operatorTxId, amountMinor, currency }, reported);
  const mayBeDebited = isOpen(status) || isClosedWithoutDebit(status);
  return mayBeDebited ? { review, mismatched: true } : { review };
}

/**
 * The booked debit failed or was reversed: it cannot be refunded until a person has closed the item. `zimbo operators
 * recover` makes the same item from the operator's list.
 */
function failedDebit(payment: Payment, answer: Failed): Finding {
  const { id: paymentId, amountMinor, operatorTxId } = payment;
  const { booked, told: said } = contradiction(payment, answer).detail;
  const told = { ...(said as object), operatorTxId, listedAs: 'FAILED' };
  const reserved = { paymentId, amountMinor: amountMinor.toString() };
  return { kind: 'CONTRADICTION', about: operatorTxId ?? '', detail: { booked, told, reserved } };
}

/** How the operator contradicts our records, with both sides. */
function contradiction(payment: Payment, answer: Succeeded | Failed): Finding {
  const { status, operatorTxId, amountMinor, byHand } = payment;
  const booked = { status, operatorTxId, amountMinor: amountMinor.toString(), byHand };
  const told =
    answer.kind === 'failed'
      ? answer
      : { kind: answer.kind, ...debitOf(answer), amountMinor: answer.amountMinor.toString() };
  const about =
    answer.kind === 'failed' ? 'failed' : `${answer.operatorTxId} ${answer.amountMinor}`;
  return { kind: 'CONTRADICTION', about, detail: { booked, told } };
}

const debitOf = (answer: Succeeded) => ({
  operatorTxId: answer.operatorTxId,
  amountMinor: answer.amountMinor,
});
