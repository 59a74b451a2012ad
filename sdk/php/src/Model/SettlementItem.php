<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

use Zimbo\Read;

final class SettlementItem
{
    /** @param array<string, mixed> $raw the object as it arrived, with fields that this version does not know */
    public function __construct(
        /** The id of the payment, refund or disbursement. If it came back, a refund has the prefix rb_ here, and a disbursement db_. KEPT has the id of the settlement that left it in the balance with the prefix kp_, and KEPT_RETURNED, in the settlement after it, with kb_. */
        public readonly string $id,
        public readonly SettlementItemType|string $type,
        /** Of a payment or refund; null for a disbursement */
        public readonly string|null $paymentIntentId,
        /** The refund; null if it is a payment. */
        public readonly string|null $refundId,
        /** The amount of the payment, refund or disbursement, in centavos */
        public readonly int $amount,
        /** The fee of the payment or disbursement, in centavos */
        public readonly int $feeAmount,
        /** What it adds to the settlement, negative for a refund or disbursement, in centavos */
        public readonly int $netAmount,
        public readonly Currency|string $currency,
        /** When it was made, in UTC. */
        public readonly \DateTimeImmutable $createdAt,
        /** Of a disbursement; null for a payment or refund */
        public readonly string|null $disbursementId,
        public readonly array $raw,
    ) {
    }

    /** @param array<string, mixed> $raw */
    public static function fromJson(array $raw): self
    {
        return new self(
            $raw['id'],
            SettlementItemType::tryFrom($raw['type']) ?? $raw['type'],
            $raw['paymentIntentId'] ?? null,
            $raw['refundId'] ?? null,
            Read::money($raw['amount']),
            Read::money($raw['feeAmount']),
            Read::money($raw['netAmount']),
            Currency::tryFrom($raw['currency']) ?? $raw['currency'],
            Read::instant($raw['createdAt']),
            $raw['disbursementId'] ?? null,
            $raw,
        );
    }
}
