"""
Plays `vectors/story.json` against a gateway: every operation of the API at least once.

ZIMBO_URL, ZIMBO_API_KEY and RECEIVER_URL name the gateway and the receiver of its webhooks.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import time
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from zimbo import AsyncZimbo, CreateDisbursementBody, NewCheckoutSessionItem, Page, Zimbo, ZimboError

STORY = json.loads((Path(__file__).parents[2] / "vectors" / "story.json").read_text())


def snake(name: str) -> str:
    return re.sub(r"[A-Z]", lambda letter: f"_{letter[0].lower()}", name)


def item_type(item: dict[str, Any]) -> Any:
    """A row of a batch, or an item of a checkout session."""
    return CreateDisbursementBody if "operator" in item else NewCheckoutSessionItem


class Player:
    """Knows the objects of the story so far; `$payment.id` is a field of one."""

    def __init__(self) -> None:
        month = (datetime.now(timezone.utc) - timedelta(hours=1)).strftime("%Y-%m")
        self.known: dict[str, Any] = {"receiver": os.environ["RECEIVER_URL"], "month": month}

    def fill(self, value: Any) -> Any:
        if isinstance(value, str) and value.startswith("$"):
            name, *fields = value[1:].split(".")
            found = self.known[name]
            for field in fields:
                found = getattr(found, snake(field))
            return found
        if isinstance(value, list):
            return [self.fill(each) for each in value]
        if isinstance(value, dict):
            return {name: self.fill(each) for name, each in value.items()}
        return value

    def arguments(self, step: dict[str, Any]) -> dict[str, Any]:
        given = self.fill({**step.get("body", {}), **step.get("query", {})})
        named = {snake(name): value for name, value in given.items()}
        if "items" in named:
            named["items"] = [
                item_type(each)(**{snake(name): value for name, value in each.items()})
                for each in named["items"]
            ]
        if "key" in step:
            named["idempotency_key"] = f"{step['key']}-{os.environ.get('RUN', 'sync')}"
        return named

    def method(self, client: Any, step: dict[str, Any]) -> Any:
        found = client
        for name in step["call"].split("."):
            found = getattr(found, snake(name))
        return found

    def check(self, step: dict[str, Any], answer: Any) -> None:
        if isinstance(answer, Page):
            answer = answer.data[0] if answer.data else None
        for name, value in self.fill({**step.get("expect", {}), **step.get("expectFirst", {})}).items():
            found = getattr(answer, snake(name))
            assert found == value, f"{step['call']}: {name} is {found!r}, not {value!r}"
        if "as" in step:
            self.known[step["as"]] = answer

    def check_error(self, step: dict[str, Any], error: ZimboError) -> None:
        assert error.code == step.get("error"), f"{step['call']}: {error}"
        assert "param" not in step or error.param == step["param"], f"{step['call']}: {error.param}"
        assert error.request_id, f"{step['call']}: has no request id"

    def is_reached(self, step: dict[str, Any], answer: Any) -> bool:
        return all(getattr(answer, snake(name)) == value for name, value in step.get("until", {}).items())


def pauses(step: dict[str, Any]) -> Iterator[None]:
    until = time.monotonic() + 30
    while time.monotonic() < until:
        yield
    raise AssertionError(f"{step['call']}: never reached {step['until']}")


def play(client: Zimbo) -> None:
    player = Player()
    for step in STORY:
        for _ in pauses(step):
            try:
                answer = player.method(client, step)(*player.fill(step.get("path", [])), **player.arguments(step))
                if hasattr(answer, "page"):
                    answer = answer.page()
            except ZimboError as error:
                player.check_error(step, error)
                break
            assert "error" not in step, f"{step['call']} should have failed"
            if player.is_reached(step, answer):
                player.check(step, answer)
                break
            time.sleep(0.05)


async def play_async(client: AsyncZimbo) -> None:
    player = Player()
    for step in STORY:
        for _ in pauses(step):
            try:
                answer = player.method(client, step)(*player.fill(step.get("path", [])), **player.arguments(step))
                answer = await (answer.page() if hasattr(answer, "page") else answer)
            except ZimboError as error:
                player.check_error(step, error)
                break
            assert "error" not in step, f"{step['call']} should have failed"
            if player.is_reached(step, answer):
                player.check(step, answer)
                break
            await asyncio.sleep(0.05)


async def main_async(key: str, url: str) -> None:
    async with AsyncZimbo(key, base_url=url) as client:
        await play_async(client)


if __name__ == "__main__":
    key, url = os.environ["ZIMBO_API_KEY"], os.environ["ZIMBO_URL"]
    with Zimbo(key, base_url=url) as gateway:
        play(gateway)
    os.environ["RUN"] = "async"
    asyncio.run(main_async(key, url))
    called = sorted({step["call"] for step in STORY})
    print(f"{len(called)} operations, {len(STORY)} calls, twice: done")
