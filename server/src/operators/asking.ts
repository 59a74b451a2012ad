import type { Clock } from '../platform/clock.ts';
import { latestStartMs } from '../platform/fence.ts';
import type { OperatorTraits, Progress } from './operator.ts';

/** How an operator is asked what became of a request. All in milliseconds. */
export interface AskTiming {
  /** How long an operator may take to answer a request; shorter than the lease. */
  operatorTimeoutMs: number;
  /** The first gap between two questions about an outcome; it doubles up to the longest. */
  firstAskGapMs: number;
  longestAskGapMs: number;
  /** How long after it was sent a request is asked about, before a person must look. */
  watchMs: number;
}

/** With the gaps between them, some forty questions in the three days of a watch. */
export const askGaps = { firstAskGapMs: 5_000, longestAskGapMs: 9_000_000 };

/** How much longer than a question its lease is. */
export const leaseMarginMs = 5_000;

/** The lease under which a question may begin now: the one that is held, or a longer one. */
export function leaseForQuestion(
  clock: Clock,
  leaseMs: number,
  { operatorTimeoutMs }: Pick<AskTiming, 'operatorTimeoutMs'>,
): number {
  const endMs = clock.nowMs() + operatorTimeoutMs;
  return leaseMs >= endMs ? leaseMs : endMs + leaseMarginMs;
}

/** What may have been sent, as far as it matters for when to ask about it. */
export interface Asked {
  /** Since when a request may have left; null where none can have. */
  sentAtMs: number | null;
  askCount: number;
}

/** A refund or a reversal. */
interface GivenBack extends Asked {
  createdAtMs: number;
}

/** How long after `sentAtMs` a request may be on its way: until then "not found" proves nothing. */
export function requestLengthMs({
  operatorTimeoutMs,
}: Pick<AskTiming, 'operatorTimeoutMs'>): number {
  return latestStartMs + operatorTimeoutMs;
}

export function requestIsOver(
  { sentAtMs }: Pick<Asked, 'sentAtMs'>,
  nowMs: number,
  timing: Pick<AskTiming, 'operatorTimeoutMs'>,
): boolean {
  return sentAtMs !== null && nowMs > sentAtMs + requestLengthMs(timing);
}

/** It was asked about for as long as we ask, so that a person may have been asked instead. */
export function watchIsOver(
  { sentAtMs }: Pick<Asked, 'sentAtMs'>,
  nowMs: number,
  { watchMs }: Pick<AskTiming, 'watchMs'>,
): boolean {
  return sentAtMs !== null && nowMs >= sentAtMs + watchMs;
}

/** Gaps double from the first to the longest. */
export function nextAskMs(
  { askCount }: Pick<Asked, 'askCount'>,
  nowMs: number,
  { firstAskGapMs, longestAskGapMs }: Pick<AskTiming, 'firstAskGapMs' | 'longestAskGapMs'>,
): number {
  return nowMs + Math.min(firstAskGapMs * 2 ** Math.min(askCount, 30), longestAskGapMs);
}

/** The operator has the request, whatever will become of it. */
export const isAcknowledged = (progress: Progress) =>
  progress === 'PENDING' || progress === 'PROMPTED';

/** What to do about a request whose outcome the operator did not tell. */
export type Next =
  | { kind: 'SEND' }
  /** It was never sent by our books, and the operator has it: it counts as sent from now. */
  | { kind: 'TAKEN'; dueAtMs: number }
  | { kind: 'WAIT'; dueAtMs: number }
  /** It was not found for as long as we ask, and never acknowledged. */
  | { kind: 'NOT_RECEIVED' }
  /** It was asked about for as long as we ask: a person must look. */
  | { kind: 'UNCLEAR' };

/** Decides it for a refund or a reversal, which waits for nobody. Pure. */
export function afterUnknown(
  asked: GivenBack,
  progress: Progress,
  nowMs: number,
  timing: AskTiming,
  traits: Pick<OperatorTraits, 'deduplicates' | 'answersQueries'>,
): Next {
  const dueAtMs = nextAskMs(asked, nowMs, timing);
  if (asked.sentAtMs === null) {
    if (isAcknowledged(progress)) return { kind: 'TAKEN', dueAtMs };
    return progress === 'NOT_FOUND' ? { kind: 'SEND' } : { kind: 'WAIT', dueAtMs };
  }
  const isNotFound = progress === 'NOT_FOUND';
  const watchEndMs = asked.sentAtMs + timing.watchMs;
  if (nowMs < watchEndMs) {
    // A repetition begins a watch of its own, so there must be a last one.
    const isEarly = nowMs < asked.createdAtMs + timing.watchMs;
    const mayRepeat = traits.deduplicates && isEarly && requestIsOver(asked, nowMs, timing);
    if (isNotFound && mayRepeat) return { kind: 'SEND' };
    return { kind: 'WAIT', dueAtMs: Math.min(dueAtMs, watchEndMs) };
  }
  return { kind: isNotFound && traits.answersQueries ? 'NOT_RECEIVED' : 'UNCLEAR' };
}
