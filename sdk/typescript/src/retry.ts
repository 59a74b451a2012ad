import type { ZimboError } from './error.ts';

const firstGapMs = 500;
const longestGapMs = 8_000;
/** A longer wait becomes an error, instead of a hanging call. */
const longestRetryAfterSeconds = 60;

export interface FailedAttempt {
  /** How many attempts failed before this one. */
  failedBefore: number;
  /** Whether repeating the request is safe: it only reads, or has an idempotency key. */
  isRepeatable: boolean;
  /** At least 0, below 1: spreads the attempts of many clients. */
  random: number;
}

/**
 * Returns how many milliseconds to wait before the next attempt; undefined for none. The pauses
 * double, each shortened at random by up to a half, and are at least as long as Retry-After asks.
 */
export function retryGapMs(error: ZimboError, attempt: FailedAttempt): number | undefined {
  const { status, code } = error;
  const isLost = code === 'CONNECTION_FAILED' || code === 'TIMEOUT';
  // A proxy answers 408 if the request did not arrive whole.
  const isOutage = isLost || status === 408 || (status ?? 0) >= 500;
  // A rate-limited request was not executed, so any request may be repeated.
  if (status !== 429 && !(isOutage && attempt.isRepeatable)) return undefined;
  const retryAfterSeconds = error.retryAfterSeconds ?? 0;
  if (retryAfterSeconds > longestRetryAfterSeconds) return undefined;
  const gapMs = Math.min(longestGapMs, firstGapMs * 2 ** attempt.failedBefore);
  return retryAfterSeconds * 1_000 + gapMs * (1 - attempt.random / 2);
}
