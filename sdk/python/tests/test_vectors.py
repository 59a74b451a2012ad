"""The vectors that every library of Zimbo runs: signatures, retries, pages, errors and money."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import math
import socket
import threading
import time
import unittest
from pathlib import Path
from typing import Any

import httpx

from zimbo import AsyncZimbo, WebhookVerificationError, Zimbo, ZimboError, sign_webhook, verify_webhook
from zimbo._errors import ConnectionFailed, UnexpectedAnswer, error_of_answer
from zimbo._models import CurrencyBalance
from zimbo._retry import retry_gap_seconds

VECTORS = Path(__file__).parents[2] / "vectors"
KEY = "sk_test_vectors"
URL = "http://gateway.test"


def vectors(name: str) -> Any:
    return json.loads((VECTORS / f"{name}.json").read_text())


class Keys(unittest.TestCase):
    def test_sends_no_money_without_a_key(self) -> None:
        def fail(request: httpx.Request) -> httpx.Response:
            raise AssertionError(f"{request.url} was called")

        missing: Any = None
        with Zimbo(KEY, base_url=URL, http_client=httpx.Client(transport=httpx.MockTransport(fail))) as zimbo:
            with self.assertRaisesRegex(ValueError, "must have 1 to 255"):
                zimbo.disbursements.batches.retry("dib_1", idempotency_key=missing)


class Signatures(unittest.TestCase):
    def test_vectors(self) -> None:
        for case in vectors("signatures"):
            with self.subTest(case["name"]):
                body = base64.b64decode(case["bodyBase64"])
                given = {"headers": case["headers"], "secret": case["secret"], "now": case["nowSeconds"]}
                if "refusal" in case:
                    with self.assertRaises(WebhookVerificationError) as caught:
                        verify_webhook(body, **given)
                    self.assertEqual(caught.exception.reason, case["refusal"])
                else:
                    self.assertEqual(verify_webhook(body, **given).id, case["eventId"])

    def test_signs_what_it_verifies(self) -> None:
        case = vectors("signatures")[0]
        body = base64.b64decode(case["bodyBase64"])
        headers = sign_webhook(body, case["secret"])
        self.assertEqual(verify_webhook(body, headers, case["secret"]).id, case["eventId"])

    def test_rejects_a_header_that_occurs_twice(self) -> None:
        case = vectors("signatures")[0]
        doubled = {name: [value, value] for name, value in case["headers"].items()}
        with self.assertRaises(WebhookVerificationError):
            verify_webhook(base64.b64decode(case["bodyBase64"]), doubled, case["secret"])

    def test_refuses_an_empty_secret(self) -> None:
        with self.assertRaises(ValueError):
            verify_webhook(b"{}", {}, "")


class Retries(unittest.TestCase):
    def test_vectors(self) -> None:
        for case in vectors("retries"):
            with self.subTest(**case):
                status = case["status"]
                wait = {"retry_after_seconds": case["retryAfterSeconds"]}
                error: ZimboError = (
                    ConnectionFailed("x", code=status, **wait)
                    if isinstance(status, str)
                    else UnexpectedAnswer("x", code="UNEXPECTED_ANSWER", status=status, **wait)
                )
                gap = retry_gap_seconds(
                    error,
                    failed_before=case["failedBefore"],
                    is_repeatable=case["isRepeatable"],
                    random=case["random"],
                )
                if case["gapMs"] is None:
                    self.assertIsNone(gap)
                else:
                    assert gap is not None
                    self.assertTrue(math.isclose(gap * 1000, case["gapMs"]))


class Errors(unittest.TestCase):
    def test_vectors(self) -> None:
        for case in vectors("errors"):
            with self.subTest(case["name"]):
                expected = case["expect"]
                error = error_of_answer(case["status"], httpx.Headers(case["headers"]), case["body"], "key-1")
                self.assertEqual((error.status, error.idempotency_key), (case["status"], "key-1"))
                self.assertEqual((error.code, error.param), (expected["code"], expected["param"]))
                self.assertEqual(error.request_id, expected["requestId"])
                self.assertEqual(error.retry_after_seconds, expected["retryAfterSeconds"])
                found = [{"param": each.param, "message": each.message} for each in error.details]
                self.assertEqual(found, expected["details"])
                if expected["message"] is not None:
                    self.assertEqual(error.message, expected["message"])


class Addresses(unittest.TestCase):
    def test_vectors(self) -> None:
        for case in vectors("addresses"):
            with self.subTest(case["url"]):
                if case["isRefused"]:
                    with self.assertRaises(ValueError):
                        Zimbo(KEY, base_url=case["url"])
                else:
                    Zimbo(KEY, base_url=case["url"]).close()


class Answers(unittest.TestCase):
    def test_vectors(self) -> None:
        for case in vectors("answers"):
            with self.subTest(case["name"]):
                answer = httpx.MockTransport(lambda _, text=case["body"]: httpx.Response(200, text=text))
                with Zimbo(KEY, base_url=URL, http_client=httpx.Client(transport=answer)) as zimbo:
                    with self.assertRaises(UnexpectedAnswer) as caught:
                        zimbo.payments.get("pi_1")
                self.assertEqual((caught.exception.code, caught.exception.status), ("UNEXPECTED_ANSWER", 200))

    def test_reports_what_is_no_answer_at_all(self) -> None:
        failures: list[tuple[str, httpx.Response]] = [
            ("UNEXPECTED_ANSWER", httpx.Response(204)),
            ("UNEXPECTED_ANSWER", httpx.Response(200, headers={"content-type": "text/csv"}, text="a,b")),
        ]
        for code, response in failures:
            answer = httpx.MockTransport(lambda _, response=response: response)
            with Zimbo(KEY, base_url=URL, http_client=httpx.Client(transport=answer)) as zimbo:
                with self.assertRaises(ZimboError) as caught:
                    zimbo.payments.get("pi_1")
            self.assertEqual(caught.exception.code, code)


class Slow(unittest.TestCase):
    """Answers that arrive byte by byte, or broken."""

    def serve(self, head: str, part: bytes) -> str:
        server = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(server.close)

        def answer(connection: socket.socket) -> None:
            with connection, contextlib.suppress(OSError):
                connection.recv(65536)
                connection.sendall(f"HTTP/1.1 200 OK\r\n{head}\r\n\r\n".encode())
                while True:
                    connection.sendall(part)
                    time.sleep(0.05)

        def accept() -> None:
            with contextlib.suppress(OSError):
                while True:
                    threading.Thread(target=answer, args=(server.accept()[0],), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        return f"http://127.0.0.1:{server.getsockname()[1]}"

    def test_ends_an_answer_that_never_ends(self) -> None:
        url = self.serve("content-length: 100000", b" ")
        with Zimbo(KEY, base_url=url, timeout=0.3, max_retries=0) as zimbo:
            with self.assertRaises(ConnectionFailed) as caught:
                zimbo.payments.get("pi_1")
        self.assertEqual(caught.exception.code, "TIMEOUT")

    def test_ends_an_answer_that_never_ends_with_asyncio(self) -> None:
        url = self.serve("content-length: 100000", b" ")

        async def ask() -> None:
            async with AsyncZimbo(KEY, base_url=url, timeout=0.3, max_retries=0) as zimbo:
                await zimbo.payments.get("pi_1")

        with self.assertRaises(ConnectionFailed) as caught:
            asyncio.run(ask())
        self.assertEqual(caught.exception.code, "TIMEOUT")

    def test_reports_a_body_that_cannot_be_decompressed(self) -> None:
        url = self.serve("content-length: 3\r\ncontent-encoding: gzip", b"no!")
        with Zimbo(KEY, base_url=url, max_retries=0) as zimbo:
            with self.assertRaises(ConnectionFailed) as caught:
                zimbo.payments.get("pi_1")
        self.assertEqual(caught.exception.code, "CONNECTION_FAILED")


class Pages(unittest.TestCase):
    def test_vectors(self) -> None:
        for case in vectors("pages"):
            with self.subTest(case["name"]):
                answers, queries = self.answers(case)
                with Zimbo(KEY, base_url=URL, http_client=httpx.Client(transport=answers)) as zimbo:
                    self.check(case, lambda ids: self.walk(zimbo, case, ids), queries)

    def test_vectors_with_asyncio(self) -> None:
        for case in vectors("pages"):
            with self.subTest(case["name"]):
                answers, queries = self.answers(case)

                async def walk(ids: list[str], answers: httpx.MockTransport = answers) -> None:
                    client = httpx.AsyncClient(transport=answers)
                    async with client, AsyncZimbo(KEY, base_url=URL, http_client=client) as zimbo:
                        async for refund in zimbo.refunds.list(**page_of(case)):
                            ids.append(refund.id)

                self.check(case, lambda ids: asyncio.run(walk(ids)), queries)

    def answers(self, case: Any) -> tuple[httpx.MockTransport, list[dict[str, str]]]:
        left = list(case["answers"])
        queries: list[dict[str, str]] = []

        def answer(request: httpx.Request) -> httpx.Response:
            queries.append(dict(request.url.params))
            page = left.pop(0)
            return httpx.Response(200, json={**page, "data": [refund(each) for each in page["data"]]})

        return httpx.MockTransport(answer), queries

    def walk(self, zimbo: Zimbo, case: Any, ids: list[str]) -> None:
        for each in zimbo.refunds.list(**page_of(case)):
            ids.append(each.id)

    def check(self, case: Any, walk: Any, queries: list[dict[str, str]]) -> None:
        ids: list[str] = []
        if "error" in case:
            with self.assertRaises(ZimboError) as caught:
                walk(ids)
            self.assertEqual(caught.exception.code, case["error"])
        else:
            walk(ids)
        self.assertEqual(ids, [f"re_{each}" for each in case["ids"]])
        expected = [
            {
                name: str(value) if name == "limit" else f"re_{value}"
                for name, value in query.items()
            }
            for query in case["queries"]
        ]
        self.assertEqual(queries, expected)


def page_of(case: Any) -> dict[str, Any]:
    page = {} if case["limit"] is None else {"limit": case["limit"]}
    return {**page, "ending_before": f"re_{case['endingBefore']}"} if "endingBefore" in case else page


def refund(number: int) -> dict[str, Any]:
    return {
        "id": f"re_{number}",
        "paymentIntentId": "pi_1",
        "amount": "100",
        "currency": "CVE",
        "reason": None,
        "status": "INVENTED",
        "failureCode": None,
        "failureMessage": None,
        "operatorTxId": None,
        "metadata": None,
        "createdAt": "2026-11-21T03:00:00.000Z",
        "updatedAt": "2026-11-21T03:00:00.000Z",
    }


class Money(unittest.TestCase):
    def test_vectors(self) -> None:
        for case in vectors("money"):
            with self.subTest(case["text"]):
                raw = {name: case["text"] for name in ("available", "pending", "refundsInTransit")}
                balance = CurrencyBalance.from_json({"currency": "XOF", **raw})
                self.assertEqual(balance.available, case["centavos"])
                self.assertEqual((balance.currency, balance.currency.is_known), ("XOF", False))


if __name__ == "__main__":
    unittest.main()
