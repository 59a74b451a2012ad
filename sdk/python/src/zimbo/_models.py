# Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ._values import OpenEnum, each, instant, optional, without_none

class CheckoutSessionStatus(OpenEnum):
    OPEN = "OPEN"
    COMPLETED = "COMPLETED"
    EXPIRED = "EXPIRED"


class Currency(OpenEnum):
    CVE = "CVE"
    AOA = "AOA"


class DisabledReason(OpenEnum):
    GONE = "GONE"
    FAILING = "FAILING"


class DisbursementBatchStatus(OpenEnum):
    CREATED = "CREATED"
    PROCESSING = "PROCESSING"
    COMPLETED = "COMPLETED"


class DisbursementFailureCode(OpenEnum):
    PAYEE_NOT_FOUND = "PAYEE_NOT_FOUND"
    PAYEE_LIMIT_REACHED = "PAYEE_LIMIT_REACHED"
    PAYEE_NOT_ALLOWED = "PAYEE_NOT_ALLOWED"
    PAYEE_UNREACHABLE = "PAYEE_UNREACHABLE"
    INSUFFICIENT_BALANCE = "INSUFFICIENT_BALANCE"
    OPERATOR_UNAVAILABLE = "OPERATOR_UNAVAILABLE"
    OPERATOR_REJECTED = "OPERATOR_REJECTED"
    OPERATOR_ERROR = "OPERATOR_ERROR"


class DisbursementStatus(OpenEnum):
    CREATED = "CREATED"
    PROCESSING = "PROCESSING"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"


class ErrorCode(OpenEnum):
    VALIDATION_ERROR = "VALIDATION_ERROR"
    UNAUTHORIZED = "UNAUTHORIZED"
    FORBIDDEN = "FORBIDDEN"
    ADDRESS_NOT_ALLOWED = "ADDRESS_NOT_ALLOWED"
    KEY_LIMIT_EXCEEDED = "KEY_LIMIT_EXCEEDED"
    NOT_FOUND = "NOT_FOUND"
    INVALID_STATE = "INVALID_STATE"
    REFUND_EXCEEDS_PAYMENT = "REFUND_EXCEEDS_PAYMENT"
    INSUFFICIENT_BALANCE = "INSUFFICIENT_BALANCE"
    IDEMPOTENCY_KEY_REUSED = "IDEMPOTENCY_KEY_REUSED"
    LIMIT_REACHED = "LIMIT_REACHED"
    RATE_LIMITED = "RATE_LIMITED"
    UNAVAILABLE = "UNAVAILABLE"
    INTERNAL_ERROR = "INTERNAL_ERROR"


class EventType(OpenEnum):
    PAYMENT_CREATED = "payment.created"
    PAYMENT_DEBITED = "payment.debited"
    PAYMENT_SETTLED = "payment.settled"
    PAYMENT_FAILED = "payment.failed"
    PAYMENT_EXPIRED = "payment.expired"
    PAYMENT_CANCELLED = "payment.cancelled"
    REFUND_CREATED = "refund.created"
    REFUND_SUCCEEDED = "refund.succeeded"
    REFUND_FAILED = "refund.failed"
    CHECKOUT_COMPLETED = "checkout.completed"
    CHECKOUT_EXPIRED = "checkout.expired"
    SETTLEMENT_COMPLETED = "settlement.completed"
    OPERATOR_STATUS_CHANGED = "operator.status_changed"
    DISBURSEMENT_CREATED = "disbursement.created"
    DISBURSEMENT_SUCCEEDED = "disbursement.succeeded"
    DISBURSEMENT_FAILED = "disbursement.failed"
    DISBURSEMENT_CANCELLED = "disbursement.cancelled"
    DISBURSEMENT_BATCH_COMPLETED = "disbursement_batch.completed"
    WEBHOOK_TEST = "webhook.test"


class EventTypeFilter(OpenEnum):
    PAYMENT_CREATED = "payment.created"
    PAYMENT_DEBITED = "payment.debited"
    PAYMENT_SETTLED = "payment.settled"
    PAYMENT_FAILED = "payment.failed"
    PAYMENT_EXPIRED = "payment.expired"
    PAYMENT_CANCELLED = "payment.cancelled"
    REFUND_CREATED = "refund.created"
    REFUND_SUCCEEDED = "refund.succeeded"
    REFUND_FAILED = "refund.failed"
    CHECKOUT_COMPLETED = "checkout.completed"
    CHECKOUT_EXPIRED = "checkout.expired"
    SETTLEMENT_COMPLETED = "settlement.completed"
    OPERATOR_STATUS_CHANGED = "operator.status_changed"
    DISBURSEMENT_CREATED = "disbursement.created"
    DISBURSEMENT_SUCCEEDED = "disbursement.succeeded"
    DISBURSEMENT_FAILED = "disbursement.failed"
    DISBURSEMENT_CANCELLED = "disbursement.cancelled"
    DISBURSEMENT_BATCH_COMPLETED = "disbursement_batch.completed"
    WEBHOOK_TEST = "webhook.test"
    PAYMENT__ = "payment.*"
    REFUND__ = "refund.*"
    CHECKOUT__ = "checkout.*"
    SETTLEMENT__ = "settlement.*"
    OPERATOR__ = "operator.*"
    DISBURSEMENT__ = "disbursement.*"
    DISBURSEMENT_BATCH__ = "disbursement_batch.*"
    WEBHOOK__ = "webhook.*"


class FailureCode(OpenEnum):
    INSUFFICIENT_FUNDS = "INSUFFICIENT_FUNDS"
    PAYER_NOT_FOUND = "PAYER_NOT_FOUND"
    PAYER_LIMIT_REACHED = "PAYER_LIMIT_REACHED"
    AMOUNT_OUT_OF_RANGE = "AMOUNT_OUT_OF_RANGE"
    PAYER_DECLINED = "PAYER_DECLINED"
    PAYER_AUTH_FAILED = "PAYER_AUTH_FAILED"
    PAYER_UNREACHABLE = "PAYER_UNREACHABLE"
    PAYER_BUSY = "PAYER_BUSY"
    PAYER_NOT_ALLOWED = "PAYER_NOT_ALLOWED"
    CONFIRMATION_TIMEOUT = "CONFIRMATION_TIMEOUT"
    OPERATOR_UNAVAILABLE = "OPERATOR_UNAVAILABLE"
    OPERATOR_REJECTED = "OPERATOR_REJECTED"
    OPERATOR_ERROR = "OPERATOR_ERROR"


class Operator(OpenEnum):
    CVMOVEL = "CVMOVEL"
    UNITEL_TMAIS = "UNITEL_TMAIS"
    MOCK = "MOCK"


class OperatorStatus(OpenEnum):
    UP = "UP"
    DEGRADED = "DEGRADED"
    DOWN = "DOWN"


class PaymentStatus(OpenEnum):
    CREATED = "CREATED"
    OPERATOR_PENDING = "OPERATOR_PENDING"
    USER_CONFIRMING = "USER_CONFIRMING"
    DEBITED = "DEBITED"
    SETTLED = "SETTLED"
    FAILED = "FAILED"
    EXPIRED = "EXPIRED"
    REFUNDED = "REFUNDED"
    PARTIALLY_REFUNDED = "PARTIALLY_REFUNDED"
    CANCELLED = "CANCELLED"


class RefundStatus(OpenEnum):
    PENDING = "PENDING"
    PROCESSING = "PROCESSING"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"


class SettlementItemType(OpenEnum):
    PAYMENT = "PAYMENT"
    REFUND = "REFUND"
    REFUND_RETURNED = "REFUND_RETURNED"
    DISBURSEMENT = "DISBURSEMENT"
    DISBURSEMENT_RETURNED = "DISBURSEMENT_RETURNED"
    DISBURSEMENT_CHARGED = "DISBURSEMENT_CHARGED"
    TOP_UP = "TOP_UP"
    KEPT = "KEPT"
    KEPT_RETURNED = "KEPT_RETURNED"


class SettlementStatus(OpenEnum):
    PENDING = "PENDING"
    PROCESSING = "PROCESSING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"


class SubscribedEventType(OpenEnum):
    PAYMENT_CREATED = "payment.created"
    PAYMENT_DEBITED = "payment.debited"
    PAYMENT_SETTLED = "payment.settled"
    PAYMENT_FAILED = "payment.failed"
    PAYMENT_EXPIRED = "payment.expired"
    PAYMENT_CANCELLED = "payment.cancelled"
    REFUND_CREATED = "refund.created"
    REFUND_SUCCEEDED = "refund.succeeded"
    REFUND_FAILED = "refund.failed"
    CHECKOUT_COMPLETED = "checkout.completed"
    CHECKOUT_EXPIRED = "checkout.expired"
    SETTLEMENT_COMPLETED = "settlement.completed"
    OPERATOR_STATUS_CHANGED = "operator.status_changed"
    DISBURSEMENT_CREATED = "disbursement.created"
    DISBURSEMENT_SUCCEEDED = "disbursement.succeeded"
    DISBURSEMENT_FAILED = "disbursement.failed"
    DISBURSEMENT_CANCELLED = "disbursement.cancelled"
    DISBURSEMENT_BATCH_COMPLETED = "disbursement_batch.completed"


class WebhookDeliveryStatus(OpenEnum):
    PENDING = "PENDING"
    SUCCEEDED = "SUCCEEDED"
    FAILED = "FAILED"


class WebhookEndpointStatus(OpenEnum):
    ACTIVE = "ACTIVE"
    DISABLED = "DISABLED"


@dataclass(frozen=True, slots=True, kw_only=True)
class Balance:
    data: Sequence[CurrencyBalance]
    """One for each currency in which there was ever money; there are no pages."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The object as it arrived, with fields that this version does not know."""

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Balance:
        return cls(
            data=each(CurrencyBalance.from_json)(raw["data"]),
            raw=raw,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckoutSession:
    id: str
    """Chosen by Zimbo; never changes."""
    url: str
    """The payment page. Anyone with the link can pay."""
    amount: int
    """The sum, in centavos"""
    currency: Currency
    status: CheckoutSessionStatus
    return_url: str | None
    """Where "back to the shop" leads: an absolute URL, which may open an app. It must not contain a user name or use the schemes javascript, data, vbscript, file or blob."""
    completion_url: str | None
    """Where the customer goes after paying. Arriving there does not prove payment."""
    customer_id: str | None
    """What you call the customer. Not interpreted, and not shown to the customer."""
    payment_intent_id: str | None
    """The payment of the latest attempt."""
    items: Sequence[CheckoutSessionItem]
    """What is paid for."""
    metadata: Mapping[str, Any] | None
    """Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0."""
    expires_at: datetime
    """Until when the customer can pay, in UTC."""
    created_at: datetime
    """When it was made, in UTC."""
    updated_at: datetime
    """When it last changed, in UTC."""
    description: str | None
    """What is paid for. It is copied to the payments of the session."""
    external_id: str | None
    """What you call the order. Need not be unique. It is copied to the payments of the session."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The object as it arrived, with fields that this version does not know."""

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> CheckoutSession:
        return cls(
            id=raw["id"],
            url=raw["url"],
            amount=int(raw["amount"]),
            currency=Currency(raw["currency"]),
            status=CheckoutSessionStatus(raw["status"]),
            return_url=raw.get("returnUrl"),
            completion_url=raw.get("completionUrl"),
            customer_id=raw.get("customerId"),
            payment_intent_id=raw.get("paymentIntentId"),
            items=each(CheckoutSessionItem.from_json)(raw["items"]),
            metadata=raw.get("metadata"),
            expires_at=instant(raw["expiresAt"]),
            created_at=instant(raw["createdAt"]),
            updated_at=instant(raw["updatedAt"]),
            description=raw.get("description"),
            external_id=raw.get("externalId"),
            raw=raw,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckoutSessionItem:
    id: str
    """Chosen by Zimbo; never changes."""
    product_id: str | None
    """Your product that it refers to; null if there is none."""
    name: str
    """What customers read."""
    description: str | None
    """A text of your own."""
    quantity: int
    """How many."""
    unit_price: str
    """In centavos"""
    currency: Currency
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The object as it arrived, with fields that this version does not know."""

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> CheckoutSessionItem:
        return cls(
            id=raw["id"],
            product_id=raw.get("productId"),
            name=raw["name"],
            description=raw.get("description"),
            quantity=raw["quantity"],
            unit_price=raw["unitPrice"],
            currency=Currency(raw["currency"]),
            raw=raw,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckoutSettings:
    frame_origins: Sequence[str]
    """The sites that may show the payment page inside their pages, as checkout.js does: https origins, and with a test key also http on localhost. Empty: none."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The object as it arrived, with fields that this version does not know."""

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> CheckoutSettings:
        return cls(
            frame_origins=raw["frameOrigins"],
            raw=raw,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateWebhookEndpointAnswer:
    id: str
    """Chosen by Zimbo; never changes."""
    url: str
    """http or https; with a live key, https only. It must not contain a user name."""
    events: Sequence[SubscribedEventType]
    """The event types to send to it. Duplicates are removed."""
    status: WebhookEndpointStatus
    description: str | None
    """A text of your own."""
    created_at: datetime
    """When it was made, in UTC."""
    updated_at: datetime
    """When it last changed, in UTC."""
    disabled_reason: DisabledReason | None
    secret: str | None
    """The signing secret. It is shown only in this answer, so store it. Absent from a repeated answer once the secret was rotated again."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The object as it arrived, with fields that this version does not know."""

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> CreateWebhookEndpointAnswer:
        return cls(
            id=raw["id"],
            url=raw["url"],
            events=each(SubscribedEventType)(raw["events"]),
            status=WebhookEndpointStatus(raw["status"]),
            description=raw.get("description"),
            created_at=instant(raw["createdAt"]),
            updated_at=instant(raw["updatedAt"]),
            disabled_reason=optional(DisabledReason, raw.get("disabledReason")),
            secret=raw.get("secret"),
            raw=raw,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrencyBalance:
    currency: Currency
    available: int
    """What no settlement has taken yet, in centavos"""
    pending: int
    """On its way to the bank, in centavos"""
    refunds_in_transit: int
    """On its way back to customers, in centavos"""
    disbursements_in_transit: int | None
    """On its way to wallets, in centavos"""
    keep_balance: int | None
    """What settlements leave available, where that was agreed, in centavos"""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The object as it arrived, with fields that this version does not know."""

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> CurrencyBalance:
        return cls(
            currency=Currency(raw["currency"]),
            available=int(raw["available"]),
            pending=int(raw["pending"]),
            refunds_in_transit=int(raw["refundsInTransit"]),
            disbursements_in_transit=optional(int, raw.get("disbursementsInTransit")),
            keep_balance=optional(int, raw.get("keepBalance")),
            raw=raw,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Disbursement:
    id: str
    """Chosen by Zimbo; never changes."""
    external_id: str | None
    """What you call it, such as the number of your order. Need not be unique."""
    batch_id: str | None
    """The batch that it belongs to."""
    amount: int
    """The amount that the recipient gets, in centavos"""
    currency: Currency
    fee_amount: int
    """The fee, which is taken from the balance beside the amount, in centavos"""
    operator: Operator
    operator_phone: str | None
    """Masked (+238•••••45) for a key without phones:read; null after it has been erased."""
    operator_tx_id: str | None
    """The operator’s transaction. On a FAILED disbursement, the sign that it succeeded after all."""
    status: DisbursementStatus
    failure_code: DisbursementFailureCode | None
    failure_message: str | None
    """Why it failed, for people to read; null if it did not."""
    description: str | None
    """A text of your own."""
    statement_descriptor: str | None
    """What the customer should read on the operator's statement. The operator gets the first 160 characters, and may pass them on."""
    customer_id: str | None
    """What you call the customer. Not interpreted, and not shown to the customer."""
    metadata: Mapping[str, Any] | None
    """Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0."""
    expires_at: datetime
    """If it could not be sent until then, it fails."""
    created_at: datetime
    """When it was made, in UTC."""
    updated_at: datetime
    """When it last changed, in UTC."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The object as it arrived, with fields that this version does not know."""

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Disbursement:
        return cls(
            id=raw["id"],
            external_id=raw.get("externalId"),
            batch_id=raw.get("batchId"),
            amount=int(raw["amount"]),
            currency=Currency(raw["currency"]),
            fee_amount=int(raw["feeAmount"]),
            operator=Operator(raw["operator"]),
            operator_phone=raw.get("operatorPhone"),
            operator_tx_id=raw.get("operatorTxId"),
            status=DisbursementStatus(raw["status"]),
            failure_code=optional(DisbursementFailureCode, raw.get("failureCode")),
            failure_message=raw.get("failureMessage"),
            description=raw.get("description"),
            statement_descriptor=raw.get("statementDescriptor"),
            customer_id=raw.get("customerId"),
            metadata=raw.get("metadata"),
            expires_at=instant(raw["expiresAt"]),
            created_at=instant(raw["createdAt"]),
            updated_at=instant(raw["updatedAt"]),
            raw=raw,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DisbursementBatch:
    id: str
    """Chosen by Zimbo; never changes."""
    external_id: str | None
    """What you call it, such as the number of your order. Need not be unique."""
    description: str | None
    """A text of your own."""
    status: DisbursementBatchStatus
    item_count: int
    """How many rows it has."""
    currency: Currency | None
    amount: int | None
    """The amounts of all rows; null with several currencies, in centavos"""
    fee_amount: int | None
    """The fees of all rows; null with several currencies, in centavos"""
    totals: Sequence[DisbursementBatchTotal]
    """By currency, as requested, whatever has become of the rows."""
    counts: DisbursementBatchCounts
    retry_of: str | None
    """The batch whose rows it tries again."""
    duplicate_of: str | None
    """A warning: this earlier batch had exactly the same rows."""
    created_at: datetime
    """When it was made, in UTC."""
    updated_at: datetime
    """When it last changed, in UTC."""
    completed_at: datetime | None
    """When its last row ended."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The object as it arrived, with fields that this version does not know."""

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> DisbursementBatch:
        return cls(
            id=raw["id"],
            external_id=raw.get("externalId"),
            description=raw.get("description"),
            status=DisbursementBatchStatus(raw["status"]),
            item_count=raw["itemCount"],
            currency=optional(Currency, raw.get("currency")),
            amount=optional(int, raw.get("amount")),
            fee_amount=optional(int, raw.get("feeAmount")),
            totals=each(DisbursementBatchTotal.from_json)(raw["totals"]),
            counts=DisbursementBatchCounts.from_json(raw["counts"]),
            retry_of=raw.get("retryOf"),
            duplicate_of=raw.get("duplicateOf"),
            created_at=instant(raw["createdAt"]),
            updated_at=instant(raw["updatedAt"]),
            completed_at=optional(instant, raw.get("completedAt")),
            raw=raw,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DisbursementBatchCounts:
    """How many rows are in each status."""

    created: int
    """Not sent yet; also rows whose disbursement is not created yet."""
    processing: int
    """Sent to the operator."""
    succeeded: int
    """Paid."""
    failed: int
    """Failed, for example because the balance did not cover them."""
    cancelled: int
    """Cancelled."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The object as it arrived, with fields that this version does not know."""

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> DisbursementBatchCounts:
        return cls(
            created=raw["created"],
            processing=raw["processing"],
            succeeded=raw["succeeded"],
            failed=raw["failed"],
            cancelled=raw["cancelled"],
            raw=raw,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DisbursementBatchTotal:
    currency: Currency
    amount: int
    """The amounts of all rows, in centavos"""
    fee_amount: int
    """The fees of all rows, in centavos"""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The object as it arrived, with fields that this version does not know."""

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> DisbursementBatchTotal:
        return cls(
            currency=Currency(raw["currency"]),
            amount=int(raw["amount"]),
            fee_amount=int(raw["feeAmount"]),
            raw=raw,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorDetails:
    name: Operator
    label: str
    """What customers call it."""
    country: str | None
    """ISO 3166 country code"""
    currencies: Sequence[Currency]
    """The currencies of its payments."""
    prefixes: Sequence[str]
    """How its numbers begin. Only a hint: customers take their numbers to other operators."""
    status: OperatorStatus
    status_since: datetime | None
    """Null: for as long as the gateway knows."""
    min_amount: int
    """The smallest payment, in centavos"""
    max_amount: int
    """The largest payment, in centavos"""
    confirmation_seconds: int
    """How long customers have to confirm."""
    prompt: OperatorPrompt
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The object as it arrived, with fields that this version does not know."""

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> OperatorDetails:
        return cls(
            name=Operator(raw["name"]),
            label=raw["label"],
            country=raw.get("country"),
            currencies=each(Currency)(raw["currencies"]),
            prefixes=raw["prefixes"],
            status=OperatorStatus(raw["status"]),
            status_since=optional(instant, raw.get("statusSince")),
            min_amount=int(raw["minAmount"]),
            max_amount=int(raw["maxAmount"]),
            confirmation_seconds=raw["confirmationSeconds"],
            prompt=OperatorPrompt.from_json(raw["prompt"]),
            raw=raw,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorPrediction:
    phone: str
    """The phone, as it is stored."""
    country: str | None
    """ISO 3166 country code"""
    currency: Currency | None
    operator: Operator | None
    candidates: Sequence[Operator]
    """The operators that a payment of this phone may go through, the likely ones first."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The object as it arrived, with fields that this version does not know."""

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> OperatorPrediction:
        return cls(
            phone=raw["phone"],
            country=raw.get("country"),
            currency=optional(Currency, raw.get("currency")),
            operator=optional(Operator, raw.get("operator")),
            candidates=each(Operator)(raw["candidates"]),
            raw=raw,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorPrompt:
    """What customers do to confirm."""

    pt: str
    """In Portuguese."""
    en: str
    """In English."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The object as it arrived, with fields that this version does not know."""

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> OperatorPrompt:
        return cls(
            pt=raw["pt"],
            en=raw["en"],
            raw=raw,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Payment:
    id: str
    """Chosen by Zimbo; never changes."""
    external_id: str | None
    """What you call it, such as the number of your order. Need not be unique."""
    amount: int
    """The amount, in centavos"""
    currency: Currency
    fee_amount: int
    """The fee, in centavos"""
    net_amount: int
    """The amount minus the fee, in centavos"""
    operator: Operator
    operator_phone: str
    """Masked (+238•••••45) for a key without phones:read; +00000000 after it has been erased."""
    operator_tx_id: str | None
    """The operator's identifier for the transaction; null while it is not known."""
    status: PaymentStatus
    failure_code: FailureCode | None
    failure_message: str | None
    """Why it failed, for people to read; null if it did not."""
    description: str | None
    """A text of your own."""
    statement_descriptor: str | None
    """What the customer should read on the operator's statement. The operator gets the first 160 characters, and may pass them on."""
    customer_id: str | None
    """What you call the customer. Not interpreted, and not shown to the customer."""
    metadata: Mapping[str, Any] | None
    """Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0."""
    expires_at: datetime
    """Until when the customer can pay, in UTC."""
    created_at: datetime
    """When it was made, in UTC."""
    updated_at: datetime
    """When it last changed, in UTC."""
    checkout_session_id: str | None
    """The checkout session that this payment tries to pay, if any."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The object as it arrived, with fields that this version does not know."""

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Payment:
        return cls(
            id=raw["id"],
            external_id=raw.get("externalId"),
            amount=int(raw["amount"]),
            currency=Currency(raw["currency"]),
            fee_amount=int(raw["feeAmount"]),
            net_amount=int(raw["netAmount"]),
            operator=Operator(raw["operator"]),
            operator_phone=raw["operatorPhone"],
            operator_tx_id=raw.get("operatorTxId"),
            status=PaymentStatus(raw["status"]),
            failure_code=optional(FailureCode, raw.get("failureCode")),
            failure_message=raw.get("failureMessage"),
            description=raw.get("description"),
            statement_descriptor=raw.get("statementDescriptor"),
            customer_id=raw.get("customerId"),
            metadata=raw.get("metadata"),
            expires_at=instant(raw["expiresAt"]),
            created_at=instant(raw["createdAt"]),
            updated_at=instant(raw["updatedAt"]),
            checkout_session_id=raw.get("checkoutSessionId"),
            raw=raw,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentLink:
    id: str
    """Chosen by Zimbo; never changes."""
    url: str
    """Each use of it makes a checkout session."""
    short_url: str
    """A short address of the same page, for posters and messages."""
    description: str
    """What is paid for. The customer reads it, and the payments carry it."""
    product_id: str | None
    """Your product that it refers to; null if there is none."""
    amount: int | None
    """The fixed amount, in centavos"""
    min_amount: int | None
    """The least that a customer may choose, in centavos"""
    max_amount: int | None
    """The most that a customer may choose, in centavos"""
    currency: Currency
    return_url: str | None
    """Where "back to the shop" leads, on the pages of its sessions."""
    completion_url: str | None
    """Where the customer goes after paying. Arriving there does not prove payment."""
    metadata: Mapping[str, Any] | None
    """Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0."""
    active: bool
    """Whether it can be used: false pauses it."""
    uses: int
    """How many sessions it has made."""
    max_uses: int | None
    """How many sessions it may make. Null: any number."""
    expires_at: datetime | None
    """When it ends. Null: it does not."""
    created_at: datetime
    """When it was made, in UTC."""
    updated_at: datetime
    """When it last changed, in UTC."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The object as it arrived, with fields that this version does not know."""

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> PaymentLink:
        return cls(
            id=raw["id"],
            url=raw["url"],
            short_url=raw["shortUrl"],
            description=raw["description"],
            product_id=raw.get("productId"),
            amount=optional(int, raw.get("amount")),
            min_amount=optional(int, raw.get("minAmount")),
            max_amount=optional(int, raw.get("maxAmount")),
            currency=Currency(raw["currency"]),
            return_url=raw.get("returnUrl"),
            completion_url=raw.get("completionUrl"),
            metadata=raw.get("metadata"),
            active=raw["active"],
            uses=raw["uses"],
            max_uses=raw.get("maxUses"),
            expires_at=optional(instant, raw.get("expiresAt")),
            created_at=instant(raw["createdAt"]),
            updated_at=instant(raw["updatedAt"]),
            raw=raw,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Product:
    id: str
    """Chosen by Zimbo; never changes."""
    name: str
    """What customers read."""
    description: str | None
    """A text of your own."""
    price: int
    """The price, in centavos"""
    currency: Currency
    active: bool
    """Whether new checkout sessions may refer to it."""
    metadata: Mapping[str, Any] | None
    """Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0."""
    created_at: datetime
    """When it was made, in UTC."""
    updated_at: datetime
    """When it last changed, in UTC."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The object as it arrived, with fields that this version does not know."""

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Product:
        return cls(
            id=raw["id"],
            name=raw["name"],
            description=raw.get("description"),
            price=int(raw["price"]),
            currency=Currency(raw["currency"]),
            active=raw["active"],
            metadata=raw.get("metadata"),
            created_at=instant(raw["createdAt"]),
            updated_at=instant(raw["updatedAt"]),
            raw=raw,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RedeliverWebhookEventsAnswer:
    count: int
    """How many events are sent again. After 10000, a request ends with the millisecond of the last one."""
    next_since: datetime | None
    """The value of since for the next request; null if all events have been sent again."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The object as it arrived, with fields that this version does not know."""

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> RedeliverWebhookEventsAnswer:
        return cls(
            count=raw["count"],
            next_since=optional(instant, raw.get("nextSince")),
            raw=raw,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Refund:
    id: str
    """Chosen by Zimbo; never changes."""
    payment_intent_id: str
    """The payment."""
    amount: int
    """The amount, in centavos"""
    currency: Currency
    status: RefundStatus
    reason: str | None
    """The reason, in your own words."""
    failure_code: FailureCode | None
    failure_message: str | None
    """Why it failed, for people to read; null if it did not."""
    operator_refund_id: str | None
    """The operator's identifier for the refund; null while it is not known."""
    metadata: Mapping[str, Any] | None
    """Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0."""
    created_at: datetime
    """When it was made, in UTC."""
    updated_at: datetime
    """When it last changed, in UTC."""
    external_id: str | None
    """The externalId of its payment, if any."""
    checkout_session_id: str | None
    """The checkout session that its payment paid, if any."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The object as it arrived, with fields that this version does not know."""

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Refund:
        return cls(
            id=raw["id"],
            payment_intent_id=raw["paymentIntentId"],
            amount=int(raw["amount"]),
            currency=Currency(raw["currency"]),
            status=RefundStatus(raw["status"]),
            reason=raw.get("reason"),
            failure_code=optional(FailureCode, raw.get("failureCode")),
            failure_message=raw.get("failureMessage"),
            operator_refund_id=raw.get("operatorRefundId"),
            metadata=raw.get("metadata"),
            created_at=instant(raw["createdAt"]),
            updated_at=instant(raw["updatedAt"]),
            external_id=raw.get("externalId"),
            checkout_session_id=raw.get("checkoutSessionId"),
            raw=raw,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class RotateWebhookSecretAnswer:
    id: str
    """Chosen by Zimbo; never changes."""
    url: str
    """http or https; with a live key, https only. It must not contain a user name."""
    events: Sequence[SubscribedEventType]
    """The event types to send to it. Duplicates are removed."""
    status: WebhookEndpointStatus
    description: str | None
    """A text of your own."""
    created_at: datetime
    """When it was made, in UTC."""
    updated_at: datetime
    """When it last changed, in UTC."""
    overlap_ends_at: datetime
    """When the old secret stops signing."""
    disabled_reason: DisabledReason | None
    secret: str | None
    """The signing secret. It is shown only in this answer, so store it. Absent from a repeated answer once the secret was rotated again."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The object as it arrived, with fields that this version does not know."""

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> RotateWebhookSecretAnswer:
        return cls(
            id=raw["id"],
            url=raw["url"],
            events=each(SubscribedEventType)(raw["events"]),
            status=WebhookEndpointStatus(raw["status"]),
            description=raw.get("description"),
            created_at=instant(raw["createdAt"]),
            updated_at=instant(raw["updatedAt"]),
            overlap_ends_at=instant(raw["overlapEndsAt"]),
            disabled_reason=optional(DisabledReason, raw.get("disabledReason")),
            secret=raw.get("secret"),
            raw=raw,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    id: str
    """Chosen by Zimbo; never changes."""
    merchant_id: str
    """The merchant."""
    amount: int
    """The total of its debits before fees, in centavos"""
    fee_total: int
    """The fees of its debits and disbursements, less those of disbursements that came back, in centavos"""
    refund_total: int
    """Refunds sent minus refunds that came back, in centavos"""
    net_amount: int
    """What is paid out: amount - feeTotal - refundTotal - disbursementTotal, in centavos"""
    currency: Currency
    status: SettlementStatus
    period_start: datetime
    """Where the period begins, in UTC."""
    period_end: datetime
    """Where the period ends, in UTC; that instant is no longer part of it."""
    payout_ref: str | None
    """The reference of the payout at the bank"""
    item_count: int
    """The number of its items: debits, refunds and disbursements, what came back of these, and what stays in the balance"""
    created_at: datetime
    """When it was made, in UTC."""
    processed_at: datetime | None
    """When it was handed over for payout, in UTC; null before that."""
    completed_at: datetime | None
    """When it was completed, in UTC; null before that."""
    disbursement_total: int | None
    """Disbursements minus those that came back, and what stays in the balance minus what the settlement before left there, in centavos"""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The object as it arrived, with fields that this version does not know."""

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Settlement:
        return cls(
            id=raw["id"],
            merchant_id=raw["merchantId"],
            amount=int(raw["amount"]),
            fee_total=int(raw["feeTotal"]),
            refund_total=int(raw["refundTotal"]),
            net_amount=int(raw["netAmount"]),
            currency=Currency(raw["currency"]),
            status=SettlementStatus(raw["status"]),
            period_start=instant(raw["periodStart"]),
            period_end=instant(raw["periodEnd"]),
            payout_ref=raw.get("payoutRef"),
            item_count=raw["itemCount"],
            created_at=instant(raw["createdAt"]),
            processed_at=optional(instant, raw.get("processedAt")),
            completed_at=optional(instant, raw.get("completedAt")),
            disbursement_total=optional(int, raw.get("disbursementTotal")),
            raw=raw,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementItem:
    id: str
    """The id of the payment, refund or disbursement. If it came back, a refund has the prefix rb_ here, and a disbursement db_. KEPT has the id of the settlement that left it in the balance with the prefix kp_, and KEPT_RETURNED, in the settlement after it, with kb_."""
    type: SettlementItemType
    payment_intent_id: str | None
    """Of a payment or refund; null for a disbursement"""
    refund_id: str | None
    """The refund; null if it is a payment."""
    amount: int
    """The amount of the payment, refund or disbursement, in centavos"""
    fee_amount: int
    """The fee of the payment or disbursement, in centavos"""
    net_amount: int
    """What it adds to the settlement, negative for a refund or disbursement, in centavos"""
    currency: Currency
    created_at: datetime
    """When it was made, in UTC."""
    disbursement_id: str | None
    """Of a disbursement; null for a payment or refund"""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The object as it arrived, with fields that this version does not know."""

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> SettlementItem:
        return cls(
            id=raw["id"],
            type=SettlementItemType(raw["type"]),
            payment_intent_id=raw.get("paymentIntentId"),
            refund_id=raw.get("refundId"),
            amount=int(raw["amount"]),
            fee_amount=int(raw["feeAmount"]),
            net_amount=int(raw["netAmount"]),
            currency=Currency(raw["currency"]),
            created_at=instant(raw["createdAt"]),
            disbursement_id=raw.get("disbursementId"),
            raw=raw,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    merchant_id: str
    """The merchant."""
    month: str
    """Which month it is of"""
    currency: Currency
    time_zone: str
    """Where its days begin and end"""
    from_: datetime
    """When the month begins"""
    until: datetime
    """Does not belong to it"""
    is_over: bool
    """Whether the month has ended"""
    opening_balance: int
    """What was available when the month began, in centavos"""
    amount: int
    """What customers paid, in centavos"""
    fee_total: int
    """The fees of that and of disbursements, in centavos"""
    refund_total: int
    """Refunds sent minus refunds that came back, in centavos"""
    payout_total: int
    """Payouts minus payouts that came back, in centavos"""
    closing_balance: int
    """What was available when it ended, or is now, in centavos"""
    days: Sequence[StatementDay]
    """Those on which something moved"""
    disbursement_total: int | None
    """Disbursements minus those that came back, in centavos"""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The object as it arrived, with fields that this version does not know."""

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Statement:
        return cls(
            merchant_id=raw["merchantId"],
            month=raw["month"],
            currency=Currency(raw["currency"]),
            time_zone=raw["timeZone"],
            from_=instant(raw["from"]),
            until=instant(raw["until"]),
            is_over=raw["isOver"],
            opening_balance=int(raw["openingBalance"]),
            amount=int(raw["amount"]),
            fee_total=int(raw["feeTotal"]),
            refund_total=int(raw["refundTotal"]),
            payout_total=int(raw["payoutTotal"]),
            closing_balance=int(raw["closingBalance"]),
            days=each(StatementDay.from_json)(raw["days"]),
            disbursement_total=optional(int, raw.get("disbursementTotal")),
            raw=raw,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementDay:
    day: str
    """In that time zone"""
    amount: int
    """What customers paid, in centavos"""
    fee_total: int
    """The fees of that and of disbursements, in centavos"""
    refund_total: int
    """Refunds sent minus refunds that came back, in centavos"""
    payout_total: int
    """Payouts minus payouts that came back, in centavos"""
    closing_balance: int
    """What was available at the end of the day, in centavos"""
    disbursement_total: int | None
    """Disbursements minus those that came back, in centavos"""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The object as it arrived, with fields that this version does not know."""

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> StatementDay:
        return cls(
            day=raw["day"],
            amount=int(raw["amount"]),
            fee_total=int(raw["feeTotal"]),
            refund_total=int(raw["refundTotal"]),
            payout_total=int(raw["payoutTotal"]),
            closing_balance=int(raw["closingBalance"]),
            disbursement_total=optional(int, raw.get("disbursementTotal")),
            raw=raw,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookDelivery:
    id: str
    """Chosen by Zimbo; never changes."""
    endpoint_id: str
    """The webhook endpoint."""
    event_id: str
    """The event."""
    event_type: EventType
    status: WebhookDeliveryStatus
    next_attempt_at: datetime | None
    """In the past while the attempt is under way; null if none is planned."""
    error: str | None
    """Why it has not been delivered."""
    attempts: Sequence[WebhookDeliveryAttempt]
    """Up to the latest twenty, oldest first."""
    created_at: datetime
    """When it was made, in UTC."""
    updated_at: datetime
    """When it last changed, in UTC."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The object as it arrived, with fields that this version does not know."""

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> WebhookDelivery:
        return cls(
            id=raw["id"],
            endpoint_id=raw["endpointId"],
            event_id=raw["eventId"],
            event_type=EventType(raw["eventType"]),
            status=WebhookDeliveryStatus(raw["status"]),
            next_attempt_at=optional(instant, raw.get("nextAttemptAt")),
            error=raw.get("error"),
            attempts=each(WebhookDeliveryAttempt.from_json)(raw["attempts"]),
            created_at=instant(raw["createdAt"]),
            updated_at=instant(raw["updatedAt"]),
            raw=raw,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookDeliveryAttempt:
    at: datetime
    """When it began, in UTC."""
    status_code: int | None
    """Null if there was no answer."""
    duration_ms: int
    """How long it took, in milliseconds."""
    error: str | None
    """What went wrong, for people to read; null if nothing did."""
    response: str | None
    """The first KiB of the answer. Null for a key without phones:read, because it may repeat what was sent."""
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The object as it arrived, with fields that this version does not know."""

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> WebhookDeliveryAttempt:
        return cls(
            at=instant(raw["at"]),
            status_code=raw.get("statusCode"),
            duration_ms=raw["durationMs"],
            error=raw.get("error"),
            response=raw.get("response"),
            raw=raw,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookEndpoint:
    id: str
    """Chosen by Zimbo; never changes."""
    url: str
    """http or https; with a live key, https only. It must not contain a user name."""
    events: Sequence[SubscribedEventType]
    """The event types to send to it. Duplicates are removed."""
    status: WebhookEndpointStatus
    description: str | None
    """A text of your own."""
    created_at: datetime
    """When it was made, in UTC."""
    updated_at: datetime
    """When it last changed, in UTC."""
    disabled_reason: DisabledReason | None
    raw: Mapping[str, Any] = field(repr=False, compare=False)
    """The object as it arrived, with fields that this version does not know."""

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> WebhookEndpoint:
        return cls(
            id=raw["id"],
            url=raw["url"],
            events=each(SubscribedEventType)(raw["events"]),
            status=WebhookEndpointStatus(raw["status"]),
            description=raw.get("description"),
            created_at=instant(raw["createdAt"]),
            updated_at=instant(raw["updatedAt"]),
            disabled_reason=optional(DisabledReason, raw.get("disabledReason")),
            raw=raw,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateDisbursementBody:
    amount: int
    """In centavos, the smallest unit of both currencies."""
    operator: Operator
    operator_phone: str
    """The recipient's phone: + and 8 to 15 digits, of which the first is not 0. It may be written as people paste it: separators, what cannot be seen and `tel:` are removed, and 00 means +."""
    currency: Currency | None = None
    external_id: str | None = None
    """What you call it, such as the number of your order. Need not be unique."""
    customer_id: str | None = None
    """What you call the customer. Not interpreted, and not shown to the customer."""
    description: str | None = None
    """A text of your own."""
    statement_descriptor: str | None = None
    """What the customer should read on the operator's statement. The operator gets the first 160 characters, and may pass them on."""
    metadata: Mapping[str, Any] | None = None
    """Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0."""

    def to_json(self) -> dict[str, Any]:
        return without_none({
            "amount": self.amount,
            "operator": self.operator,
            "operatorPhone": self.operator_phone,
            "currency": self.currency,
            "externalId": self.external_id,
            "customerId": self.customer_id,
            "description": self.description,
            "statementDescriptor": self.statement_descriptor,
            "metadata": self.metadata,
        })


@dataclass(frozen=True, slots=True, kw_only=True)
class NewCheckoutSessionItem:
    name: str
    """What customers read."""
    quantity: int
    """How many."""
    unit_price: int
    """In centavos."""
    product_id: str | None = None
    """An active product of yours."""
    description: str | None = None
    """A text of your own."""

    def to_json(self) -> dict[str, Any]:
        return without_none({
            "name": self.name,
            "quantity": self.quantity,
            "unitPrice": self.unit_price,
            "productId": self.product_id,
            "description": self.description,
        })


EventObject = Payment | Refund | CheckoutSession | Settlement | OperatorDetails | Disbursement | DisbursementBatch | WebhookEndpoint

EVENT_READERS: dict[str, Callable[[Mapping[str, Any]], EventObject]] = {
    "payment.created": Payment.from_json,
    "payment.debited": Payment.from_json,
    "payment.settled": Payment.from_json,
    "payment.failed": Payment.from_json,
    "payment.expired": Payment.from_json,
    "payment.cancelled": Payment.from_json,
    "refund.created": Refund.from_json,
    "refund.succeeded": Refund.from_json,
    "refund.failed": Refund.from_json,
    "checkout.completed": CheckoutSession.from_json,
    "checkout.expired": CheckoutSession.from_json,
    "settlement.completed": Settlement.from_json,
    "operator.status_changed": OperatorDetails.from_json,
    "disbursement.created": Disbursement.from_json,
    "disbursement.succeeded": Disbursement.from_json,
    "disbursement.failed": Disbursement.from_json,
    "disbursement.cancelled": Disbursement.from_json,
    "disbursement_batch.completed": DisbursementBatch.from_json,
    "webhook.test": WebhookEndpoint.from_json,
}
