"""Requests, independent of how they are sent."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from enum import Enum
from typing import Any, TypeVar, cast
from urllib.parse import quote

Read = TypeVar("Read")


class Omitted(Enum):
    """The type of a parameter that was not given; None means null."""

    OMITTED = "OMITTED"


OMITTED = Omitted.OMITTED


@dataclass(frozen=True, slots=True)
class Request:
    """One call of the API; repeating the object repeats the call under the same idempotency key."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict[str, Any])
    body: Mapping[str, Any] | None = None
    takes_key: bool = False
    idempotency_key: str | None = None
    timeout: float | None = None

    @property
    def is_repeatable(self) -> bool:
        return self.method == "GET" or self.takes_key

    def with_query(self, **more: Any) -> Request:
        return replace(self, query={**self.query, **given(more)})

    def content(self) -> bytes | None:
        if self.body is None:
            return None
        text = json.dumps(self.body, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode()


def given(values: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that were given, as JSON has them."""
    return {name: _plain(value) for name, value in values.items() if value is not OMITTED}


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError("a datetime must have a time zone, such as datetime.now(timezone.utc)")
        return value.astimezone(timezone.utc).isoformat().replace("+00:00", "Z")
    if hasattr(value, "to_json"):
        return {name: _plain(each) for name, each in value.to_json().items()}
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in cast("Sequence[Any]", value)]
    return value


def path_of(path: str, values: Mapping[str, object]) -> str:
    """:raises ValueError: an empty id or dots would lead to another operation"""

    def fill(match: re.Match[str]) -> str:
        value = values[match[1]]
        if not isinstance(value, str) or re.fullmatch(r"\.*", value):
            raise ValueError(f"{match[1]} must be an id from the gateway, not {value!r}")
        return quote(value, safe="")

    return re.sub(r"\{(\w+)\}", fill, path)


def checked_key(key: object) -> str:
    """:raises ValueError: there is no key, or it cannot travel in a header"""
    if not isinstance(key, str) or not re.fullmatch(r"[\x20-\x7e]{1,255}", key):
        raise ValueError("idempotency_key must have 1 to 255 printable ASCII characters")
    return key


def as_text(text: str) -> str:
    return text


def as_nothing(_: Any) -> None:
    return None


def items(read: Callable[[Any], Read]) -> Callable[[Any], list[Read]]:
    return lambda answer: [read(each) for each in answer["data"]]
