from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ._models import EVENT_READERS, EventObject, EventType
from ._values import instant


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened. It is a hint: ask for the object's state before you act on it."""

    id: str
    """The same in every attempt, so you can use it to deduplicate."""
    type: EventType
    data: EventObject | Mapping[str, Any]
    """The object as it was then; for a type that this version does not know, the fields as they arrived."""
    created_at: datetime
    raw: Mapping[str, Any] = field(repr=False, compare=False)

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Event:
        read = EVENT_READERS.get(raw["type"])
        return cls(
            id=raw["id"],
            type=EventType(raw["type"]),
            data=raw["data"] if read is None else read(raw["data"]),
            created_at=instant(raw["createdAt"]),
            raw=raw,
        )
