# Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.
from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from ._event import Event
from ._models import (
    CheckoutSessionStatus,
    Currency,
    DisbursementBatchStatus,
    DisbursementStatus,
    EventTypeFilter,
    Operator,
    PaymentStatus,
    RefundStatus,
    SettlementStatus,
    SubscribedEventType,
    WebhookDeliveryStatus,
    WebhookEndpointStatus,
    Balance,
    CheckoutSession,
    CheckoutSettings,
    CreateWebhookEndpointAnswer,
    Disbursement,
    DisbursementBatch,
    OperatorDetails,
    OperatorPrediction,
    Payment,
    PaymentLink,
    Product,
    RedeliverWebhookEventsAnswer,
    Refund,
    RotateWebhookSecretAnswer,
    Settlement,
    SettlementItem,
    Statement,
    WebhookDelivery,
    WebhookEndpoint,
    CreateDisbursementBody,
    NewCheckoutSessionItem,
)
from ._pages import AsyncPages, Pages
from ._request import OMITTED, Omitted, Request, as_nothing, as_text, checked_key, given, items, path_of
from ._transport import AsyncTransport, Transport

class DisbursementsBatchesResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        items: Sequence[CreateDisbursementBody],
        external_id: str | None | Omitted = OMITTED,
        description: str | None | Omitted = OMITTED,
        retry_of: str | None | Omitted = OMITTED,
        idempotency_key: str,
        timeout: float | None = None,
    ) -> DisbursementBatch:
        """Send money to many wallets. All rows are checked first: if one is wrong, the answer is 400 with the problems in details (at most 20), and nothing is created. Otherwise the batch is answered at once, and its disbursements are created in the background, in the order of the rows. A row that the balance does not cover becomes a FAILED disbursement, and the rest goes on. The body may have 4 MiB. Requires the permission `disbursements:write`."""
        request = Request("POST", "/v1/disbursement_batches", body=given({"items": items, "externalId": external_id, "description": description, "retryOf": retry_of}), takes_key=True, idempotency_key=checked_key(idempotency_key), timeout=timeout)
        return self._transport.call(request, DisbursementBatch.from_json)

    def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> DisbursementBatch:
        """Get a batch of disbursements. Requires the permission `disbursements:read`."""
        request = Request("GET", path_of("/v1/disbursement_batches/{id}", {"id": id}), timeout=timeout)
        return self._transport.call(request, DisbursementBatch.from_json)

    def disbursements(
        self,
        id: str,
        *,
        limit: int | Omitted = OMITTED,
        starting_after: str | Omitted = OMITTED,
        ending_before: str | Omitted = OMITTED,
        created_gte: datetime | str | Omitted = OMITTED,
        created_gt: datetime | str | Omitted = OMITTED,
        created_lte: datetime | str | Omitted = OMITTED,
        created_lt: datetime | str | Omitted = OMITTED,
        status: Sequence[DisbursementStatus | str] | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> Pages[Disbursement]:
        """List the disbursements of a batch, last row first. A row appears once its disbursement is created. Requires the permission `disbursements:read`."""
        request = Request("GET", path_of("/v1/disbursement_batches/{id}/disbursements", {"id": id}), query=given({"limit": limit, "starting_after": starting_after, "ending_before": ending_before, "created_gte": created_gte, "created_gt": created_gt, "created_lte": created_lte, "created_lt": created_lt, "status": status}), timeout=timeout)
        return Pages(self._transport, request, Disbursement.from_json)

    def cancel(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> DisbursementBatch:
        """Cancel a batch of disbursements. Cancels every row that has not been sent to its operator; rows whose disbursement is not created yet never get one. Answers 409 if there is no such row. Requires the permission `disbursements:write`."""
        request = Request("POST", path_of("/v1/disbursement_batches/{id}/cancel", {"id": id}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return self._transport.call(request, DisbursementBatch.from_json)

    def retry(
        self,
        id: str,
        *,
        idempotency_key: str,
        timeout: float | None = None,
    ) -> DisbursementBatch:
        """Try the failed rows of a batch again. Creates a batch of those rows that have definitely failed. Answers 409 while rows of the batch are open, if none has failed, or if it has been tried again before. Requires the permission `disbursements:write`."""
        request = Request("POST", path_of("/v1/disbursement_batches/{id}/retry", {"id": id}), takes_key=True, idempotency_key=checked_key(idempotency_key), timeout=timeout)
        return self._transport.call(request, DisbursementBatch.from_json)

    def list(
        self,
        *,
        limit: int | Omitted = OMITTED,
        starting_after: str | Omitted = OMITTED,
        ending_before: str | Omitted = OMITTED,
        created_gte: datetime | str | Omitted = OMITTED,
        created_gt: datetime | str | Omitted = OMITTED,
        created_lte: datetime | str | Omitted = OMITTED,
        created_lt: datetime | str | Omitted = OMITTED,
        status: Sequence[DisbursementBatchStatus | str] | Omitted = OMITTED,
        external_id: str | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> Pages[DisbursementBatch]:
        """List batches of disbursements, newest first. Requires the permission `disbursements:read`."""
        request = Request("GET", "/v1/disbursement_batches", query=given({"limit": limit, "starting_after": starting_after, "ending_before": ending_before, "created_gte": created_gte, "created_gt": created_gt, "created_lte": created_lte, "created_lt": created_lt, "status": status, "external_id": external_id}), timeout=timeout)
        return Pages(self._transport, request, DisbursementBatch.from_json)


class CheckoutSessionsResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        items: Sequence[NewCheckoutSessionItem] | None | Omitted = OMITTED,
        amount: int | None | Omitted = OMITTED,
        currency: Currency | str | None | Omitted = OMITTED,
        external_id: str | None | Omitted = OMITTED,
        customer_id: str | None | Omitted = OMITTED,
        description: str | None | Omitted = OMITTED,
        return_url: str | None | Omitted = OMITTED,
        completion_url: str | None | Omitted = OMITTED,
        expires_in_minutes: int | None | Omitted = OMITTED,
        metadata: Mapping[str, Any] | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> CheckoutSession:
        """Create a checkout session. Send the customer to the url of the session. Give exactly one of items and amount. Requires the permission `checkout:write`."""
        request = Request("POST", "/v1/checkout/sessions", body=given({"items": items, "amount": amount, "currency": currency, "externalId": external_id, "customerId": customer_id, "description": description, "returnUrl": return_url, "completionUrl": completion_url, "expiresInMinutes": expires_in_minutes, "metadata": metadata}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return self._transport.call(request, CheckoutSession.from_json)

    def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> CheckoutSession:
        """Get a checkout session. Requires the permission `checkout:read`."""
        request = Request("GET", path_of("/v1/checkout/sessions/{id}", {"id": id}), timeout=timeout)
        return self._transport.call(request, CheckoutSession.from_json)

    def expire(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> CheckoutSession:
        """Expire a checkout session. Ends the session early. Not possible while the customer is paying. Requires the permission `checkout:write`."""
        request = Request("POST", path_of("/v1/checkout/sessions/{id}/expire", {"id": id}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return self._transport.call(request, CheckoutSession.from_json)

    def list(
        self,
        *,
        limit: int | Omitted = OMITTED,
        starting_after: str | Omitted = OMITTED,
        ending_before: str | Omitted = OMITTED,
        created_gte: datetime | str | Omitted = OMITTED,
        created_gt: datetime | str | Omitted = OMITTED,
        created_lte: datetime | str | Omitted = OMITTED,
        created_lt: datetime | str | Omitted = OMITTED,
        status: Sequence[CheckoutSessionStatus | str] | Omitted = OMITTED,
        customer_id: str | Omitted = OMITTED,
        external_id: str | Omitted = OMITTED,
        payment_intent_id: str | Omitted = OMITTED,
        metadata: Mapping[str, Any] | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> Pages[CheckoutSession]:
        """List checkout sessions, newest first. Requires the permission `checkout:read`."""
        request = Request("GET", "/v1/checkout/sessions", query=given({"limit": limit, "starting_after": starting_after, "ending_before": ending_before, "created_gte": created_gte, "created_gt": created_gt, "created_lte": created_lte, "created_lt": created_lt, "status": status, "customer_id": customer_id, "external_id": external_id, "payment_intent_id": payment_intent_id, "metadata": metadata}), timeout=timeout)
        return Pages(self._transport, request, CheckoutSession.from_json)


class CheckoutSettingsResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        *,
        timeout: float | None = None,
    ) -> CheckoutSettings:
        """Get the settings of the payment page. Requires the permission `checkout:read`."""
        request = Request("GET", "/v1/checkout/settings", timeout=timeout)
        return self._transport.call(request, CheckoutSettings.from_json)

    def update(
        self,
        *,
        frame_origins: Sequence[str] | None | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> CheckoutSettings:
        """Change the settings of the payment page. Fields that you omit stay as they are; a list replaces the list before. Live and test have their own settings. Requires the permission `checkout:write`."""
        request = Request("PATCH", "/v1/checkout/settings", body=given({"frameOrigins": frame_origins}), timeout=timeout)
        return self._transport.call(request, CheckoutSettings.from_json)


class WebhooksDeliveriesResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        id: str,
        delivery_id: str,
        *,
        timeout: float | None = None,
    ) -> WebhookDelivery:
        """Get a delivery. Requires the permission `webhooks:read`."""
        request = Request("GET", path_of("/v1/webhooks/{id}/deliveries/{deliveryId}", {"id": id, "deliveryId": delivery_id}), timeout=timeout)
        return self._transport.call(request, WebhookDelivery.from_json)

    def redeliver(
        self,
        id: str,
        delivery_id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> WebhookDelivery:
        """Deliver an event again. Sends the same event with the same body, in a new series of attempts. Requires the permission `webhooks:write`."""
        request = Request("POST", path_of("/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver", {"id": id, "deliveryId": delivery_id}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return self._transport.call(request, WebhookDelivery.from_json)

    def list(
        self,
        id: str,
        *,
        limit: int | Omitted = OMITTED,
        starting_after: str | Omitted = OMITTED,
        ending_before: str | Omitted = OMITTED,
        created_gte: datetime | str | Omitted = OMITTED,
        created_gt: datetime | str | Omitted = OMITTED,
        created_lte: datetime | str | Omitted = OMITTED,
        created_lt: datetime | str | Omitted = OMITTED,
        status: Sequence[WebhookDeliveryStatus | str] | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> Pages[WebhookDelivery]:
        """List the deliveries of a webhook endpoint, newest event first. Requires the permission `webhooks:read`."""
        request = Request("GET", path_of("/v1/webhooks/{id}/deliveries", {"id": id}), query=given({"limit": limit, "starting_after": starting_after, "ending_before": ending_before, "created_gte": created_gte, "created_gt": created_gt, "created_lte": created_lte, "created_lt": created_lt, "status": status}), timeout=timeout)
        return Pages(self._transport, request, WebhookDelivery.from_json)


class PaymentsResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        amount: int,
        operator: Operator | str,
        operator_phone: str,
        currency: Currency | str | None | Omitted = OMITTED,
        external_id: str | None | Omitted = OMITTED,
        customer_id: str | None | Omitted = OMITTED,
        description: str | None | Omitted = OMITTED,
        statement_descriptor: str | None | Omitted = OMITTED,
        metadata: Mapping[str, Any] | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Payment:
        """Create a payment. The operator is asked for the debit at once, in the background. Follow the payment by its events. The currency defaults to that of the phone’s country, and with a live key it must be that one. Requires the permission `payments:write`."""
        request = Request("POST", "/v1/payments", body=given({"amount": amount, "operator": operator, "operatorPhone": operator_phone, "currency": currency, "externalId": external_id, "customerId": customer_id, "description": description, "statementDescriptor": statement_descriptor, "metadata": metadata}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return self._transport.call(request, Payment.from_json)

    def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> Payment:
        """Get a payment. Requires the permission `payments:read`."""
        request = Request("GET", path_of("/v1/payments/{id}", {"id": id}), timeout=timeout)
        return self._transport.call(request, Payment.from_json)

    def cancel(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Payment:
        """Cancel a payment. Possible until the customer has been debited. Requires the permission `payments:write`."""
        request = Request("POST", path_of("/v1/payments/{id}/cancel", {"id": id}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return self._transport.call(request, Payment.from_json)

    def confirm(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Payment:
        """Confirm a test payment. Does what the customer does by entering the PIN. Only with a test key. Requires the permission `payments:write`."""
        request = Request("POST", path_of("/v1/payments/{id}/confirm", {"id": id}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return self._transport.call(request, Payment.from_json)

    def list(
        self,
        *,
        limit: int | Omitted = OMITTED,
        starting_after: str | Omitted = OMITTED,
        ending_before: str | Omitted = OMITTED,
        created_gte: datetime | str | Omitted = OMITTED,
        created_gt: datetime | str | Omitted = OMITTED,
        created_lte: datetime | str | Omitted = OMITTED,
        created_lt: datetime | str | Omitted = OMITTED,
        status: Sequence[PaymentStatus | str] | Omitted = OMITTED,
        operator: Sequence[Operator | str] | Omitted = OMITTED,
        currency: Sequence[Currency | str] | Omitted = OMITTED,
        customer_id: str | Omitted = OMITTED,
        external_id: str | Omitted = OMITTED,
        amount_gte: int | Omitted = OMITTED,
        amount_lte: int | Omitted = OMITTED,
        operator_phone: str | Omitted = OMITTED,
        operator_tx_id: str | Omitted = OMITTED,
        checkout_session_id: str | Omitted = OMITTED,
        metadata: Mapping[str, Any] | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> Pages[Payment]:
        """List payments, newest first. Requires the permission `payments:read`."""
        request = Request("GET", "/v1/payments", query=given({"limit": limit, "starting_after": starting_after, "ending_before": ending_before, "created_gte": created_gte, "created_gt": created_gt, "created_lte": created_lte, "created_lt": created_lt, "status": status, "operator": operator, "currency": currency, "customer_id": customer_id, "external_id": external_id, "amount_gte": amount_gte, "amount_lte": amount_lte, "operator_phone": operator_phone, "operator_tx_id": operator_tx_id, "checkout_session_id": checkout_session_id, "metadata": metadata}), timeout=timeout)
        return Pages(self._transport, request, Payment.from_json)


class RefundsResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        payment_intent_id: str,
        amount: int | None | Omitted = OMITTED,
        reason: str | None | Omitted = OMITTED,
        metadata: Mapping[str, Any] | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Refund:
        """Refund a payment in full or in part. The operator is asked for the refund in the background. Follow the refund by its events. The fee is not returned. Requires the permission `refunds:write`."""
        request = Request("POST", "/v1/refunds", body=given({"paymentIntentId": payment_intent_id, "amount": amount, "reason": reason, "metadata": metadata}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return self._transport.call(request, Refund.from_json)

    def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> Refund:
        """Get a refund. Requires the permission `refunds:read`."""
        request = Request("GET", path_of("/v1/refunds/{id}", {"id": id}), timeout=timeout)
        return self._transport.call(request, Refund.from_json)

    def list(
        self,
        *,
        limit: int | Omitted = OMITTED,
        starting_after: str | Omitted = OMITTED,
        ending_before: str | Omitted = OMITTED,
        created_gte: datetime | str | Omitted = OMITTED,
        created_gt: datetime | str | Omitted = OMITTED,
        created_lte: datetime | str | Omitted = OMITTED,
        created_lt: datetime | str | Omitted = OMITTED,
        payment_intent_id: str | Omitted = OMITTED,
        status: Sequence[RefundStatus | str] | Omitted = OMITTED,
        metadata: Mapping[str, Any] | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> Pages[Refund]:
        """List refunds, newest first. Requires the permission `refunds:read`."""
        request = Request("GET", "/v1/refunds", query=given({"limit": limit, "starting_after": starting_after, "ending_before": ending_before, "created_gte": created_gte, "created_gt": created_gt, "created_lte": created_lte, "created_lt": created_lt, "payment_intent_id": payment_intent_id, "status": status, "metadata": metadata}), timeout=timeout)
        return Pages(self._transport, request, Refund.from_json)


class DisbursementsResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.batches: DisbursementsBatchesResource = DisbursementsBatchesResource(transport)

    def create(
        self,
        *,
        amount: int,
        operator: Operator | str,
        operator_phone: str,
        currency: Currency | str | None | Omitted = OMITTED,
        external_id: str | None | Omitted = OMITTED,
        customer_id: str | None | Omitted = OMITTED,
        description: str | None | Omitted = OMITTED,
        statement_descriptor: str | None | Omitted = OMITTED,
        metadata: Mapping[str, Any] | None | Omitted = OMITTED,
        idempotency_key: str,
        timeout: float | None = None,
    ) -> Disbursement:
        """Send money to a wallet. Amount and fee leave the balance at once, and the operator is asked in the background. Follow the disbursement by its events. Answers 403 unless the operator of the gateway has switched disbursements on, and allows the merchant to disburse with live keys. Requires the permission `disbursements:write`."""
        request = Request("POST", "/v1/disbursements", body=given({"amount": amount, "operator": operator, "operatorPhone": operator_phone, "currency": currency, "externalId": external_id, "customerId": customer_id, "description": description, "statementDescriptor": statement_descriptor, "metadata": metadata}), takes_key=True, idempotency_key=checked_key(idempotency_key), timeout=timeout)
        return self._transport.call(request, Disbursement.from_json)

    def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> Disbursement:
        """Get a disbursement. Requires the permission `disbursements:read`."""
        request = Request("GET", path_of("/v1/disbursements/{id}", {"id": id}), timeout=timeout)
        return self._transport.call(request, Disbursement.from_json)

    def cancel(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Disbursement:
        """Cancel a disbursement. Possible until it is sent to the operator. Amount and fee go back to the balance. Requires the permission `disbursements:write`."""
        request = Request("POST", path_of("/v1/disbursements/{id}/cancel", {"id": id}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return self._transport.call(request, Disbursement.from_json)

    def list(
        self,
        *,
        limit: int | Omitted = OMITTED,
        starting_after: str | Omitted = OMITTED,
        ending_before: str | Omitted = OMITTED,
        created_gte: datetime | str | Omitted = OMITTED,
        created_gt: datetime | str | Omitted = OMITTED,
        created_lte: datetime | str | Omitted = OMITTED,
        created_lt: datetime | str | Omitted = OMITTED,
        status: Sequence[DisbursementStatus | str] | Omitted = OMITTED,
        operator: Sequence[Operator | str] | Omitted = OMITTED,
        currency: Sequence[Currency | str] | Omitted = OMITTED,
        batch_id: str | Omitted = OMITTED,
        customer_id: str | Omitted = OMITTED,
        external_id: str | Omitted = OMITTED,
        metadata: Mapping[str, Any] | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> Pages[Disbursement]:
        """List disbursements, newest first. Requires the permission `disbursements:read`."""
        request = Request("GET", "/v1/disbursements", query=given({"limit": limit, "starting_after": starting_after, "ending_before": ending_before, "created_gte": created_gte, "created_gt": created_gt, "created_lte": created_lte, "created_lt": created_lt, "status": status, "operator": operator, "currency": currency, "batch_id": batch_id, "customer_id": customer_id, "external_id": external_id, "metadata": metadata}), timeout=timeout)
        return Pages(self._transport, request, Disbursement.from_json)


class ProductsResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        name: str,
        price: int,
        description: str | None | Omitted = OMITTED,
        currency: Currency | str | None | Omitted = OMITTED,
        active: bool | None | Omitted = OMITTED,
        metadata: Mapping[str, Any] | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Product:
        """Create a product. Requires the permission `products:write`."""
        request = Request("POST", "/v1/products", body=given({"name": name, "price": price, "description": description, "currency": currency, "active": active, "metadata": metadata}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return self._transport.call(request, Product.from_json)

    def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> Product:
        """Get a product. Requires the permission `products:read`."""
        request = Request("GET", path_of("/v1/products/{id}", {"id": id}), timeout=timeout)
        return self._transport.call(request, Product.from_json)

    def update(
        self,
        id: str,
        *,
        name: str | Omitted = OMITTED,
        price: int | Omitted = OMITTED,
        description: str | None | Omitted = OMITTED,
        currency: Currency | str | Omitted = OMITTED,
        active: bool | Omitted = OMITTED,
        metadata: Mapping[str, Any] | None | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> Product:
        """Change a product. Fields that you omit stay as they are; null clears description and metadata. Existing checkout sessions do not change. Requires the permission `products:write`."""
        request = Request("PATCH", path_of("/v1/products/{id}", {"id": id}), body=given({"name": name, "price": price, "description": description, "currency": currency, "active": active, "metadata": metadata}), timeout=timeout)
        return self._transport.call(request, Product.from_json)

    def delete(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> None:
        """Delete a product. Existing checkout sessions do not change. Requires the permission `products:write`."""
        request = Request("DELETE", path_of("/v1/products/{id}", {"id": id}), timeout=timeout)
        return self._transport.call(request, as_nothing)

    def list(
        self,
        *,
        limit: int | Omitted = OMITTED,
        starting_after: str | Omitted = OMITTED,
        ending_before: str | Omitted = OMITTED,
        created_gte: datetime | str | Omitted = OMITTED,
        created_gt: datetime | str | Omitted = OMITTED,
        created_lte: datetime | str | Omitted = OMITTED,
        created_lt: datetime | str | Omitted = OMITTED,
        active: bool | Omitted = OMITTED,
        metadata: Mapping[str, Any] | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> Pages[Product]:
        """List products, newest first. Requires the permission `products:read`."""
        request = Request("GET", "/v1/products", query=given({"limit": limit, "starting_after": starting_after, "ending_before": ending_before, "created_gte": created_gte, "created_gt": created_gt, "created_lte": created_lte, "created_lt": created_lt, "active": active, "metadata": metadata}), timeout=timeout)
        return Pages(self._transport, request, Product.from_json)


class PaymentLinksResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        *,
        description: str,
        product_id: str | None | Omitted = OMITTED,
        amount: int | None | Omitted = OMITTED,
        min_amount: int | None | Omitted = OMITTED,
        max_amount: int | None | Omitted = OMITTED,
        currency: Currency | str | None | Omitted = OMITTED,
        return_url: str | None | Omitted = OMITTED,
        completion_url: str | None | Omitted = OMITTED,
        metadata: Mapping[str, Any] | None | Omitted = OMITTED,
        max_uses: int | None | Omitted = OMITTED,
        expires_at: datetime | str | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> PaymentLink:
        """Create a payment link. A link that can be paid again and again. Each use makes a checkout session, whose metadata names the link in paymentLinkId. Requires the permission `checkout:write`."""
        request = Request("POST", "/v1/payment-links", body=given({"description": description, "productId": product_id, "amount": amount, "minAmount": min_amount, "maxAmount": max_amount, "currency": currency, "returnUrl": return_url, "completionUrl": completion_url, "metadata": metadata, "maxUses": max_uses, "expiresAt": expires_at}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return self._transport.call(request, PaymentLink.from_json)

    def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> PaymentLink:
        """Get a payment link. Requires the permission `checkout:read`."""
        request = Request("GET", path_of("/v1/payment-links/{id}", {"id": id}), timeout=timeout)
        return self._transport.call(request, PaymentLink.from_json)

    def update(
        self,
        id: str,
        *,
        description: str | Omitted = OMITTED,
        active: bool | Omitted = OMITTED,
        max_uses: int | None | Omitted = OMITTED,
        expires_at: datetime | str | None | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> PaymentLink:
        """Change a payment link. Fields that you omit stay as they are; null clears maxUses and expiresAt. Sessions that it has made do not change. Requires the permission `checkout:write`."""
        request = Request("PATCH", path_of("/v1/payment-links/{id}", {"id": id}), body=given({"description": description, "active": active, "maxUses": max_uses, "expiresAt": expires_at}), timeout=timeout)
        return self._transport.call(request, PaymentLink.from_json)

    def list(
        self,
        *,
        limit: int | Omitted = OMITTED,
        starting_after: str | Omitted = OMITTED,
        ending_before: str | Omitted = OMITTED,
        created_gte: datetime | str | Omitted = OMITTED,
        created_gt: datetime | str | Omitted = OMITTED,
        created_lte: datetime | str | Omitted = OMITTED,
        created_lt: datetime | str | Omitted = OMITTED,
        active: bool | Omitted = OMITTED,
        metadata: Mapping[str, Any] | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> Pages[PaymentLink]:
        """List payment links, newest first. Requires the permission `checkout:read`."""
        request = Request("GET", "/v1/payment-links", query=given({"limit": limit, "starting_after": starting_after, "ending_before": ending_before, "created_gte": created_gte, "created_gt": created_gt, "created_lte": created_lte, "created_lt": created_lt, "active": active, "metadata": metadata}), timeout=timeout)
        return Pages(self._transport, request, PaymentLink.from_json)


class EventsResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> Event:
        """Get an event. The same bytes as in a webhook. The phone is masked for a key without phones:read. Requires the permission `events:read`."""
        request = Request("GET", path_of("/v1/events/{id}", {"id": id}), timeout=timeout)
        return self._transport.call(request, Event.from_json)

    def list(
        self,
        *,
        limit: int | Omitted = OMITTED,
        starting_after: str | Omitted = OMITTED,
        ending_before: str | Omitted = OMITTED,
        created_gte: datetime | str | Omitted = OMITTED,
        created_gt: datetime | str | Omitted = OMITTED,
        created_lte: datetime | str | Omitted = OMITTED,
        created_lt: datetime | str | Omitted = OMITTED,
        type: Sequence[EventTypeFilter | str] | Omitted = OMITTED,
        object_id: str | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> Pages[Event]:
        """List events, newest first. Each event looks as it does in a webhook. Events that no endpoint was subscribed to are included. Phones are masked for a key without phones:read. Requires the permission `events:read`."""
        request = Request("GET", "/v1/events", query=given({"limit": limit, "starting_after": starting_after, "ending_before": ending_before, "created_gte": created_gte, "created_gt": created_gt, "created_lte": created_lte, "created_lt": created_lt, "type": type, "object_id": object_id}), timeout=timeout)
        return Pages(self._transport, request, Event.from_json)


class OperatorsResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        name: str,
        *,
        timeout: float | None = None,
    ) -> OperatorDetails:
        """Get an operator. Requires the permission `payments:read`."""
        request = Request("GET", path_of("/v1/operators/{name}", {"name": name}), timeout=timeout)
        return self._transport.call(request, OperatorDetails.from_json)

    def predict(
        self,
        *,
        phone: str,
        timeout: float | None = None,
    ) -> OperatorPrediction:
        """Predict the operator of a phone. By the prefix alone: no operator is asked, and nothing is stored, so an Idempotency-Key is ignored. Let the customer correct the choice, because numbers move between operators. Requires the permission `payments:read`."""
        request = Request("POST", "/v1/operators/predict", body=given({"phone": phone}), timeout=timeout)
        return self._transport.call(request, OperatorPrediction.from_json)

    def list(
        self,
        *,
        timeout: float | None = None,
    ) -> list[OperatorDetails]:
        """List the operators that your customers can pay with. Those that this gateway is configured for; with a test key, all. The list always has one page. Requires the permission `payments:read`."""
        request = Request("GET", "/v1/operators", timeout=timeout)
        return self._transport.call(request, items(OperatorDetails.from_json))


class SettlementsResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def process(
        self,
        *,
        currency: Currency | str | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Settlement:
        """Settle what is payable. Without a currency, settles the one with the oldest unsettled debit. Repeat until the answer is 204: nothing is left to settle. Requires the permission `settlements:write`."""
        request = Request("POST", "/v1/settlements/process", body=given({"currency": currency}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return self._transport.call(request, Settlement.from_json)

    def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> Settlement:
        """Get a settlement. Requires the permission `settlements:read`."""
        request = Request("GET", path_of("/v1/settlements/{id}", {"id": id}), timeout=timeout)
        return self._transport.call(request, Settlement.from_json)

    def items(
        self,
        id: str,
        *,
        limit: int | Omitted = OMITTED,
        starting_after: str | Omitted = OMITTED,
        ending_before: str | Omitted = OMITTED,
        created_gte: datetime | str | Omitted = OMITTED,
        created_gt: datetime | str | Omitted = OMITTED,
        created_lte: datetime | str | Omitted = OMITTED,
        created_lt: datetime | str | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> Pages[SettlementItem]:
        """List the payments, refunds and disbursements in a settlement, newest first. The netAmount of all items adds up to that of the settlement. A FAILED settlement has no items: they move to a later settlement. Requires the permission `settlements:read`."""
        request = Request("GET", path_of("/v1/settlements/{id}/items", {"id": id}), query=given({"limit": limit, "starting_after": starting_after, "ending_before": ending_before, "created_gte": created_gte, "created_gt": created_gt, "created_lte": created_lte, "created_lt": created_lt}), timeout=timeout)
        return Pages(self._transport, request, SettlementItem.from_json)

    def items_csv(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> str:
        """Download the payments, refunds and disbursements in a settlement as CSV. All items, newest first, with a header line. Amounts are in centavos. Requires the permission `settlements:read`."""
        request = Request("GET", path_of("/v1/settlements/{id}/items.csv", {"id": id}), timeout=timeout)
        return self._transport.call(request, as_text)

    def statement(
        self,
        *,
        month: str,
        currency: Currency | str,
        timeout: float | None = None,
    ) -> Statement:
        """Get the statement of a month. What moved the available balance, day by day: openingBalance + amount - feeTotal - refundTotal - disbursementTotal - payoutTotal = closingBalance. The month is that of Atlantic/Cape_Verde for CVE and of Africa/Luanda for AOA. Requires the permission `settlements:read`."""
        request = Request("GET", "/v1/statements", query=given({"month": month, "currency": currency}), timeout=timeout)
        return self._transport.call(request, Statement.from_json)

    def statement_csv(
        self,
        *,
        month: str,
        currency: Currency | str,
        timeout: float | None = None,
    ) -> str:
        """Download each movement of a month as CSV. Opening balance, each movement in the order in which it was booked with the balance after it, and last CLOSING_BALANCE, dated when the month ended, or while it is not over BALANCE_SO_FAR, dated now. Amounts are in centavos, negative where they lower the balance. It is checked against the ledger before it is sent. At most 500,000 lines. Requires the permission `settlements:read`."""
        request = Request("GET", "/v1/statements.csv", query=given({"month": month, "currency": currency}), timeout=timeout)
        return self._transport.call(request, as_text)

    def list(
        self,
        *,
        limit: int | Omitted = OMITTED,
        starting_after: str | Omitted = OMITTED,
        ending_before: str | Omitted = OMITTED,
        created_gte: datetime | str | Omitted = OMITTED,
        created_gt: datetime | str | Omitted = OMITTED,
        created_lte: datetime | str | Omitted = OMITTED,
        created_lt: datetime | str | Omitted = OMITTED,
        status: Sequence[SettlementStatus | str] | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> Pages[Settlement]:
        """List settlements, newest first. Requires the permission `settlements:read`."""
        request = Request("GET", "/v1/settlements", query=given({"limit": limit, "starting_after": starting_after, "ending_before": ending_before, "created_gte": created_gte, "created_gt": created_gt, "created_lte": created_lte, "created_lt": created_lt, "status": status}), timeout=timeout)
        return Pages(self._transport, request, Settlement.from_json)


class BalanceResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(
        self,
        *,
        timeout: float | None = None,
    ) -> Balance:
        """Get the balance by currency. Requires the permission `settlements:read`."""
        request = Request("GET", "/v1/balance", timeout=timeout)
        return self._transport.call(request, Balance.from_json)


class WebhooksResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.deliveries: WebhooksDeliveriesResource = WebhooksDeliveriesResource(transport)

    def create(
        self,
        *,
        url: str,
        events: Sequence[SubscribedEventType | str],
        description: str | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> CreateWebhookEndpointAnswer:
        """Create a webhook endpoint. Only this answer shows the secret. A repetition under the same Idempotency-Key shows it again until the secret is rotated; after that, it shows the endpoint as it is now, without `secret`. After the endpoint is deleted, a repetition gets 404. Requires the permission `webhooks:write`."""
        request = Request("POST", "/v1/webhooks", body=given({"url": url, "events": events, "description": description}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return self._transport.call(request, CreateWebhookEndpointAnswer.from_json)

    def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> WebhookEndpoint:
        """Get a webhook endpoint. Requires the permission `webhooks:read`."""
        request = Request("GET", path_of("/v1/webhooks/{id}", {"id": id}), timeout=timeout)
        return self._transport.call(request, WebhookEndpoint.from_json)

    def update(
        self,
        id: str,
        *,
        url: str | Omitted = OMITTED,
        events: Sequence[SubscribedEventType | str] | Omitted = OMITTED,
        status: WebhookEndpointStatus | str | Omitted = OMITTED,
        description: str | None | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> WebhookEndpoint:
        """Change a webhook endpoint. Fields that you omit stay as they are; null clears the description. Enabling an endpoint sends the deliveries that were waiting for it. Requires the permission `webhooks:write`."""
        request = Request("PATCH", path_of("/v1/webhooks/{id}", {"id": id}), body=given({"url": url, "events": events, "status": status, "description": description}), timeout=timeout)
        return self._transport.call(request, WebhookEndpoint.from_json)

    def delete(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> None:
        """Delete a webhook endpoint. Its pending deliveries are dropped. Requires the permission `webhooks:write`."""
        request = Request("DELETE", path_of("/v1/webhooks/{id}", {"id": id}), timeout=timeout)
        return self._transport.call(request, as_nothing)

    def rotate_secret(
        self,
        id: str,
        *,
        overlap_hours: int | None | Omitted = OMITTED,
        end_overlap: bool | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> RotateWebhookSecretAnswer:
        """Rotate the secret of a webhook endpoint. Until the overlap ends, X-Service-Signature is made with the old secret and X-Service-Signature-Next with the new one. Until then, another rotation is refused unless it is to end the overlap. A repetition under the same Idempotency-Key shows the secret again until the next rotation. Requires the permission `webhooks:write`."""
        request = Request("POST", path_of("/v1/webhooks/{id}/rotate-secret", {"id": id}), body=given({"overlapHours": overlap_hours, "endOverlap": end_overlap}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return self._transport.call(request, RotateWebhookSecretAnswer.from_json)

    def redeliver(
        self,
        id: str,
        *,
        since: datetime | str,
        until: datetime | str | None | Omitted = OMITTED,
        status: WebhookDeliveryStatus | str | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> RedeliverWebhookEventsAnswer:
        """Deliver the events of a period again. For use after an outage. Without a status, sends every event of the range that the endpoint is subscribed to, including those it missed while it was disabled. Requires the permission `webhooks:write`."""
        request = Request("POST", path_of("/v1/webhooks/{id}/redeliver", {"id": id}), body=given({"since": since, "until": until, "status": status}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return self._transport.call(request, RedeliverWebhookEventsAnswer.from_json)

    def send_test(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> WebhookDelivery:
        """Send a test event. Sends an event of the type webhook.test, whose data is the endpoint. Returns the delivery. Requires the permission `webhooks:write`."""
        request = Request("POST", path_of("/v1/webhooks/{id}/test", {"id": id}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return self._transport.call(request, WebhookDelivery.from_json)

    def list(
        self,
        *,
        limit: int | Omitted = OMITTED,
        starting_after: str | Omitted = OMITTED,
        ending_before: str | Omitted = OMITTED,
        created_gte: datetime | str | Omitted = OMITTED,
        created_gt: datetime | str | Omitted = OMITTED,
        created_lte: datetime | str | Omitted = OMITTED,
        created_lt: datetime | str | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> Pages[WebhookEndpoint]:
        """List webhook endpoints, newest first. Requires the permission `webhooks:read`."""
        request = Request("GET", "/v1/webhooks", query=given({"limit": limit, "starting_after": starting_after, "ending_before": ending_before, "created_gte": created_gte, "created_gt": created_gt, "created_lte": created_lte, "created_lt": created_lt}), timeout=timeout)
        return Pages(self._transport, request, WebhookEndpoint.from_json)


class CheckoutResource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.sessions: CheckoutSessionsResource = CheckoutSessionsResource(transport)
        self.settings: CheckoutSettingsResource = CheckoutSettingsResource(transport)


class AsyncDisbursementsBatchesResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        items: Sequence[CreateDisbursementBody],
        external_id: str | None | Omitted = OMITTED,
        description: str | None | Omitted = OMITTED,
        retry_of: str | None | Omitted = OMITTED,
        idempotency_key: str,
        timeout: float | None = None,
    ) -> DisbursementBatch:
        """Send money to many wallets. All rows are checked first: if one is wrong, the answer is 400 with the problems in details (at most 20), and nothing is created. Otherwise the batch is answered at once, and its disbursements are created in the background, in the order of the rows. A row that the balance does not cover becomes a FAILED disbursement, and the rest goes on. The body may have 4 MiB. Requires the permission `disbursements:write`."""
        request = Request("POST", "/v1/disbursement_batches", body=given({"items": items, "externalId": external_id, "description": description, "retryOf": retry_of}), takes_key=True, idempotency_key=checked_key(idempotency_key), timeout=timeout)
        return await self._transport.call(request, DisbursementBatch.from_json)

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> DisbursementBatch:
        """Get a batch of disbursements. Requires the permission `disbursements:read`."""
        request = Request("GET", path_of("/v1/disbursement_batches/{id}", {"id": id}), timeout=timeout)
        return await self._transport.call(request, DisbursementBatch.from_json)

    def disbursements(
        self,
        id: str,
        *,
        limit: int | Omitted = OMITTED,
        starting_after: str | Omitted = OMITTED,
        ending_before: str | Omitted = OMITTED,
        created_gte: datetime | str | Omitted = OMITTED,
        created_gt: datetime | str | Omitted = OMITTED,
        created_lte: datetime | str | Omitted = OMITTED,
        created_lt: datetime | str | Omitted = OMITTED,
        status: Sequence[DisbursementStatus | str] | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> AsyncPages[Disbursement]:
        """List the disbursements of a batch, last row first. A row appears once its disbursement is created. Requires the permission `disbursements:read`."""
        request = Request("GET", path_of("/v1/disbursement_batches/{id}/disbursements", {"id": id}), query=given({"limit": limit, "starting_after": starting_after, "ending_before": ending_before, "created_gte": created_gte, "created_gt": created_gt, "created_lte": created_lte, "created_lt": created_lt, "status": status}), timeout=timeout)
        return AsyncPages(self._transport, request, Disbursement.from_json)

    async def cancel(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> DisbursementBatch:
        """Cancel a batch of disbursements. Cancels every row that has not been sent to its operator; rows whose disbursement is not created yet never get one. Answers 409 if there is no such row. Requires the permission `disbursements:write`."""
        request = Request("POST", path_of("/v1/disbursement_batches/{id}/cancel", {"id": id}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return await self._transport.call(request, DisbursementBatch.from_json)

    async def retry(
        self,
        id: str,
        *,
        idempotency_key: str,
        timeout: float | None = None,
    ) -> DisbursementBatch:
        """Try the failed rows of a batch again. Creates a batch of those rows that have definitely failed. Answers 409 while rows of the batch are open, if none has failed, or if it has been tried again before. Requires the permission `disbursements:write`."""
        request = Request("POST", path_of("/v1/disbursement_batches/{id}/retry", {"id": id}), takes_key=True, idempotency_key=checked_key(idempotency_key), timeout=timeout)
        return await self._transport.call(request, DisbursementBatch.from_json)

    def list(
        self,
        *,
        limit: int | Omitted = OMITTED,
        starting_after: str | Omitted = OMITTED,
        ending_before: str | Omitted = OMITTED,
        created_gte: datetime | str | Omitted = OMITTED,
        created_gt: datetime | str | Omitted = OMITTED,
        created_lte: datetime | str | Omitted = OMITTED,
        created_lt: datetime | str | Omitted = OMITTED,
        status: Sequence[DisbursementBatchStatus | str] | Omitted = OMITTED,
        external_id: str | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> AsyncPages[DisbursementBatch]:
        """List batches of disbursements, newest first. Requires the permission `disbursements:read`."""
        request = Request("GET", "/v1/disbursement_batches", query=given({"limit": limit, "starting_after": starting_after, "ending_before": ending_before, "created_gte": created_gte, "created_gt": created_gt, "created_lte": created_lte, "created_lt": created_lt, "status": status, "external_id": external_id}), timeout=timeout)
        return AsyncPages(self._transport, request, DisbursementBatch.from_json)


class AsyncCheckoutSessionsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        items: Sequence[NewCheckoutSessionItem] | None | Omitted = OMITTED,
        amount: int | None | Omitted = OMITTED,
        currency: Currency | str | None | Omitted = OMITTED,
        external_id: str | None | Omitted = OMITTED,
        customer_id: str | None | Omitted = OMITTED,
        description: str | None | Omitted = OMITTED,
        return_url: str | None | Omitted = OMITTED,
        completion_url: str | None | Omitted = OMITTED,
        expires_in_minutes: int | None | Omitted = OMITTED,
        metadata: Mapping[str, Any] | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> CheckoutSession:
        """Create a checkout session. Send the customer to the url of the session. Give exactly one of items and amount. Requires the permission `checkout:write`."""
        request = Request("POST", "/v1/checkout/sessions", body=given({"items": items, "amount": amount, "currency": currency, "externalId": external_id, "customerId": customer_id, "description": description, "returnUrl": return_url, "completionUrl": completion_url, "expiresInMinutes": expires_in_minutes, "metadata": metadata}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return await self._transport.call(request, CheckoutSession.from_json)

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> CheckoutSession:
        """Get a checkout session. Requires the permission `checkout:read`."""
        request = Request("GET", path_of("/v1/checkout/sessions/{id}", {"id": id}), timeout=timeout)
        return await self._transport.call(request, CheckoutSession.from_json)

    async def expire(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> CheckoutSession:
        """Expire a checkout session. Ends the session early. Not possible while the customer is paying. Requires the permission `checkout:write`."""
        request = Request("POST", path_of("/v1/checkout/sessions/{id}/expire", {"id": id}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return await self._transport.call(request, CheckoutSession.from_json)

    def list(
        self,
        *,
        limit: int | Omitted = OMITTED,
        starting_after: str | Omitted = OMITTED,
        ending_before: str | Omitted = OMITTED,
        created_gte: datetime | str | Omitted = OMITTED,
        created_gt: datetime | str | Omitted = OMITTED,
        created_lte: datetime | str | Omitted = OMITTED,
        created_lt: datetime | str | Omitted = OMITTED,
        status: Sequence[CheckoutSessionStatus | str] | Omitted = OMITTED,
        customer_id: str | Omitted = OMITTED,
        external_id: str | Omitted = OMITTED,
        payment_intent_id: str | Omitted = OMITTED,
        metadata: Mapping[str, Any] | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> AsyncPages[CheckoutSession]:
        """List checkout sessions, newest first. Requires the permission `checkout:read`."""
        request = Request("GET", "/v1/checkout/sessions", query=given({"limit": limit, "starting_after": starting_after, "ending_before": ending_before, "created_gte": created_gte, "created_gt": created_gt, "created_lte": created_lte, "created_lt": created_lt, "status": status, "customer_id": customer_id, "external_id": external_id, "payment_intent_id": payment_intent_id, "metadata": metadata}), timeout=timeout)
        return AsyncPages(self._transport, request, CheckoutSession.from_json)


class AsyncCheckoutSettingsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        *,
        timeout: float | None = None,
    ) -> CheckoutSettings:
        """Get the settings of the payment page. Requires the permission `checkout:read`."""
        request = Request("GET", "/v1/checkout/settings", timeout=timeout)
        return await self._transport.call(request, CheckoutSettings.from_json)

    async def update(
        self,
        *,
        frame_origins: Sequence[str] | None | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> CheckoutSettings:
        """Change the settings of the payment page. Fields that you omit stay as they are; a list replaces the list before. Live and test have their own settings. Requires the permission `checkout:write`."""
        request = Request("PATCH", "/v1/checkout/settings", body=given({"frameOrigins": frame_origins}), timeout=timeout)
        return await self._transport.call(request, CheckoutSettings.from_json)


class AsyncWebhooksDeliveriesResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        id: str,
        delivery_id: str,
        *,
        timeout: float | None = None,
    ) -> WebhookDelivery:
        """Get a delivery. Requires the permission `webhooks:read`."""
        request = Request("GET", path_of("/v1/webhooks/{id}/deliveries/{deliveryId}", {"id": id, "deliveryId": delivery_id}), timeout=timeout)
        return await self._transport.call(request, WebhookDelivery.from_json)

    async def redeliver(
        self,
        id: str,
        delivery_id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> WebhookDelivery:
        """Deliver an event again. Sends the same event with the same body, in a new series of attempts. Requires the permission `webhooks:write`."""
        request = Request("POST", path_of("/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver", {"id": id, "deliveryId": delivery_id}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return await self._transport.call(request, WebhookDelivery.from_json)

    def list(
        self,
        id: str,
        *,
        limit: int | Omitted = OMITTED,
        starting_after: str | Omitted = OMITTED,
        ending_before: str | Omitted = OMITTED,
        created_gte: datetime | str | Omitted = OMITTED,
        created_gt: datetime | str | Omitted = OMITTED,
        created_lte: datetime | str | Omitted = OMITTED,
        created_lt: datetime | str | Omitted = OMITTED,
        status: Sequence[WebhookDeliveryStatus | str] | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> AsyncPages[WebhookDelivery]:
        """List the deliveries of a webhook endpoint, newest event first. Requires the permission `webhooks:read`."""
        request = Request("GET", path_of("/v1/webhooks/{id}/deliveries", {"id": id}), query=given({"limit": limit, "starting_after": starting_after, "ending_before": ending_before, "created_gte": created_gte, "created_gt": created_gt, "created_lte": created_lte, "created_lt": created_lt, "status": status}), timeout=timeout)
        return AsyncPages(self._transport, request, WebhookDelivery.from_json)


class AsyncPaymentsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        amount: int,
        operator: Operator | str,
        operator_phone: str,
        currency: Currency | str | None | Omitted = OMITTED,
        external_id: str | None | Omitted = OMITTED,
        customer_id: str | None | Omitted = OMITTED,
        description: str | None | Omitted = OMITTED,
        statement_descriptor: str | None | Omitted = OMITTED,
        metadata: Mapping[str, Any] | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Payment:
        """Create a payment. The operator is asked for the debit at once, in the background. Follow the payment by its events. The currency defaults to that of the phone’s country, and with a live key it must be that one. Requires the permission `payments:write`."""
        request = Request("POST", "/v1/payments", body=given({"amount": amount, "operator": operator, "operatorPhone": operator_phone, "currency": currency, "externalId": external_id, "customerId": customer_id, "description": description, "statementDescriptor": statement_descriptor, "metadata": metadata}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return await self._transport.call(request, Payment.from_json)

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> Payment:
        """Get a payment. Requires the permission `payments:read`."""
        request = Request("GET", path_of("/v1/payments/{id}", {"id": id}), timeout=timeout)
        return await self._transport.call(request, Payment.from_json)

    async def cancel(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Payment:
        """Cancel a payment. Possible until the customer has been debited. Requires the permission `payments:write`."""
        request = Request("POST", path_of("/v1/payments/{id}/cancel", {"id": id}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return await self._transport.call(request, Payment.from_json)

    async def confirm(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Payment:
        """Confirm a test payment. Does what the customer does by entering the PIN. Only with a test key. Requires the permission `payments:write`."""
        request = Request("POST", path_of("/v1/payments/{id}/confirm", {"id": id}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return await self._transport.call(request, Payment.from_json)

    def list(
        self,
        *,
        limit: int | Omitted = OMITTED,
        starting_after: str | Omitted = OMITTED,
        ending_before: str | Omitted = OMITTED,
        created_gte: datetime | str | Omitted = OMITTED,
        created_gt: datetime | str | Omitted = OMITTED,
        created_lte: datetime | str | Omitted = OMITTED,
        created_lt: datetime | str | Omitted = OMITTED,
        status: Sequence[PaymentStatus | str] | Omitted = OMITTED,
        operator: Sequence[Operator | str] | Omitted = OMITTED,
        currency: Sequence[Currency | str] | Omitted = OMITTED,
        customer_id: str | Omitted = OMITTED,
        external_id: str | Omitted = OMITTED,
        amount_gte: int | Omitted = OMITTED,
        amount_lte: int | Omitted = OMITTED,
        operator_phone: str | Omitted = OMITTED,
        operator_tx_id: str | Omitted = OMITTED,
        checkout_session_id: str | Omitted = OMITTED,
        metadata: Mapping[str, Any] | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> AsyncPages[Payment]:
        """List payments, newest first. Requires the permission `payments:read`."""
        request = Request("GET", "/v1/payments", query=given({"limit": limit, "starting_after": starting_after, "ending_before": ending_before, "created_gte": created_gte, "created_gt": created_gt, "created_lte": created_lte, "created_lt": created_lt, "status": status, "operator": operator, "currency": currency, "customer_id": customer_id, "external_id": external_id, "amount_gte": amount_gte, "amount_lte": amount_lte, "operator_phone": operator_phone, "operator_tx_id": operator_tx_id, "checkout_session_id": checkout_session_id, "metadata": metadata}), timeout=timeout)
        return AsyncPages(self._transport, request, Payment.from_json)


class AsyncRefundsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        payment_intent_id: str,
        amount: int | None | Omitted = OMITTED,
        reason: str | None | Omitted = OMITTED,
        metadata: Mapping[str, Any] | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Refund:
        """Refund a payment in full or in part. The operator is asked for the refund in the background. Follow the refund by its events. The fee is not returned. Requires the permission `refunds:write`."""
        request = Request("POST", "/v1/refunds", body=given({"paymentIntentId": payment_intent_id, "amount": amount, "reason": reason, "metadata": metadata}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return await self._transport.call(request, Refund.from_json)

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> Refund:
        """Get a refund. Requires the permission `refunds:read`."""
        request = Request("GET", path_of("/v1/refunds/{id}", {"id": id}), timeout=timeout)
        return await self._transport.call(request, Refund.from_json)

    def list(
        self,
        *,
        limit: int | Omitted = OMITTED,
        starting_after: str | Omitted = OMITTED,
        ending_before: str | Omitted = OMITTED,
        created_gte: datetime | str | Omitted = OMITTED,
        created_gt: datetime | str | Omitted = OMITTED,
        created_lte: datetime | str | Omitted = OMITTED,
        created_lt: datetime | str | Omitted = OMITTED,
        payment_intent_id: str | Omitted = OMITTED,
        status: Sequence[RefundStatus | str] | Omitted = OMITTED,
        metadata: Mapping[str, Any] | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> AsyncPages[Refund]:
        """List refunds, newest first. Requires the permission `refunds:read`."""
        request = Request("GET", "/v1/refunds", query=given({"limit": limit, "starting_after": starting_after, "ending_before": ending_before, "created_gte": created_gte, "created_gt": created_gt, "created_lte": created_lte, "created_lt": created_lt, "payment_intent_id": payment_intent_id, "status": status, "metadata": metadata}), timeout=timeout)
        return AsyncPages(self._transport, request, Refund.from_json)


class AsyncDisbursementsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
        self.batches: AsyncDisbursementsBatchesResource = AsyncDisbursementsBatchesResource(transport)

    async def create(
        self,
        *,
        amount: int,
        operator: Operator | str,
        operator_phone: str,
        currency: Currency | str | None | Omitted = OMITTED,
        external_id: str | None | Omitted = OMITTED,
        customer_id: str | None | Omitted = OMITTED,
        description: str | None | Omitted = OMITTED,
        statement_descriptor: str | None | Omitted = OMITTED,
        metadata: Mapping[str, Any] | None | Omitted = OMITTED,
        idempotency_key: str,
        timeout: float | None = None,
    ) -> Disbursement:
        """Send money to a wallet. Amount and fee leave the balance at once, and the operator is asked in the background. Follow the disbursement by its events. Answers 403 unless the operator of the gateway has switched disbursements on, and allows the merchant to disburse with live keys. Requires the permission `disbursements:write`."""
        request = Request("POST", "/v1/disbursements", body=given({"amount": amount, "operator": operator, "operatorPhone": operator_phone, "currency": currency, "externalId": external_id, "customerId": customer_id, "description": description, "statementDescriptor": statement_descriptor, "metadata": metadata}), takes_key=True, idempotency_key=checked_key(idempotency_key), timeout=timeout)
        return await self._transport.call(request, Disbursement.from_json)

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> Disbursement:
        """Get a disbursement. Requires the permission `disbursements:read`."""
        request = Request("GET", path_of("/v1/disbursements/{id}", {"id": id}), timeout=timeout)
        return await self._transport.call(request, Disbursement.from_json)

    async def cancel(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Disbursement:
        """Cancel a disbursement. Possible until it is sent to the operator. Amount and fee go back to the balance. Requires the permission `disbursements:write`."""
        request = Request("POST", path_of("/v1/disbursements/{id}/cancel", {"id": id}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return await self._transport.call(request, Disbursement.from_json)

    def list(
        self,
        *,
        limit: int | Omitted = OMITTED,
        starting_after: str | Omitted = OMITTED,
        ending_before: str | Omitted = OMITTED,
        created_gte: datetime | str | Omitted = OMITTED,
        created_gt: datetime | str | Omitted = OMITTED,
        created_lte: datetime | str | Omitted = OMITTED,
        created_lt: datetime | str | Omitted = OMITTED,
        status: Sequence[DisbursementStatus | str] | Omitted = OMITTED,
        operator: Sequence[Operator | str] | Omitted = OMITTED,
        currency: Sequence[Currency | str] | Omitted = OMITTED,
        batch_id: str | Omitted = OMITTED,
        customer_id: str | Omitted = OMITTED,
        external_id: str | Omitted = OMITTED,
        metadata: Mapping[str, Any] | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> AsyncPages[Disbursement]:
        """List disbursements, newest first. Requires the permission `disbursements:read`."""
        request = Request("GET", "/v1/disbursements", query=given({"limit": limit, "starting_after": starting_after, "ending_before": ending_before, "created_gte": created_gte, "created_gt": created_gt, "created_lte": created_lte, "created_lt": created_lt, "status": status, "operator": operator, "currency": currency, "batch_id": batch_id, "customer_id": customer_id, "external_id": external_id, "metadata": metadata}), timeout=timeout)
        return AsyncPages(self._transport, request, Disbursement.from_json)


class AsyncProductsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        name: str,
        price: int,
        description: str | None | Omitted = OMITTED,
        currency: Currency | str | None | Omitted = OMITTED,
        active: bool | None | Omitted = OMITTED,
        metadata: Mapping[str, Any] | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Product:
        """Create a product. Requires the permission `products:write`."""
        request = Request("POST", "/v1/products", body=given({"name": name, "price": price, "description": description, "currency": currency, "active": active, "metadata": metadata}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return await self._transport.call(request, Product.from_json)

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> Product:
        """Get a product. Requires the permission `products:read`."""
        request = Request("GET", path_of("/v1/products/{id}", {"id": id}), timeout=timeout)
        return await self._transport.call(request, Product.from_json)

    async def update(
        self,
        id: str,
        *,
        name: str | Omitted = OMITTED,
        price: int | Omitted = OMITTED,
        description: str | None | Omitted = OMITTED,
        currency: Currency | str | Omitted = OMITTED,
        active: bool | Omitted = OMITTED,
        metadata: Mapping[str, Any] | None | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> Product:
        """Change a product. Fields that you omit stay as they are; null clears description and metadata. Existing checkout sessions do not change. Requires the permission `products:write`."""
        request = Request("PATCH", path_of("/v1/products/{id}", {"id": id}), body=given({"name": name, "price": price, "description": description, "currency": currency, "active": active, "metadata": metadata}), timeout=timeout)
        return await self._transport.call(request, Product.from_json)

    async def delete(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> None:
        """Delete a product. Existing checkout sessions do not change. Requires the permission `products:write`."""
        request = Request("DELETE", path_of("/v1/products/{id}", {"id": id}), timeout=timeout)
        return await self._transport.call(request, as_nothing)

    def list(
        self,
        *,
        limit: int | Omitted = OMITTED,
        starting_after: str | Omitted = OMITTED,
        ending_before: str | Omitted = OMITTED,
        created_gte: datetime | str | Omitted = OMITTED,
        created_gt: datetime | str | Omitted = OMITTED,
        created_lte: datetime | str | Omitted = OMITTED,
        created_lt: datetime | str | Omitted = OMITTED,
        active: bool | Omitted = OMITTED,
        metadata: Mapping[str, Any] | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> AsyncPages[Product]:
        """List products, newest first. Requires the permission `products:read`."""
        request = Request("GET", "/v1/products", query=given({"limit": limit, "starting_after": starting_after, "ending_before": ending_before, "created_gte": created_gte, "created_gt": created_gt, "created_lte": created_lte, "created_lt": created_lt, "active": active, "metadata": metadata}), timeout=timeout)
        return AsyncPages(self._transport, request, Product.from_json)


class AsyncPaymentLinksResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        *,
        description: str,
        product_id: str | None | Omitted = OMITTED,
        amount: int | None | Omitted = OMITTED,
        min_amount: int | None | Omitted = OMITTED,
        max_amount: int | None | Omitted = OMITTED,
        currency: Currency | str | None | Omitted = OMITTED,
        return_url: str | None | Omitted = OMITTED,
        completion_url: str | None | Omitted = OMITTED,
        metadata: Mapping[str, Any] | None | Omitted = OMITTED,
        max_uses: int | None | Omitted = OMITTED,
        expires_at: datetime | str | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> PaymentLink:
        """Create a payment link. A link that can be paid again and again. Each use makes a checkout session, whose metadata names the link in paymentLinkId. Requires the permission `checkout:write`."""
        request = Request("POST", "/v1/payment-links", body=given({"description": description, "productId": product_id, "amount": amount, "minAmount": min_amount, "maxAmount": max_amount, "currency": currency, "returnUrl": return_url, "completionUrl": completion_url, "metadata": metadata, "maxUses": max_uses, "expiresAt": expires_at}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return await self._transport.call(request, PaymentLink.from_json)

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> PaymentLink:
        """Get a payment link. Requires the permission `checkout:read`."""
        request = Request("GET", path_of("/v1/payment-links/{id}", {"id": id}), timeout=timeout)
        return await self._transport.call(request, PaymentLink.from_json)

    async def update(
        self,
        id: str,
        *,
        description: str | Omitted = OMITTED,
        active: bool | Omitted = OMITTED,
        max_uses: int | None | Omitted = OMITTED,
        expires_at: datetime | str | None | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> PaymentLink:
        """Change a payment link. Fields that you omit stay as they are; null clears maxUses and expiresAt. Sessions that it has made do not change. Requires the permission `checkout:write`."""
        request = Request("PATCH", path_of("/v1/payment-links/{id}", {"id": id}), body=given({"description": description, "active": active, "maxUses": max_uses, "expiresAt": expires_at}), timeout=timeout)
        return await self._transport.call(request, PaymentLink.from_json)

    def list(
        self,
        *,
        limit: int | Omitted = OMITTED,
        starting_after: str | Omitted = OMITTED,
        ending_before: str | Omitted = OMITTED,
        created_gte: datetime | str | Omitted = OMITTED,
        created_gt: datetime | str | Omitted = OMITTED,
        created_lte: datetime | str | Omitted = OMITTED,
        created_lt: datetime | str | Omitted = OMITTED,
        active: bool | Omitted = OMITTED,
        metadata: Mapping[str, Any] | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> AsyncPages[PaymentLink]:
        """List payment links, newest first. Requires the permission `checkout:read`."""
        request = Request("GET", "/v1/payment-links", query=given({"limit": limit, "starting_after": starting_after, "ending_before": ending_before, "created_gte": created_gte, "created_gt": created_gt, "created_lte": created_lte, "created_lt": created_lt, "active": active, "metadata": metadata}), timeout=timeout)
        return AsyncPages(self._transport, request, PaymentLink.from_json)


class AsyncEventsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> Event:
        """Get an event. The same bytes as in a webhook. The phone is masked for a key without phones:read. Requires the permission `events:read`."""
        request = Request("GET", path_of("/v1/events/{id}", {"id": id}), timeout=timeout)
        return await self._transport.call(request, Event.from_json)

    def list(
        self,
        *,
        limit: int | Omitted = OMITTED,
        starting_after: str | Omitted = OMITTED,
        ending_before: str | Omitted = OMITTED,
        created_gte: datetime | str | Omitted = OMITTED,
        created_gt: datetime | str | Omitted = OMITTED,
        created_lte: datetime | str | Omitted = OMITTED,
        created_lt: datetime | str | Omitted = OMITTED,
        type: Sequence[EventTypeFilter | str] | Omitted = OMITTED,
        object_id: str | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> AsyncPages[Event]:
        """List events, newest first. Each event looks as it does in a webhook. Events that no endpoint was subscribed to are included. Phones are masked for a key without phones:read. Requires the permission `events:read`."""
        request = Request("GET", "/v1/events", query=given({"limit": limit, "starting_after": starting_after, "ending_before": ending_before, "created_gte": created_gte, "created_gt": created_gt, "created_lte": created_lte, "created_lt": created_lt, "type": type, "object_id": object_id}), timeout=timeout)
        return AsyncPages(self._transport, request, Event.from_json)


class AsyncOperatorsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        name: str,
        *,
        timeout: float | None = None,
    ) -> OperatorDetails:
        """Get an operator. Requires the permission `payments:read`."""
        request = Request("GET", path_of("/v1/operators/{name}", {"name": name}), timeout=timeout)
        return await self._transport.call(request, OperatorDetails.from_json)

    async def predict(
        self,
        *,
        phone: str,
        timeout: float | None = None,
    ) -> OperatorPrediction:
        """Predict the operator of a phone. By the prefix alone: no operator is asked, and nothing is stored, so an Idempotency-Key is ignored. Let the customer correct the choice, because numbers move between operators. Requires the permission `payments:read`."""
        request = Request("POST", "/v1/operators/predict", body=given({"phone": phone}), timeout=timeout)
        return await self._transport.call(request, OperatorPrediction.from_json)

    async def list(
        self,
        *,
        timeout: float | None = None,
    ) -> list[OperatorDetails]:
        """List the operators that your customers can pay with. Those that this gateway is configured for; with a test key, all. The list always has one page. Requires the permission `payments:read`."""
        request = Request("GET", "/v1/operators", timeout=timeout)
        return await self._transport.call(request, items(OperatorDetails.from_json))


class AsyncSettlementsResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def process(
        self,
        *,
        currency: Currency | str | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> Settlement:
        """Settle what is payable. Without a currency, settles the one with the oldest unsettled debit. Repeat until the answer is 204: nothing is left to settle. Requires the permission `settlements:write`."""
        request = Request("POST", "/v1/settlements/process", body=given({"currency": currency}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return await self._transport.call(request, Settlement.from_json)

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> Settlement:
        """Get a settlement. Requires the permission `settlements:read`."""
        request = Request("GET", path_of("/v1/settlements/{id}", {"id": id}), timeout=timeout)
        return await self._transport.call(request, Settlement.from_json)

    def items(
        self,
        id: str,
        *,
        limit: int | Omitted = OMITTED,
        starting_after: str | Omitted = OMITTED,
        ending_before: str | Omitted = OMITTED,
        created_gte: datetime | str | Omitted = OMITTED,
        created_gt: datetime | str | Omitted = OMITTED,
        created_lte: datetime | str | Omitted = OMITTED,
        created_lt: datetime | str | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> AsyncPages[SettlementItem]:
        """List the payments, refunds and disbursements in a settlement, newest first. The netAmount of all items adds up to that of the settlement. A FAILED settlement has no items: they move to a later settlement. Requires the permission `settlements:read`."""
        request = Request("GET", path_of("/v1/settlements/{id}/items", {"id": id}), query=given({"limit": limit, "starting_after": starting_after, "ending_before": ending_before, "created_gte": created_gte, "created_gt": created_gt, "created_lte": created_lte, "created_lt": created_lt}), timeout=timeout)
        return AsyncPages(self._transport, request, SettlementItem.from_json)

    async def items_csv(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> str:
        """Download the payments, refunds and disbursements in a settlement as CSV. All items, newest first, with a header line. Amounts are in centavos. Requires the permission `settlements:read`."""
        request = Request("GET", path_of("/v1/settlements/{id}/items.csv", {"id": id}), timeout=timeout)
        return await self._transport.call(request, as_text)

    async def statement(
        self,
        *,
        month: str,
        currency: Currency | str,
        timeout: float | None = None,
    ) -> Statement:
        """Get the statement of a month. What moved the available balance, day by day: openingBalance + amount - feeTotal - refundTotal - disbursementTotal - payoutTotal = closingBalance. The month is that of Atlantic/Cape_Verde for CVE and of Africa/Luanda for AOA. Requires the permission `settlements:read`."""
        request = Request("GET", "/v1/statements", query=given({"month": month, "currency": currency}), timeout=timeout)
        return await self._transport.call(request, Statement.from_json)

    async def statement_csv(
        self,
        *,
        month: str,
        currency: Currency | str,
        timeout: float | None = None,
    ) -> str:
        """Download each movement of a month as CSV. Opening balance, each movement in the order in which it was booked with the balance after it, and last CLOSING_BALANCE, dated when the month ended, or while it is not over BALANCE_SO_FAR, dated now. Amounts are in centavos, negative where they lower the balance. It is checked against the ledger before it is sent. At most 500,000 lines. Requires the permission `settlements:read`."""
        request = Request("GET", "/v1/statements.csv", query=given({"month": month, "currency": currency}), timeout=timeout)
        return await self._transport.call(request, as_text)

    def list(
        self,
        *,
        limit: int | Omitted = OMITTED,
        starting_after: str | Omitted = OMITTED,
        ending_before: str | Omitted = OMITTED,
        created_gte: datetime | str | Omitted = OMITTED,
        created_gt: datetime | str | Omitted = OMITTED,
        created_lte: datetime | str | Omitted = OMITTED,
        created_lt: datetime | str | Omitted = OMITTED,
        status: Sequence[SettlementStatus | str] | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> AsyncPages[Settlement]:
        """List settlements, newest first. Requires the permission `settlements:read`."""
        request = Request("GET", "/v1/settlements", query=given({"limit": limit, "starting_after": starting_after, "ending_before": ending_before, "created_gte": created_gte, "created_gt": created_gt, "created_lte": created_lte, "created_lt": created_lt, "status": status}), timeout=timeout)
        return AsyncPages(self._transport, request, Settlement.from_json)


class AsyncBalanceResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def get(
        self,
        *,
        timeout: float | None = None,
    ) -> Balance:
        """Get the balance by currency. Requires the permission `settlements:read`."""
        request = Request("GET", "/v1/balance", timeout=timeout)
        return await self._transport.call(request, Balance.from_json)


class AsyncWebhooksResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
        self.deliveries: AsyncWebhooksDeliveriesResource = AsyncWebhooksDeliveriesResource(transport)

    async def create(
        self,
        *,
        url: str,
        events: Sequence[SubscribedEventType | str],
        description: str | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> CreateWebhookEndpointAnswer:
        """Create a webhook endpoint. Only this answer shows the secret. A repetition under the same Idempotency-Key shows it again until the secret is rotated; after that, it shows the endpoint as it is now, without `secret`. After the endpoint is deleted, a repetition gets 404. Requires the permission `webhooks:write`."""
        request = Request("POST", "/v1/webhooks", body=given({"url": url, "events": events, "description": description}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return await self._transport.call(request, CreateWebhookEndpointAnswer.from_json)

    async def get(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> WebhookEndpoint:
        """Get a webhook endpoint. Requires the permission `webhooks:read`."""
        request = Request("GET", path_of("/v1/webhooks/{id}", {"id": id}), timeout=timeout)
        return await self._transport.call(request, WebhookEndpoint.from_json)

    async def update(
        self,
        id: str,
        *,
        url: str | Omitted = OMITTED,
        events: Sequence[SubscribedEventType | str] | Omitted = OMITTED,
        status: WebhookEndpointStatus | str | Omitted = OMITTED,
        description: str | None | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> WebhookEndpoint:
        """Change a webhook endpoint. Fields that you omit stay as they are; null clears the description. Enabling an endpoint sends the deliveries that were waiting for it. Requires the permission `webhooks:write`."""
        request = Request("PATCH", path_of("/v1/webhooks/{id}", {"id": id}), body=given({"url": url, "events": events, "status": status, "description": description}), timeout=timeout)
        return await self._transport.call(request, WebhookEndpoint.from_json)

    async def delete(
        self,
        id: str,
        *,
        timeout: float | None = None,
    ) -> None:
        """Delete a webhook endpoint. Its pending deliveries are dropped. Requires the permission `webhooks:write`."""
        request = Request("DELETE", path_of("/v1/webhooks/{id}", {"id": id}), timeout=timeout)
        return await self._transport.call(request, as_nothing)

    async def rotate_secret(
        self,
        id: str,
        *,
        overlap_hours: int | None | Omitted = OMITTED,
        end_overlap: bool | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> RotateWebhookSecretAnswer:
        """Rotate the secret of a webhook endpoint. Until the overlap ends, X-Service-Signature is made with the old secret and X-Service-Signature-Next with the new one. Until then, another rotation is refused unless it is to end the overlap. A repetition under the same Idempotency-Key shows the secret again until the next rotation. Requires the permission `webhooks:write`."""
        request = Request("POST", path_of("/v1/webhooks/{id}/rotate-secret", {"id": id}), body=given({"overlapHours": overlap_hours, "endOverlap": end_overlap}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return await self._transport.call(request, RotateWebhookSecretAnswer.from_json)

    async def redeliver(
        self,
        id: str,
        *,
        since: datetime | str,
        until: datetime | str | None | Omitted = OMITTED,
        status: WebhookDeliveryStatus | str | None | Omitted = OMITTED,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> RedeliverWebhookEventsAnswer:
        """Deliver the events of a period again. For use after an outage. Without a status, sends every event of the range that the endpoint is subscribed to, including those it missed while it was disabled. Requires the permission `webhooks:write`."""
        request = Request("POST", path_of("/v1/webhooks/{id}/redeliver", {"id": id}), body=given({"since": since, "until": until, "status": status}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return await self._transport.call(request, RedeliverWebhookEventsAnswer.from_json)

    async def send_test(
        self,
        id: str,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> WebhookDelivery:
        """Send a test event. Sends an event of the type webhook.test, whose data is the endpoint. Returns the delivery. Requires the permission `webhooks:write`."""
        request = Request("POST", path_of("/v1/webhooks/{id}/test", {"id": id}), takes_key=True, idempotency_key=idempotency_key, timeout=timeout)
        return await self._transport.call(request, WebhookDelivery.from_json)

    def list(
        self,
        *,
        limit: int | Omitted = OMITTED,
        starting_after: str | Omitted = OMITTED,
        ending_before: str | Omitted = OMITTED,
        created_gte: datetime | str | Omitted = OMITTED,
        created_gt: datetime | str | Omitted = OMITTED,
        created_lte: datetime | str | Omitted = OMITTED,
        created_lt: datetime | str | Omitted = OMITTED,
        timeout: float | None = None,
    ) -> AsyncPages[WebhookEndpoint]:
        """List webhook endpoints, newest first. Requires the permission `webhooks:read`."""
        request = Request("GET", "/v1/webhooks", query=given({"limit": limit, "starting_after": starting_after, "ending_before": ending_before, "created_gte": created_gte, "created_gt": created_gt, "created_lte": created_lte, "created_lt": created_lt}), timeout=timeout)
        return AsyncPages(self._transport, request, WebhookEndpoint.from_json)


class AsyncCheckoutResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
        self.sessions: AsyncCheckoutSessionsResource = AsyncCheckoutSessionsResource(transport)
        self.settings: AsyncCheckoutSettingsResource = AsyncCheckoutSettingsResource(transport)


class Resources:
    def __init__(self, transport: Transport) -> None:
        self.payments: PaymentsResource = PaymentsResource(transport)
        self.refunds: RefundsResource = RefundsResource(transport)
        self.disbursements: DisbursementsResource = DisbursementsResource(transport)
        self.products: ProductsResource = ProductsResource(transport)
        self.payment_links: PaymentLinksResource = PaymentLinksResource(transport)
        self.events: EventsResource = EventsResource(transport)
        self.operators: OperatorsResource = OperatorsResource(transport)
        self.settlements: SettlementsResource = SettlementsResource(transport)
        self.balance: BalanceResource = BalanceResource(transport)
        self.webhooks: WebhooksResource = WebhooksResource(transport)
        self.checkout: CheckoutResource = CheckoutResource(transport)


class AsyncResources:
    def __init__(self, transport: AsyncTransport) -> None:
        self.payments: AsyncPaymentsResource = AsyncPaymentsResource(transport)
        self.refunds: AsyncRefundsResource = AsyncRefundsResource(transport)
        self.disbursements: AsyncDisbursementsResource = AsyncDisbursementsResource(transport)
        self.products: AsyncProductsResource = AsyncProductsResource(transport)
        self.payment_links: AsyncPaymentLinksResource = AsyncPaymentLinksResource(transport)
        self.events: AsyncEventsResource = AsyncEventsResource(transport)
        self.operators: AsyncOperatorsResource = AsyncOperatorsResource(transport)
        self.settlements: AsyncSettlementsResource = AsyncSettlementsResource(transport)
        self.balance: AsyncBalanceResource = AsyncBalanceResource(transport)
        self.webhooks: AsyncWebhooksResource = AsyncWebhooksResource(transport)
        self.checkout: AsyncCheckoutResource = AsyncCheckoutResource(transport)
