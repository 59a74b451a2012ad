"""What a shop in Python does with the client of openapi-python-client: pay, refund, and take a webhook."""
import hashlib
import hmac
import json
from datetime import datetime, timedelta, timezone
from os import environ
from time import sleep

from zimbo_client import AuthenticatedClient
from zimbo_client.api.checkout import create_checkout_session
from zimbo_client.api.events import list_events
from zimbo_client.api.payments import create_payment, get_payment, list_payments
from zimbo_client.api.refunds import create_refund
from zimbo_client.models import (
    CreateCheckoutSessionBody,
    CreatePaymentBody,
    CreatePaymentBodyMetadataType0,
    CreateRefundBody,
    ErrorCode,
    FailureCode,
    NewCheckoutSessionItem,
    Operator,
    PaymentCreatedEvent,
    PaymentFailedEvent,
    PaymentStatus,
)

with AuthenticatedClient(base_url=environ["SHOP_URL"], token=environ["SHOP_KEY"]) as client:
    metadata = CreatePaymentBodyMetadataType0.from_dict({"order": 20})
    body = CreatePaymentBody(
        amount=10_000, operator=Operator.MOCK, operator_phone="+238 991 23 48", metadata=metadata
    )
    payment = create_payment.sync(client=client, body=body, idempotency_key="order 20")
    assert payment.status == PaymentStatus.CREATED and payment.metadata.to_dict() == {"order": 20}, payment
    again = create_payment.sync_detailed(client=client, body=body, idempotency_key="order 20")
    assert again.headers["idempotent-replayed"] == "true" and again.parsed.id == payment.id
    while payment.status != PaymentStatus.DEBITED:
        assert payment.failure_code is None, payment
        sleep(0.1)
        payment = get_payment.sync(payment.id, client=client)
    since = datetime.now(timezone.utc) - timedelta(days=1)
    listed = list_payments.sync(
        client=client, created_gte=since, status=[PaymentStatus.DEBITED, PaymentStatus.CREATED], operator=[Operator.MOCK]
    )
    assert listed.data[0].id == payment.id, listed
    refund = create_refund.sync(client=client, body=CreateRefundBody(payment_intent_id=payment.id, amount=4_000))
    assert refund.amount == "4000" and refund.payment_intent_id == payment.id, refund
    item = NewCheckoutSessionItem(name="Cachupa", quantity=2, unit_price=50_000)
    session = create_checkout_session.sync(client=client, body=CreateCheckoutSessionBody(items=[item]))
    assert session.amount == "100000" and session.customer_id is None, session
    missing = get_payment.sync("pi_nobodys", client=client)
    assert missing.error.code == ErrorCode.NOT_FOUND, missing
    events = list_events.sync(client=client).data
    assert any(isinstance(event, PaymentCreatedEvent) for event in events), events

text = environ["SHOP_WEBHOOK_BODY"]
message = f'{environ["SHOP_WEBHOOK_TIMESTAMP"]}.{text}'.encode()
expected = hmac.new(environ["SHOP_WEBHOOK_SECRET"].encode(), message, hashlib.sha256).hexdigest()
assert hmac.compare_digest(expected, environ["SHOP_WEBHOOK_SIGNATURE"])
event = PaymentFailedEvent.from_dict(json.loads(text))
assert event.data.failure_code == FailureCode.INSUFFICIENT_FUNDS
print("openapi-python-client: created, got, listed, refunded and verified")
