"""How values of JSON become values of Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from enum import Enum
from typing import Any, TypeVar

Read = TypeVar("Read")


class OpenEnum(str, Enum):
    """An enumeration to which the gateway may add: an unknown value is kept as a member of its own."""

    @classmethod
    def _missing_(cls, value: object) -> OpenEnum | None:
        if not isinstance(value, str):
            return None
        member = str.__new__(cls, value)
        member._name_ = value
        member._value_ = value
        return member

    @property
    def is_known(self) -> bool:
        """Whether this version of the library has a name for the value."""
        return self.value in type(self)._value2member_map_

    def __str__(self) -> str:
        return str(self.value)


def instant(text: str) -> datetime:
    """An instant of the API, `2026-11-21T03:00:00.000Z`."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def optional(read: Callable[[Any], Read], value: Any) -> Read | None:
    return None if value is None else read(value)


def each(read: Callable[[Any], Read]) -> Callable[[Any], list[Read]]:
    return lambda values: [read(value) for value in values]


def without_none(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
