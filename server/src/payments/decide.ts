import type { FailureCode, OperatorAnswer } from '../operators/operator.ts';
import type { WrongDebit } from '../reversals/reversal.ts';
import { isClosedWithoutDebit, isOpen, type Payment, type PaymentStatus } from './payment.ts';

/** How long to wait for whom. All in milliseconds. */
export interface PaymentTiming {
  /** How long an operator may take to answer a request; shorter than the lease. */
  operatorTimeoutMs: number;
  /** How long after expiry a payment that the operator still calls pending is kept open. */
  expiryGraceMs: number;
  /** The first gap between two questions about an outcome; it doubles up to the longest. */
  firstAskGapMs: number;
  longestAskGapMs: number;
}

/** What follows from an operator's answer. At most one of `to` and `resend` is set. */
export interface Decision {
  to?: PaymentStatus;
  failureCode?: FailureCode;
  operatorTxId?: string;
  /** When to look at the payment again; null: never. Absent: as it was. */
  dueAtMs?: number | null;
  /** The operator never heard of the debit, so it is asked for again under the same reference. */
  resend?: true;
  /** A debit that must go back to the customer. */
  reverse?: WrongDebit;
}

/** Decides what an operator's answer means for a payment. Pure: the transition itself is a compare-and-set. */
export function decide(
  payment: Payment,
  answer: OperatorAnswer,
  nowMs: number,
  timing: PaymentTiming,
): Decision {
  if (isOpen(payment.status)) return decideOpen(payment, answer, nowMs, timing);
  if (isClosedWithoutDebit(payment.status)) return decideClosed(payment, answer, nowMs, timing);
  return decideDebited(payment, answer);
}

function decideOpen(
  payment: Payment,
  answer: OperatorAnswer,
  nowMs: number,
  timing: PaymentTiming,
): Decision {
  switch (answer.kind) {
    case 'succeeded':
      if (answer.amountMinor === payment.amountMinor) {
        return { to: 'DEBITED', operatorTxId: answer.operatorTxId, dueAtMs: null };
      }
      return {
        ...waitOrExpire(payment, 'PENDING', nowMs, timing),
        reverse: { ...debitOf(answer), reason: 'WRONG_AMOUNT' },
      };
    case 'failed':
      return {
        to: answer.failureCode === 'CONFIRMATION_TIMEOUT' ? 'EXPIRED' : 'FAILED',
        failureCode: answer.failureCode,
        dueAtMs: null,
      };
    case 'unknown':
      return waitOrExpire(payment, answer.progress, nowMs, timing);
  }
}

function waitOrExpire(
  payment: Payment,
  progress: (OperatorAnswer & { kind: 'unknown' })['progress'],
  nowMs: number,
  timing: PaymentTiming,
): Decision {
  const neverArrived = progress === 'NOT_FOUND' && requestIsOver(payment, nowMs, timing);
  const expired = { to: 'EXPIRED', failureCode: 'CONFIRMATION_TIMEOUT' } as const;
  if (nowMs >= payment.expiresAtMs) {
    if (neverArrived) return { ...expired, dueAtMs: null };
    const graceEndMs = payment.expiresAtMs + timing.expiryGraceMs;
    const nextMs = nextAskMs(payment, nowMs, timing);
    if (nowMs >= graceEndMs) return { ...expired, dueAtMs: nextMs };
    return { dueAtMs: Math.min(nextMs, graceEndMs) };
  }
  if (neverArrived) return { resend: true };
  const dueAtMs = Math.min(nextAskMs(payment, nowMs, timing), payment.expiresAtMs);
  if (progress === 'PROMPTED' && payment.status === 'OPERATOR_PENDING') {
    return { to: 'USER_CONFIRMING', dueAtMs };
  }
  return { dueAtMs };
}

/** A payment that was cancelled or expired after it was sent is watched until the operator is definite. */
function decideClosed(
  payment: Payment,
  answer: OperatorAnswer,
  nowMs: number,
  timing: PaymentTiming,
): Decision {
  if (answer.kind === 'succeeded') {
    return { dueAtMs: null, reverse: { ...debitOf(answer), reason: 'LATE_DEBIT' } };
  }
  if (answer.kind === 'failed') return { dueAtMs: null };
  if (answer.progress === 'NOT_FOUND' && requestIsOver(payment, nowMs, timing)) {
    return { dueAtMs: null };
  }
  if (payment.dueAtMs === null) return {};
  return { dueAtMs: nextAskMs(payment, nowMs, timing) };
}

/** A success is never overwritten; only a second transaction of the operator means anything. */
function decideDebited(payment: Payment, answer: OperatorAnswer): Decision {
  if (answer.kind !== 'succeeded' || answer.operatorTxId === payment.operatorTxId) return {};
  return { reverse: { ...debitOf(answer), reason: 'SECOND_DEBIT' } };
}

const debitOf = (answer: OperatorAnswer & { kind: 'succeeded' }) => ({
  operatorTxId: answer.operatorTxId,
  amountMinor: answer.amountMinor,
});

/**
 * How long after `sentAtMs` a request may begin at the latest: the commit in between takes its time,
 * and a process may be frozen.
 */
export const latestStartMs = 2_000;

/** How long after `sentAtMs` a request may be on its way: until then "not found" proves nothing. */
export function requestLengthMs(timing: PaymentTiming): number {
  return latestStartMs + timing.operatorTimeoutMs;
}

function requestIsOver(payment: Payment, nowMs: number, timing: PaymentTiming): boolean {
  return payment.sentAtMs !== null && nowMs > payment.sentAtMs + requestLengthMs(timing);
}

/** Gaps double from the first to the longest. */
export function nextAskMs(
  payment: Pick<Payment, 'askCount'>,
  nowMs: number,
  timing: PaymentTiming,
): number {
  const doubled = timing.firstAskGapMs * 2 ** Math.min(payment.askCount, 30);
  return nowMs + Math.min(doubled, timing.longestAskGapMs);
}
