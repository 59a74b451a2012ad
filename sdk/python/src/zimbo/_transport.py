from __future__ import annotations

import asyncio
import json
import random
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

import httpx

from ._errors import ConnectionFailed, UnexpectedAnswer, ZimboError, error_of_answer
from ._request import Request, checked_key
from ._retry import retry_gap_seconds
from ._version import VERSION

Read = TypeVar("Read")
#: An answer and its body.
Received = tuple[httpx.Response, bytes]


@dataclass(frozen=True, slots=True)
class Answer:
    """The last answer, as it arrived."""

    status: int
    headers: httpx.Headers
    text: str

    @property
    def request_id(self) -> str | None:
        request_id: str | None = self.headers.get("x-request-id")
        return request_id


@dataclass(frozen=True, slots=True)
class Settings:
    api_key: str
    base_url: str
    timeout: float
    max_retries: int
    #: Sees each answer, with its headers: for logs and limits.
    on_answer: Callable[[Request, Answer], None] | None


class _Calls:
    """What both transports share: they differ only in how they wait."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def _build(self, client: httpx.Client | httpx.AsyncClient, request: Request) -> httpx.Request:
        headers = {
            "authorization": f"Bearer {self._settings.api_key}",
            "accept": "application/json",
            "user-agent": f"zimbo-python/{VERSION}",
        }
        if request.idempotency_key is not None:
            headers["idempotency-key"] = request.idempotency_key
        content = request.content()
        if content is not None:
            headers["content-type"] = "application/json"
        query = _query_texts(request.query)
        return client.build_request(
            request.method,
            f"{self._settings.base_url}{request.path}",
            params=query or None,
            headers=headers,
            content=content,
            timeout=self._seconds(request),
        )

    def _read(self, request: Request, received: Received, read: Callable[[Any], Read]) -> Read:
        response, content = received
        text = content.decode(errors="replace")
        is_csv = response.headers.get("content-type", "").startswith("text/csv")
        if self._settings.on_answer is not None:
            self._settings.on_answer(request, Answer(response.status_code, response.headers, text))
        if not response.is_success:
            raise error_of_answer(response.status_code, response.headers, text, request.idempotency_key)
        try:
            if response.status_code == 204:
                return read(None)
            return read(text if is_csv else json.loads(content))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as cause:
            raise UnexpectedAnswer(
                f"The answer of {request.method} {request.path} is none that a Zimbo gateway gives: {cause!r}",
                code="UNEXPECTED_ANSWER",
                status=response.status_code,
                request_id=response.headers.get("x-request-id"),
                idempotency_key=request.idempotency_key,
            ) from cause

    def _seconds(self, request: Request) -> float:
        return request.timeout or self._settings.timeout

    def _no_answer(self, request: Request, cause: Exception) -> ConnectionFailed:
        is_late = isinstance(cause, (httpx.TimeoutException, TimeoutError, asyncio.TimeoutError))
        seconds = self._seconds(request)
        message = (
            f"No answer within {seconds:g} s."
            if is_late
            else f"No answer from {self._settings.base_url}: is the gateway running, and base_url right? ({cause})"
        )
        return ConnectionFailed(
            message,
            code="TIMEOUT" if is_late else "CONNECTION_FAILED",
            idempotency_key=request.idempotency_key,
        )

    def _gap(self, request: Request, error: ZimboError, failed_before: int) -> float:
        """How long to wait; raises the error if another attempt is not allowed."""
        gap = None
        if failed_before < self._settings.max_retries:
            gap = retry_gap_seconds(
                error,
                failed_before=failed_before,
                is_repeatable=request.is_repeatable,
                random=random.random(),
            )
        if gap is None:
            raise error
        return gap


def _keyed(request: Request) -> Request:
    if not request.takes_key:
        return request
    key = request.idempotency_key
    return replace(request, idempotency_key=str(uuid.uuid4()) if key is None else checked_key(key))


def _query_texts(query: Mapping[str, Any]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for name, value in query.items():
        if isinstance(value, Mapping):
            # The keys of an object stand in brackets.
            members = cast("Mapping[str, Any]", value)
            texts.update({f"{name}[{key}]": _query_text(each) for key, each in members.items()})
        elif value is not None:
            texts[name] = _query_text(value)
    return texts


def _query_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, (list, tuple)):
        return str(value)
    return ",".join(map(str, cast("Sequence[Any]", value)))


class Transport(_Calls):
    def __init__(self, settings: Settings, client: httpx.Client | None) -> None:
        super().__init__(settings)
        self._client = client or httpx.Client()
        self._owns_client = client is None

    def call(self, request: Request, read: Callable[[Any], Read]) -> Read:
        request = _keyed(request)
        failed_before = 0
        while True:
            try:
                return self._read(request, self._send(request), read)
            except ZimboError as error:
                time.sleep(self._gap(request, error, failed_before))
            failed_before += 1

    def _send(self, request: Request) -> Received:
        until = time.monotonic() + self._seconds(request)
        built = self._build(self._client, request)
        try:
            with closing(self._client.send(built, stream=True, follow_redirects=False)) as response:
                content = b""
                for part in response.iter_bytes():
                    content += part
                    # The time-out of httpx starts anew with each part.
                    if time.monotonic() > until:
                        raise httpx.ReadTimeout("the answer did not end in time", request=built)
                return response, content
        except httpx.RequestError as cause:
            raise self._no_answer(request, cause) from cause

    def close(self) -> None:
        if self._owns_client:
            self._client.close()


class AsyncTransport(_Calls):
    def __init__(self, settings: Settings, client: httpx.AsyncClient | None) -> None:
        super().__init__(settings)
        self._client = client or httpx.AsyncClient()
        self._owns_client = client is None

    async def call(self, request: Request, read: Callable[[Any], Read]) -> Read:
        request = _keyed(request)
        failed_before = 0
        while True:
            try:
                return self._read(request, await self._send(request), read)
            except ZimboError as error:
                await asyncio.sleep(self._gap(request, error, failed_before))
            failed_before += 1

    async def _send(self, request: Request) -> Received:
        sent = self._client.send(self._build(self._client, request), follow_redirects=False)
        try:
            # The time-out of httpx starts anew with each part.
            response = await asyncio.wait_for(sent, self._seconds(request))
            return response, response.content
        except (httpx.RequestError, asyncio.TimeoutError) as cause:
            raise self._no_answer(request, cause) from cause

    async def close(self) -> None:
        if self._owns_client:
            await self._client.aclose()
