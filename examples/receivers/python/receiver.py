"""Receives Zimbo's webhooks. Python 3.9 or later, nothing to install.

    ZIMBO_WEBHOOK_SECRET=whsec_… ZIMBO_API_KEY=sk_test_… python3 receiver.py
"""

import hashlib
import hmac
import json
import os
import sys
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

SECRET = os.environ.get("ZIMBO_WEBHOOK_SECRET") or sys.exit("ZIMBO_WEBHOOK_SECRET is not set")
API_KEY = os.environ.get("ZIMBO_API_KEY") or sys.exit("ZIMBO_API_KEY is not set")
API_URL = os.environ.get("ZIMBO_URL", "http://127.0.0.1:3000")
PORT = int(os.environ.get("PORT", "4400"))
FOLDER = Path(os.environ.get("RECEIVER_FOLDER", "received"))
INBOX, DONE, STATUSES = FOLDER / "inbox", FOLDER / "done", FOLDER / "statuses"

MAX_BYTES = 4 * 1024 * 1024
MAX_AGE_SECONDS = 300
RESOURCES = {"payment": "payments", "refund": "refunds", "checkout": "checkout/sessions"}


def is_genuine(headers, body: bytes) -> bool:
    """The signature covers the time and the raw bytes. During a rotation, two secrets sign."""
    timestamp = headers.get("X-Service-Timestamp", "")
    message = timestamp.encode() + b"." + body
    expected = hmac.new(SECRET.encode(), message, hashlib.sha256).hexdigest().encode()
    given = [headers.get("X-Service-Signature", ""), headers.get("X-Service-Signature-Next", "")]
    is_signed = any(hmac.compare_digest(expected, each.encode()) for each in given)
    return is_signed and abs(time.time() - int(timestamp)) <= MAX_AGE_SECONDS


class Receiver(BaseHTTPRequestHandler):
    timeout = 15

    def do_POST(self) -> None:
        self.send_response(self.receive())
        self.send_header("Content-Length", "0")
        self.end_headers()

    def receive(self) -> int:
        self.close_connection = True
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal():
            return 411
        if int(length) > MAX_BYTES:
            return 413
        body = self.rfile.read(int(length))
        if not is_genuine(self.headers, body):
            return 400
        store(json.loads(body)["id"], body)
        return 200


def store(event_id: str, body: bytes) -> None:
    """Zimbo does not send an event again once we have answered 200, so it is on the disk before."""
    if not (DONE / event_id).exists():
        write(INBOX / event_id, body)


def write(path: Path, content: bytes) -> None:
    """Writes all of the file or nothing, and waits for the disk."""
    temporary = FOLDER / f"{path.name}.{threading.get_ident()}"
    with open(temporary, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def work() -> None:
    """Handles what is in the inbox. An event that fails stays there and is tried again."""
    for file in sorted(INBOX.iterdir()):
        try:
            handle(json.loads(file.read_bytes()))
            (DONE / file.name).touch()
            file.unlink()
        except Exception as error:
            print(f"{file.name}: {error}", file=sys.stderr)


def handle(event: dict) -> None:
    """An event only says that something has changed. The API says how things stand now, so the
    order in which events arrive does not matter."""
    resource = RESOURCES.get(event["type"].split(".")[0])
    if resource is None:
        return
    url = f"{API_URL}/v1/{resource}/{event['data']['id']}"
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {API_KEY}"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        update(json.load(answer))


def update(current: dict) -> None:
    """Your part: find the order by current["externalId"] and change it, in one transaction."""
    file = STATUSES / current["id"]
    if file.exists() and file.read_text() == current["status"]:
        return
    print(current["id"], current["status"], flush=True)
    write(file, current["status"].encode())


if __name__ == "__main__":
    for folder in (INBOX, DONE, STATUSES):
        folder.mkdir(parents=True, exist_ok=True)
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    while True:
        work()
        time.sleep(1)
