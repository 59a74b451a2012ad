<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

enum EventType: string
{
    case PaymentCreated = 'payment.created';
    case PaymentDebited = 'payment.debited';
    case PaymentSettled = 'payment.settled';
    case PaymentFailed = 'payment.failed';
    case PaymentExpired = 'payment.expired';
    case PaymentCancelled = 'payment.cancelled';
    case RefundCreated = 'refund.created';
    case RefundSucceeded = 'refund.succeeded';
    case RefundFailed = 'refund.failed';
    case CheckoutCompleted = 'checkout.completed';
    case CheckoutExpired = 'checkout.expired';
    case SettlementCompleted = 'settlement.completed';
    case OperatorStatusChanged = 'operator.status_changed';
    case DisbursementCreated = 'disbursement.created';
    case DisbursementSucceeded = 'disbursement.succeeded';
    case DisbursementFailed = 'disbursement.failed';
    case DisbursementCancelled = 'disbursement.cancelled';
    case DisbursementBatchCompleted = 'disbursement_batch.completed';
    case WebhookTest = 'webhook.test';
}
