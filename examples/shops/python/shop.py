"""
A shop on FastAPI and SQLite: orders, checkout, webhooks, refunds. Copy from this file.

    uvicorn shop:app --port 4500
"""

import logging
import os
from typing import Annotated
from uuid import UUID

from fastapi import Depends, FastAPI, Form, Header, HTTPException, Request, Response
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse
from starlette.exceptions import HTTPException as AnyHTTPException

from orders import Order, database, find, is_new
from pages import PRODUCTS, SHARED, notice_page, order_page, page_headers, products_page
from zimbo import (
    CheckoutSession,
    CheckoutSessionStatus,
    NewCheckoutSessionItem,
    Refund,
    RefundStatus,
    WebhookVerificationError,
    Zimbo,
    ZimboError,
    verify_webhook,
)

GATEWAY = os.environ.get("ZIMBO_URL", "http://127.0.0.1:3000")
SECRET = os.environ["ZIMBO_WEBHOOK_SECRET"]
SHOP = os.environ.get("SHOP_URL", "http://127.0.0.1:4500")
MOST_BYTES = 1_000_000

zimbo = Zimbo(os.environ["ZIMBO_API_KEY"], base_url=GATEWAY, timeout=10, max_retries=1)
app = FastAPI(openapi_url=None)
log = logging.getLogger("uvicorn.error")
Accept = Annotated[str, Header()]


@app.get("/")
def show_products() -> HTMLResponse:
    with database() as db:
        rows = db.execute("SELECT product, count(*) FROM orders WHERE status = 'PAID' GROUP BY product")
        sold = {product: count for product, count in rows}
    return page(products_page(sold, GATEWAY))


@app.post("/orders")
def buy(order: Annotated[UUID, Form()], product: Annotated[str, Form()] = "", accept: Accept = "") -> Response:
    """The id of the order comes with the form, so a double click buys once. The price does not: it is ours."""
    if product not in PRODUCTS:
        raise HTTPException(404, "Não vendemos este artigo")
    with database() as db:
        price = PRODUCTS[product]["price"]
        db.execute(
            "INSERT INTO orders (id, product, price) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            [str(order), product, price],
        )
    return pay(str(order), accept)


@app.post("/orders/{order_id}/pay")
def pay(order_id: str, accept: Accept = "") -> Response:
    """Leads to the session of the order: the one that it has, or a new one if that has expired."""
    order = ask(find(order_id))
    if order["status"] != "NEW":
        return lead_to(f"/orders/{order_id}", order_id, accept)
    # Repeating the key of an attempt leads to the same session; the order's id alone would do so for ever.
    session = zimbo.checkout.sessions.create(
        items=[NewCheckoutSessionItem(name=PRODUCTS[order["product"]]["name"], quantity=1, unit_price=order["price"])],
        external_id=order_id,
        return_url=SHOP,
        completion_url=f"{SHOP}/orders/{order_id}",
        idempotency_key=f"{order_id} session {order['attempt']}",
    )
    with database() as db:
        values = [session.id, order_id, order["attempt"]]
        db.execute("UPDATE orders SET session = ? WHERE id = ? AND attempt = ?", values)
    return lead_to(session.url, order_id, accept)


def lead_to(address: str, order_id: str, accept: str) -> Response:
    """To the payment page: as its address for dialog.js, which opens it over the shop, otherwise by a redirect."""
    if accept != "application/json":
        return RedirectResponse(address, 303)
    return JSONResponse({"url": address, "order": f"/orders/{order_id}"})


@app.get("/orders/{order_id}")
def show_order(order_id: str) -> HTMLResponse:
    """The customer returns here. That proves nothing, so the shop asks; it need not wait for the webhook."""
    return page(order_page(ask(find(order_id)), GATEWAY))


@app.post("/orders/{order_id}/refund")
def refund(order_id: str) -> RedirectResponse:
    """The customer has changed their mind. The money goes back to the phone that paid."""
    with database() as db:
        db.execute("UPDATE orders SET status = 'REFUNDING' WHERE id = ? AND status = 'PAID'", [order_id])
    ask(find(order_id))
    return RedirectResponse(f"/orders/{order_id}", 303)


def ask(order: Order) -> Order:
    """Asks the gateway about an order that is not at its end: webhooks may be late, or lost."""
    try:
        if order["status"] == "NEW" and order["session"]:
            take_session(zimbo.checkout.sessions.get(order["session"]))
        elif order["status"] == "REFUNDING" and order["refund"]:
            take_refund(zimbo.refunds.get(order["refund"]))
        elif order["status"] == "REFUNDING":
            key = f"{order['id']} refund"
            take_refund(zimbo.refunds.create(payment_intent_id=order["payment"], idempotency_key=key))
    except ZimboError as error:
        log.error("The gateway says of order %s: %s", order["id"], error)
        # A refund that is refused for good, above a limit for example, needs a person.
        if order["status"] == "REFUNDING" and not order["refund"] and error.status in (403, 409):
            with database() as db:
                db.execute("UPDATE orders SET status = 'REFUND_FAILED' WHERE id = ? AND refund IS NULL", [order["id"]])
    return find(order["id"])


async def raw_body(request: Request) -> bytes:
    """The bytes as they arrived, because the signature covers exactly these."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            raise HTTPException(413)
    return body


@app.post("/webhooks")
def receive(request: Request, body: Annotated[bytes, Depends(raw_body)]) -> Response:
    try:
        event = verify_webhook(body, request.headers, SECRET)
    except WebhookVerificationError as error:
        log.warning("Refused a webhook: %s", error)
        return Response(status_code=400)
    match event.data:
        case CheckoutSession() as session:
            take_session(session, event.id)
        case Refund() as made:
            take_refund(made, event.id)
    # Only now, since the gateway does not send an answered event again.
    return Response(status_code=200)


def take_session(session: CheckoutSession, event_id: str | None = None) -> None:
    """The only place where an order becomes paid: by its own session, of its own price, once."""
    with database() as db:
        if not is_new(db, event_id):
            return
        if session.status == CheckoutSessionStatus.COMPLETED and session.currency == "CVE":
            db.execute(
                "UPDATE orders SET status = 'PAID', payment = ? WHERE session = ? AND price = ? AND status = 'NEW'",
                [session.payment_intent_id, session.id, session.amount],
            )
        elif session.status == CheckoutSessionStatus.EXPIRED:
            db.execute("UPDATE orders SET attempt = attempt + 1, session = NULL WHERE session = ?", [session.id])


def take_refund(refund: Refund, event_id: str | None = None) -> None:
    """The payment may have other refunds, so an event counts only once an answer has told the id of ours."""
    statuses = {RefundStatus.SUCCEEDED: "REFUNDED", RefundStatus.FAILED: "REFUND_FAILED"}
    is_ours = "coalesce(refund, :id) = :id" if event_id is None else "refund = :id"
    with database() as db:
        if is_new(db, event_id):
            db.execute(
                "UPDATE orders SET status = :status, refund = :id"
                f" WHERE payment = :payment AND status = 'REFUNDING' AND {is_ours}",
                {
                    "status": statuses.get(refund.status, "REFUNDING"),
                    "id": refund.id,
                    "payment": refund.payment_intent_id,
                },
            )


@app.get("/style.css")
def show_style() -> FileResponse:
    return FileResponse(SHARED / "style.css")


@app.get("/dialog.js")
def show_script() -> FileResponse:
    return FileResponse(SHARED / "dialog.js")


@app.exception_handler(AnyHTTPException)
def refuse(_: Request, error: AnyHTTPException) -> HTMLResponse:
    title = "Página não encontrada" if error.detail == "Not Found" else error.detail
    return page(notice_page(title), error.status_code)


@app.exception_handler(ZimboError)
def fail(_: Request, error: ZimboError) -> HTMLResponse:
    log.error("%s", error)
    return page(notice_page("Algo correu mal do nosso lado"), 502)


def page(html: str, status: int = 200) -> HTMLResponse:
    return HTMLResponse(html, status, page_headers(GATEWAY))
