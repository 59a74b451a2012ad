from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, cast


@dataclass(frozen=True, slots=True)
class Problem:
    """A rule that a request breaks."""

    param: str
    """The field, parameter or header, such as `items[0].quantity`."""
    message: str


class ZimboError(Exception):
    """A call that failed. Its subclasses say how far the request came."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int | None = None,
        request_id: str | None = None,
        param: str | None = None,
        details: Sequence[Problem] = (),
        retry_after_seconds: float | None = None,
        idempotency_key: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        #: The gateway's code, such as `NOT_FOUND` (docs/errors.md), or one of this library's: `CONNECTION_FAILED`,
        #: `TIMEOUT`, `UNEXPECTED_ANSWER`.
        self.code = code
        #: The HTTP status; None without an answer.
        self.status = status
        #: Quote this when you report a problem to the gateway's operator.
        self.request_id = request_id
        #: The rejected field, parameter or header; None if the gateway names none.
        self.param = param
        #: All problems of the request if it has several.
        self.details: tuple[Problem, ...] = tuple(details)
        #: How long the gateway asks you to wait.
        self.retry_after_seconds = retry_after_seconds
        #: Repeated under this key, the request takes effect once.
        self.idempotency_key = idempotency_key

    def __str__(self) -> str:
        request = "" if self.request_id is None else f" (request {self.request_id})"
        return f"{self.code}: {self.message}{request}"


class ConnectionFailed(ZimboError):
    """No answer arrived, or none in time: the request may have taken effect. Repeat it under its idempotency key."""


class GatewayError(ZimboError):
    """The gateway answered, and refused."""


class InvalidRequest(GatewayError):
    """The request breaks a rule (400, 422): `param` and `details` name it."""


class AuthenticationFailed(GatewayError):
    """The key is missing, wrong or revoked (401)."""


class PermissionDenied(GatewayError):
    """The key may not do this (403)."""


class NotFound(GatewayError):
    """There is no such object for this key (404)."""


class Conflict(GatewayError):
    """The object's state, a limit or the idempotency key forbids this (409)."""


class RateLimited(GatewayError):
    """Too many requests (429): nothing happened; wait for `retry_after_seconds`."""


class UnexpectedAnswer(ZimboError):
    """The answer is none that a gateway gives; a proxy's, for example. `status` is that of the answer."""


_BY_STATUS: dict[int, type[GatewayError]] = {
    400: InvalidRequest,
    401: AuthenticationFailed,
    403: PermissionDenied,
    404: NotFound,
    409: Conflict,
    413: InvalidRequest,
    415: InvalidRequest,
    422: InvalidRequest,
    429: RateLimited,
}


def error_of_answer(
    status: int, headers: Mapping[str, str], text: str, idempotency_key: str | None
) -> ZimboError:
    """The error of an answer that is not 2xx, or not JSON."""
    found = _error_in(text)
    request_id = headers.get("x-request-id")
    retry_after = retry_after_seconds(headers)
    if found is None:
        return UnexpectedAnswer(
            f"This is not an answer that a Zimbo gateway gives (status {status}). Is base_url right?",
            code="UNEXPECTED_ANSWER",
            status=status,
            request_id=request_id,
            retry_after_seconds=retry_after,
            idempotency_key=idempotency_key,
        )
    return _BY_STATUS.get(status, GatewayError)(
        found["message"],
        code=found["code"],
        status=status,
        request_id=request_id or found.get("requestId"),
        param=found.get("param"),
        details=_problems_in(found.get("details")),
        retry_after_seconds=retry_after,
        idempotency_key=idempotency_key,
    )


def _error_in(text: str) -> dict[str, Any] | None:
    try:
        error = json.loads(text)["error"]
        return error if isinstance(error["code"], str) and isinstance(error["message"], str) else None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _problems_in(details: Any) -> list[Problem]:
    """Other programs put something else there."""
    listed = cast("Sequence[Any]", details) if isinstance(details, list) else ()
    return [problem for each in listed if (problem := _problem_of(each))]


def _problem_of(each: Any) -> Problem | None:
    try:
        param, message = each["param"], each["message"]
    except (KeyError, TypeError):
        return None
    return Problem(param, message) if isinstance(param, str) and isinstance(message, str) else None


def retry_after_seconds(headers: Mapping[str, str]) -> float | None:
    """A number of seconds or, from some proxies, a date; of several values the longest counts."""
    values = re.split(r"(?<![A-Z][a-z][a-z]),(?! \d\d )", headers.get("retry-after", ""))
    waits = [wait for value in values if (wait := _wait_in(value.strip(), headers)) is not None]
    return max(waits, default=None)


def _wait_in(value: str, headers: Mapping[str, str]) -> float | None:
    if re.fullmatch(r"[0-9]+", value):
        # As RFC 9111 counts more than fits.
        return min(float(value), 2.0**31)
    until = _date_in(value)
    if until is None:
        return None
    now = _date_in(headers.get("date", "")) or datetime.now(timezone.utc)
    return max(0.0, (until - now).total_seconds())


def _date_in(value: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    return date if date.tzinfo else date.replace(tzinfo=timezone.utc)
