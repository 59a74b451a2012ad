const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

const intervalsMs = [
  1 * secondMs,
  5 * secondMs,
  30 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  24 * hourMs,
  24 * hourMs,
];
const jitter = 0.1;
const maxRetryAfterMs = 24 * hourMs;

/** How many attempts a delivery has in total. */
export const maxAttempts = intervalsMs.length + 1;

/**
 * How long to wait after a failed attempt, or undefined when it was the last.
 *
 * @param failedAttempts attempts made so far, at least 1
 * @param random at least 0 and below 1: spreads the interval by ±10 %
 * @param retryAfterMs the receiver's request; it can only lengthen the interval, up to 24 h
 */
export function nextAttemptDelayMs(
  failedAttempts: number,
  random: number,
  retryAfterMs: number | null,
): number | undefined {
  const intervalMs = intervalsMs[failedAttempts - 1];
  if (intervalMs === undefined) return undefined;
  const spreadMs = Math.round(intervalMs * (1 - jitter + 2 * jitter * random));
  return Math.max(spreadMs, Math.min(retryAfterMs ?? 0, maxRetryAfterMs));
}
