from __future__ import annotations

import re
from collections.abc import Callable
from types import TracebackType
from urllib.parse import urlsplit

import httpx

from ._request import Request
from ._resources import AsyncResources, Resources
from ._transport import Answer, AsyncTransport, Settings, Transport

OnAnswer = Callable[[Request, Answer], None]


class Zimbo(Resources):
    """
    A client of a Zimbo gateway. Amounts are whole centavos, as int. Each call may raise a `ZimboError`.

    The client retries with growing pauses after 429, and after an outage if the call cannot take effect twice: reads,
    and calls with an idempotency key. Close it, or use it in a `with` statement.

    :param api_key: `sk_test_…` or `sk_live_…`: keep it on your servers
    :param base_url: of your gateway, such as `https://pay.example.cv`; may include a path before `/v1`
    :param timeout: of one attempt, in seconds
    :param max_retries: how many attempts may follow the first
    :param http_client: of your own, for proxies and tests; the client does not close it
    :param on_answer: sees each answer with its headers
    :raises ValueError: the key or `base_url` is malformed
    """

    def __init__(
        self,
        api_key: str,
        *,
        base_url: str,
        timeout: float = 30,
        max_retries: int = 3,
        http_client: httpx.Client | None = None,
        on_answer: OnAnswer | None = None,
    ) -> None:
        settings = _settings(api_key, base_url, timeout, max_retries, on_answer)
        self._transport = Transport(settings, http_client)
        super().__init__(self._transport)

    def close(self) -> None:
        self._transport.close()

    def __enter__(self) -> Zimbo:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class AsyncZimbo(AsyncResources):
    """The same as `Zimbo`, for asyncio: cancelling a task cancels its call."""

    def __init__(
        self,
        api_key: str,
        *,
        base_url: str,
        timeout: float = 30,
        max_retries: int = 3,
        http_client: httpx.AsyncClient | None = None,
        on_answer: OnAnswer | None = None,
    ) -> None:
        settings = _settings(api_key, base_url, timeout, max_retries, on_answer)
        self._transport = AsyncTransport(settings, http_client)
        super().__init__(self._transport)

    async def close(self) -> None:
        await self._transport.close()

    async def __aenter__(self) -> AsyncZimbo:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


def _settings(
    api_key: object, base_url: str, timeout: float, max_retries: int, on_answer: OnAnswer | None
) -> Settings:
    # Programs without types pass anything. The message does not show the value, which may be most of a key.
    if not isinstance(api_key, str) or not re.fullmatch(r"sk_(live|test)_\w+", api_key, re.ASCII):
        raise ValueError("The API key must begin with sk_test_ or sk_live_: is it set?")
    return Settings(api_key, _checked_url(base_url), timeout, max_retries, on_answer)


def _checked_url(base_url: str) -> str:
    parts = urlsplit(base_url)
    is_web = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    if not is_web or re.search(r"[\s\\@]", base_url):
        raise ValueError(f"base_url must be the URL of your gateway, not {base_url!r}")
    if parts.query or parts.fragment or base_url.endswith(("?", "#")):
        raise ValueError(f"base_url must end before ? and #, unlike {base_url!r}")
    plain = base_url.rstrip("/")
    if plain.endswith("/v1"):
        raise ValueError(f"base_url must end before /v1, unlike {base_url!r}")
    return plain
