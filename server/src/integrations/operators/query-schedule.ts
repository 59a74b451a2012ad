import { backoffMs } from '../../platform/jobs/backoff.ts';
import { latestStartMs } from '../../platform/jobs/send-under-lease.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { OperatorTraits, Progress } from './operator.ts';

/** When an operator is queried about the outcome of a request. All in milliseconds. */
export interface QueryTiming {
  /** How long an operator may take to answer a request; shorter than the lease. */
  operatorTimeoutMs: number;
  /** The first interval between two queries about an outcome; it doubles up to the longest. */
  firstBackoffMs: number;
  maxBackoffMs: number;
  /** How long after it was sent a request is queried, before a person must look into it. */
  watchMs: number;
}

/** With the intervals between them, some forty queries in the three days of a watch. */
export const queryBackoff = { firstBackoffMs: 5_000, maxBackoffMs: 9_000_000 };

/** How much longer the lease of a query is than the query. */
export const leaseMarginMs = 5_000;

/** The lease under which a query may begin now: the present lease, or a longer one. */
export function leaseForQuery(
  clock: Clock,
  leaseMs: number,
  { operatorTimeoutMs }: Pick<QueryTiming, 'operatorTimeoutMs'>,
): number {
  const endMs = clock.nowMs() + operatorTimeoutMs;
  return leaseMs >= endMs ? leaseMs : endMs + leaseMarginMs;
}

/** A request that may have been sent, with the fields that decide when to query it. */
export interface SentRequest {
  /** Since when a request may have left; null if none can have. */
  sentAtMs: number | null;
  queryCount: number;
}

/** A refund or a reversal. */
interface GivenBack extends SentRequest {
  createdAtMs: number;
}

/** How long after `sentAtMs` a request may be on its way: until then "not found" proves nothing. */
export function requestLengthMs({
  operatorTimeoutMs,
}: Pick<QueryTiming, 'operatorTimeoutMs'>): number {
  return latestStartMs + operatorTimeoutMs;
}

export function requestIsOver(
  { sentAtMs }: Pick<SentRequest, 'sentAtMs'>,
  nowMs: number,
  timing: Pick<QueryTiming, 'operatorTimeoutMs'>,
): boolean {
  return sentAtMs !== null && nowMs > sentAtMs + requestLengthMs(timing);
}

/** Its watch is over, so that a person may have taken over. */
export function watchIsOver(
  { sentAtMs }: Pick<SentRequest, 'sentAtMs'>,
  nowMs: number,
  { watchMs }: Pick<QueryTiming, 'watchMs'>,
): boolean {
  return sentAtMs !== null && nowMs >= sentAtMs + watchMs;
}

/** Intervals double from the first to the longest. */
export function nextQueryMs(
  { queryCount }: Pick<SentRequest, 'queryCount'>,
  nowMs: number,
  { firstBackoffMs, maxBackoffMs }: Pick<QueryTiming, 'firstBackoffMs' | 'maxBackoffMs'>,
): number {
  return nowMs + backoffMs(queryCount, firstBackoffMs, maxBackoffMs);
}

/** The operator has the request, whatever its outcome. */
export const isAcknowledged = (progress: Progress) =>
  progress === 'PENDING' || progress === 'PROMPTED' || progress === 'MISMATCH';

/** The next step for a request whose outcome the operator did not report. */
export type NextStep =
  | { kind: 'SEND' }
  /** Our records say that it was never sent, but the operator has it: it counts as sent from now. */
  | { kind: 'TAKEN'; dueAtMs: number }
  | { kind: 'WAIT'; dueAtMs: number }
  /** It was not found during the whole watch, and never acknowledged. */
  | { kind: 'NOT_RECEIVED' }
  /** The watch is over without an outcome: a person must look into it. */
  | { kind: 'UNCLEAR' };

/** Decides the next step of a refund or a reversal, for which nobody waits at a page. Pure. */
export function afterUnknown(
  asked: GivenBack,
  progress: Progress,
  nowMs: number,
  timing: QueryTiming,
  traits: Pick<OperatorTraits, 'deduplicates' | 'answersQueries'>,
): NextStep {
  const dueAtMs = nextQueryMs(asked, nowMs, timing);
  if (asked.sentAtMs === null) {
    if (isAcknowledged(progress)) return { kind: 'TAKEN', dueAtMs };
    return progress === 'NOT_FOUND' ? { kind: 'SEND' } : { kind: 'WAIT', dueAtMs };
  }
  const isNotFound = progress === 'NOT_FOUND';
  const watchEndMs = asked.sentAtMs + timing.watchMs;
  if (nowMs < watchEndMs) {
    // A repetition begins a watch of its own, so the number of repetitions must be limited.
    const isEarly = nowMs < asked.createdAtMs + timing.watchMs;
    const mayRepeat = traits.deduplicates && isEarly && requestIsOver(asked, nowMs, timing);
    if (isNotFound && mayRepeat) return { kind: 'SEND' };
    return { kind: 'WAIT', dueAtMs: Math.min(dueAtMs, watchEndMs) };
  }
  return { kind: isNotFound && traits.answersQueries ? 'NOT_RECEIVED' : 'UNCLEAR' };
}
