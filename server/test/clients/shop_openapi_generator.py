"""What a shop in Python does with the client of OpenAPI Generator: pay, refund, and take a webhook."""
import hashlib
import hmac
from datetime import datetime, timedelta, timezone
from os import environ
from time import sleep

import zimbo_client as zimbo

configuration = zimbo.Configuration(host=environ["SHOP_URL"], access_token=environ["SHOP_KEY"])
with zimbo.ApiClient(configuration) as client:
    payments = zimbo.PaymentsApi(client)
    body = zimbo.CreatePaymentBody(
        amount=10_000, operator=zimbo.Operator.MOCK, operator_phone="+238 991 23 45", metadata={"order": 17}
    )
    answer = payments.create_payment_with_http_info(body, idempotency_key="order 17")
    payment = answer.data
    assert answer.headers["x-request-id"]
    assert payment.status == zimbo.PaymentStatus.CREATED and payment.metadata == {"order": 17}, payment
    again = payments.create_payment_with_http_info(body, idempotency_key="order 17")
    assert again.headers["idempotent-replayed"] == "true" and again.data.id == payment.id
    while payment.status != zimbo.PaymentStatus.DEBITED:
        assert payment.failure_code is None, payment
        sleep(0.1)
        payment = payments.get_payment(payment.id)
    listed = payments.list_payments(limit=1, currency=[zimbo.Currency.CVE])
    assert [one.id for one in listed.data] == [payment.id]
    since = datetime.now(timezone.utc) - timedelta(days=1)
    listed = payments.list_payments(created_gte=since, status=[zimbo.PaymentStatus.CREATED, zimbo.PaymentStatus.DEBITED])
    assert payment.id in [one.id for one in listed.data], listed
    body = zimbo.CreateRefundBody(payment_intent_id=payment.id, amount=4_000)
    refund = zimbo.RefundsApi(client).create_refund(body)
    assert refund.amount == "4000" and refund.payment_intent_id == payment.id, refund
    sessions = zimbo.CheckoutApi(client)
    item = zimbo.NewCheckoutSessionItem(name="Cachupa", quantity=2, unit_price=50_000)
    session = sessions.create_checkout_session(zimbo.CreateCheckoutSessionBody(items=[item]))
    assert session.amount == "100000" and session.customer_id is None
    try:
        payments.get_payment("pi_nobodys")
        raise AssertionError("it was found")
    except zimbo.exceptions.NotFoundException as refusal:
        assert zimbo.Error.from_json(refusal.body).error.code == zimbo.ErrorCode.NOT_FOUND
    kinds = {type(one.actual_instance) for one in zimbo.EventsApi(client).list_events().data}
    assert zimbo.PaymentCreatedEvent in kinds, kinds

text = environ["SHOP_WEBHOOK_BODY"]
message = f'{environ["SHOP_WEBHOOK_TIMESTAMP"]}.{text}'.encode()
expected = hmac.new(environ["SHOP_WEBHOOK_SECRET"].encode(), message, hashlib.sha256).hexdigest()
assert hmac.compare_digest(expected, environ["SHOP_WEBHOOK_SIGNATURE"])
event = zimbo.Event.from_json(text).actual_instance
assert isinstance(event, zimbo.PaymentFailedEvent), event
assert event.data.failure_code == zimbo.FailureCode.INSUFFICIENT_FUNDS
print("openapi-generator: created, got, listed, refunded and verified")
