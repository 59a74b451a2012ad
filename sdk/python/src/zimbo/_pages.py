from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ._errors import UnexpectedAnswer
from ._request import Request
from ._transport import AsyncTransport, Transport

Item = TypeVar("Item")

LARGEST_LIMIT = 100


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    data: list[Item]
    has_more: bool
    """Whether another page follows."""


class _PageRequests(Generic[Item]):
    """Sends nothing until you iterate; each iteration starts over."""

    def __init__(self, request: Request, read: Callable[[Any], Item]) -> None:
        self._request = request
        self._read_item = read

    def _read(self, answer: Any) -> tuple[Page[Item], str | None]:
        data = answer["data"]
        page = Page([self._read_item(each) for each in data], answer["hasMore"])
        # With ending_before, pages are newer and newer.
        is_upward = self._request.query.get("ending_before") is not None
        return page, data[0 if is_upward else -1]["id"] if data else None

    def _first(self) -> Request:
        is_limited = self._request.query.get("limit") is not None
        return self._request if is_limited else self._request.with_query(limit=LARGEST_LIMIT)

    def _next(self, request: Request, next_id: str | None) -> Request:
        is_upward = request.query.get("ending_before") is not None
        cursor = "ending_before" if is_upward else "starting_after"
        if next_id is None or next_id == request.query.get(cursor):
            raise UnexpectedAnswer(
                "The list is incomplete: the answer says that more follows, but has nothing new.",
                code="UNEXPECTED_ANSWER",
            )
        return request.with_query(**{cursor: next_id})


class Pages(_PageRequests[Item]):
    """A list, newest first: iterate over its items, or over its `pages()`; `page()` fetches one."""

    def __init__(self, transport: Transport, request: Request, read: Callable[[Any], Item]) -> None:
        super().__init__(request, read)
        self._transport = transport

    def page(self) -> Page[Item]:
        """The first page: up to `limit` items, by default 20."""
        return self._transport.call(self._request, self._read)[0]

    def pages(self) -> Iterator[Page[Item]]:
        """Page after page, up to `limit` items each, by default 100."""
        request = self._first()
        while True:
            page, next_id = self._transport.call(request, self._read)
            yield page
            if not page.has_more:
                return
            request = self._next(request, next_id)

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page.data


class AsyncPages(_PageRequests[Item]):
    """A list, newest first: iterate over its items, or over its `pages()`; `page()` fetches one."""

    def __init__(
        self, transport: AsyncTransport, request: Request, read: Callable[[Any], Item]
    ) -> None:
        super().__init__(request, read)
        self._transport = transport

    async def page(self) -> Page[Item]:
        """The first page: up to `limit` items, by default 20."""
        return (await self._transport.call(self._request, self._read))[0]

    async def pages(self) -> AsyncIterator[Page[Item]]:
        """Page after page, up to `limit` items each, by default 100."""
        request = self._first()
        while True:
            page, next_id = await self._transport.call(request, self._read)
            yield page
            if not page.has_more:
                return
            request = self._next(request, next_id)

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in page.data:
                yield item
