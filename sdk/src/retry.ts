import type { ZimboError } from './error.ts';

const firstGapMs = 500;
const longestGapMs = 8_000;
/** Whoever is asked to wait for longer hears it, instead of hanging. */
const longestRetryAfterSeconds = 60;

export interface FailedAttempt {
  /** How many attempts failed before this one. */
  failedBefore: number;
  /** Whether the request may be carried out twice: it reads, or has an idempotency key. */
  isRepeatable: boolean;
  /** At least 0, below 1: spreads the attempts of many clients. */
  random: number;
}

/**
 * How many milliseconds to wait before the next attempt; undefined: there is none. The pauses double, each shortened at
 * random by up to a half, and come after what Retry-After asks for.
 */
export function retryGapMs(error: ZimboError, attempt: FailedAttempt): number | undefined {
  const { status, code } = error;
  const isOutage = code === 'CONNECTION_FAILED' || code === 'TIMEOUT' || (status ?? 0) >= 500;
  // Over the rate nothing was carried out, so any request may come again.
  if (status !== 429 && !(isOutage && attempt.isRepeatable)) return undefined;
  const retryAfterSeconds = error.retryAfterSeconds ?? 0;
  if (retryAfterSeconds > longestRetryAfterSeconds) return undefined;
  const gapMs = Math.min(longestGapMs, firstGapMs * 2 ** attempt.failedBefore);
  return retryAfterSeconds * 1_000 + gapMs * (1 - attempt.random / 2);
}
