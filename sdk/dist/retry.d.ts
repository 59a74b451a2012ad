import type { ZimboError } from './error.js';
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
export declare function retryGapMs(error: ZimboError, attempt: FailedAttempt): number | undefined;
