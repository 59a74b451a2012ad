<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

use Zimbo\Read;

final class Refund
{
    /** @param array<string, mixed> $raw the object as it arrived, with fields that this version does not know */
    public function __construct(
        /** Chosen by Zimbo; never changes. */
        public readonly string $id,
        /** The payment. */
        public readonly string $paymentIntentId,
        /** The amount, in centavos */
        public readonly int $amount,
        public readonly Currency|string $currency,
        public readonly RefundStatus|string $status,
        /** The reason, in your own words. */
        public readonly string|null $reason,
        public readonly FailureCode|string|null $failureCode,
        /** Why it failed, for people to read; null if it did not. */
        public readonly string|null $failureMessage,
        /** The operator's identifier for the refund; null while it is not known. */
        public readonly string|null $operatorRefundId,
        /**
         * Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0.
         * @var array<string, mixed>|null
         */
        public readonly array|null $metadata,
        /** When it was made, in UTC. */
        public readonly \DateTimeImmutable $createdAt,
        /** When it last changed, in UTC. */
        public readonly \DateTimeImmutable $updatedAt,
        /** The externalId of its payment, if any. */
        public readonly string|null $externalId,
        /** The checkout session that its payment paid, if any. */
        public readonly string|null $checkoutSessionId,
        public readonly array $raw,
    ) {
    }

    /** @param array<string, mixed> $raw */
    public static function fromJson(array $raw): self
    {
        return new self(
            $raw['id'],
            $raw['paymentIntentId'],
            Read::money($raw['amount']),
            Currency::tryFrom($raw['currency']) ?? $raw['currency'],
            RefundStatus::tryFrom($raw['status']) ?? $raw['status'],
            $raw['reason'] ?? null,
            isset($raw['failureCode']) ? FailureCode::tryFrom($raw['failureCode']) ?? $raw['failureCode'] : null,
            $raw['failureMessage'] ?? null,
            $raw['operatorRefundId'] ?? null,
            $raw['metadata'] ?? null,
            Read::instant($raw['createdAt']),
            Read::instant($raw['updatedAt']),
            $raw['externalId'] ?? null,
            $raw['checkoutSessionId'] ?? null,
            $raw,
        );
    }
}
