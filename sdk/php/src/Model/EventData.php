<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

/** @internal What the events of each type carry. */
final class EventData
{
    /**
     * @param array<string, mixed> $data
     * @return Payment|Refund|CheckoutSession|Settlement|OperatorDetails|Disbursement|DisbursementBatch|WebhookEndpoint|array<string, mixed> the fields as they arrived for a type that this version does not know
     */
    public static function read(string $type, array $data): Payment|Refund|CheckoutSession|Settlement|OperatorDetails|Disbursement|DisbursementBatch|WebhookEndpoint|array
    {
        return match ($type) {
            'payment.created' => Payment::fromJson($data),
            'payment.debited' => Payment::fromJson($data),
            'payment.settled' => Payment::fromJson($data),
            'payment.failed' => Payment::fromJson($data),
            'payment.expired' => Payment::fromJson($data),
            'payment.cancelled' => Payment::fromJson($data),
            'refund.created' => Refund::fromJson($data),
            'refund.succeeded' => Refund::fromJson($data),
            'refund.failed' => Refund::fromJson($data),
            'checkout.completed' => CheckoutSession::fromJson($data),
            'checkout.expired' => CheckoutSession::fromJson($data),
            'settlement.completed' => Settlement::fromJson($data),
            'operator.status_changed' => OperatorDetails::fromJson($data),
            'disbursement.created' => Disbursement::fromJson($data),
            'disbursement.succeeded' => Disbursement::fromJson($data),
            'disbursement.failed' => Disbursement::fromJson($data),
            'disbursement.cancelled' => Disbursement::fromJson($data),
            'disbursement_batch.completed' => DisbursementBatch::fromJson($data),
            'webhook.test' => WebhookEndpoint::fromJson($data),
            default => $data,
        };
    }
}
