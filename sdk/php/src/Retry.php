<?php

declare(strict_types=1);

namespace Zimbo;

/** @internal When a call is tried again. */
final class Retry
{
    private const FIRST_GAP_MS = 500;
    private const LONGEST_GAP_MS = 8_000;
    /** A longer wait becomes an exception, instead of a hanging call. */
    private const LONGEST_RETRY_AFTER_SECONDS = 60;

    /**
     * How long to wait before the next attempt; null for none. The pauses double, each shortened at random by up to a
     * half, and are at least as long as Retry-After asks.
     *
     * @param int $failedBefore how many attempts failed before this one
     * @param bool $isRepeatable whether the request only reads, or has an idempotency key
     * @param float $random at least 0, below 1
     */
    public static function gapMs(ZimboException $error, int $failedBefore, bool $isRepeatable, float $random): ?float
    {
        $status = $error->status ?? 0;
        $isOutage = $error instanceof ConnectionFailed || $status >= 500 || $status === 408;
        // A rate-limited request was not executed, so any request may be repeated.
        if ($status !== 429 && !($isOutage && $isRepeatable)) {
            return null;
        }
        $retryAfterSeconds = $error->retryAfterSeconds ?? 0.0;
        if ($retryAfterSeconds > self::LONGEST_RETRY_AFTER_SECONDS) {
            return null;
        }
        $gapMs = min(self::LONGEST_GAP_MS, self::FIRST_GAP_MS * 2 ** min($failedBefore, 10));
        return $retryAfterSeconds * 1_000 + $gapMs * (1 - $random / 2);
    }
}
