from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ._event import Event

Refusal = Literal["MISSING_HEADER", "WRONG_SIGNATURE", "STALE_TIMESTAMP", "NOT_AN_EVENT"]


class WebhookVerificationError(Exception):
    """A delivery that is not genuine: answer 400, and ignore it."""

    def __init__(self, reason: Refusal, message: str) -> None:
        super().__init__(message)
        self.reason: Refusal = reason


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, str | Sequence[str]],
    secret: str,
    *,
    tolerance_seconds: float = 300,
    now: float | None = None,
) -> Event:
    """
    Verifies that the gateway sent this recently, and returns the event. During the rotation of a secret, deliveries
    have two signatures; one by your secret is enough.

    :param body: as received: a body that was parsed and serialized again differs
    :param headers: of the request, with names in any case
    :param secret: of the endpoint, including `whsec_`
    :param now: seconds since 1970, for tests
    :raises WebhookVerificationError: a header is missing, the signature is wrong, the timestamp is too far from now,
        or the body is no event
    """
    if not secret:
        raise ValueError("The secret of the webhook endpoint is empty: is it set?")
    raw = body.encode() if isinstance(body, str) else bytes(body)
    timestamp = _header(headers, "x-service-timestamp")
    signature = _header(headers, "x-service-signature")
    if timestamp is None or signature is None:
        about = "X-Service-Timestamp or X-Service-Signature is missing."
        raise WebhookVerificationError("MISSING_HEADER", about)
    expected = _signature(secret, timestamp, raw).encode()
    candidates = (signature, _header(headers, "x-service-signature-next") or "")
    # All are compared, in the same time wherever a forged one differs.
    matches = [hmac.compare_digest(each.lower().encode(), expected) for each in candidates]
    if not any(matches):
        about = "The signature is wrong: another secret, or the body was changed after its arrival."
        raise WebhookVerificationError("WRONG_SIGNATURE", about)
    age = (time.time() if now is None else now) - _number(timestamp)
    if not abs(age) <= tolerance_seconds:
        about = f"The timestamp is {age:.0f} s old: a replay, or a wrong clock."
        raise WebhookVerificationError("STALE_TIMESTAMP", about)
    return _event_of(raw)


def sign_webhook(body: bytes | str, secret: str, *, now: float | None = None) -> dict[str, str]:
    """The headers with which the gateway would send this body: for tests of your receiver."""
    raw = body.encode() if isinstance(body, str) else bytes(body)
    timestamp = str(int(time.time() if now is None else now))
    return {
        "X-Service-Timestamp": timestamp,
        "X-Service-Signature": _signature(secret, timestamp, raw),
    }


def _signature(secret: str, timestamp: str, raw: bytes) -> str:
    message = timestamp.encode(errors="surrogatepass") + b"." + raw
    return hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()


def _header(headers: Mapping[str, str | Sequence[str]], name: str) -> str | None:
    """The value of a header that occurs exactly once."""
    found: list[Any] = []
    for each, value in headers.items():
        if each.lower() == name:
            found.extend([value] if isinstance(value, str) else value)
    return found[0] if len(found) == 1 else None


def _number(text: str) -> float:
    return float(text) if re.fullmatch(r"[0-9]{1,12}", text) else float("nan")


def _event_of(raw: bytes) -> Event:
    try:
        event = json.loads(raw.decode())
        if isinstance(event["id"], str) and isinstance(event["type"], str):
            return Event.from_json(event)
    except (ValueError, KeyError, TypeError, AttributeError):
        pass
    raise WebhookVerificationError("NOT_AN_EVENT", "The body is signed, but is not an event.")
