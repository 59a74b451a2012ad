from __future__ import annotations

from ._errors import ConnectionFailed, ZimboError

FIRST_GAP_SECONDS = 0.5
LONGEST_GAP_SECONDS = 8.0
#: A longer wait becomes an error, instead of a hanging call.
LONGEST_RETRY_AFTER_SECONDS = 60


def retry_gap_seconds(
    error: ZimboError, *, failed_before: int, is_repeatable: bool, random: float
) -> float | None:
    """
    How long to wait before the next attempt; None for none. The pauses double, each shortened at random by up to a
    half, and are at least as long as Retry-After asks.

    :param failed_before: how many attempts failed before this one
    :param is_repeatable: whether the request only reads, or has an idempotency key
    :param random: at least 0, below 1
    """
    status = error.status or 0
    is_outage = isinstance(error, ConnectionFailed) or status >= 500 or status == 408
    # A rate-limited request was not executed, so any request may be repeated.
    if status != 429 and not (is_outage and is_repeatable):
        return None
    retry_after = error.retry_after_seconds or 0.0
    if retry_after > LONGEST_RETRY_AFTER_SECONDS:
        return None
    gap = min(LONGEST_GAP_SECONDS, FIRST_GAP_SECONDS * 2.0**failed_before)
    return retry_after + gap * (1 - random / 2)
