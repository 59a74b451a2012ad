"""Where the shop keeps its orders."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fastapi import HTTPException

DATABASE = Path(os.environ.get("SHOP_FOLDER", ".")) / "shop.sqlite"

Order = dict[str, Any]


@contextmanager
def database() -> Iterator[sqlite3.Connection]:
    """One transaction: all of it is written, or nothing."""
    connection = sqlite3.connect(DATABASE, timeout=10, isolation_level=None)
    connection.row_factory = sqlite3.Row
    try:
        connection.execute("BEGIN IMMEDIATE")
        yield connection
        connection.execute("COMMIT")
    finally:
        connection.close()


with database() as db:
    # The status is NEW, PAID, REFUNDING, REFUNDED or REFUND_FAILED; an attempt is a checkout session.
    db.execute("""CREATE TABLE IF NOT EXISTS orders (
        id TEXT PRIMARY KEY, product TEXT NOT NULL, price INTEGER NOT NULL, status TEXT NOT NULL DEFAULT 'NEW',
        attempt INTEGER NOT NULL DEFAULT 1, session TEXT, payment TEXT, refund TEXT)""")
    db.execute("CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY)")


def find(order_id: str) -> Order:
    with database() as db:
        order = db.execute("SELECT * FROM orders WHERE id = ?", [order_id]).fetchone()
    if order is None:
        raise HTTPException(404, "Encomenda não encontrada")
    return dict(order)


def is_new(db: sqlite3.Connection, event_id: str | None) -> bool:
    """Remembers an event in the transaction of the change that it causes: both are kept, or neither."""
    if event_id is None:
        return True
    return db.execute("INSERT INTO events (id) VALUES (?) ON CONFLICT DO NOTHING", [event_id]).rowcount == 1
