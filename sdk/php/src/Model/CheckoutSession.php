<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

use Zimbo\Read;

final class CheckoutSession
{
    /** @param array<string, mixed> $raw the object as it arrived, with fields that this version does not know */
    public function __construct(
        /** Chosen by Zimbo; never changes. */
        public readonly string $id,
        /** The payment page. Anyone with the link can pay. */
        public readonly string $url,
        /** The sum, in centavos */
        public readonly int $amount,
        public readonly Currency|string $currency,
        public readonly CheckoutSessionStatus|string $status,
        /** Where "back to the shop" leads: an absolute URL, which may open an app. It must not contain a user name or use the schemes javascript, data, vbscript, file or blob. */
        public readonly string|null $returnUrl,
        /** Where the customer goes after paying. Arriving there does not prove payment. */
        public readonly string|null $completionUrl,
        /** What you call the customer. Not interpreted, and not shown to the customer. */
        public readonly string|null $customerId,
        /** The payment of the latest attempt. */
        public readonly string|null $paymentIntentId,
        /**
         * What is paid for.
         * @var list<CheckoutSessionItem>
         */
        public readonly array $items,
        /**
         * Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0.
         * @var array<string, mixed>|null
         */
        public readonly array|null $metadata,
        /** Until when the customer can pay, in UTC. */
        public readonly \DateTimeImmutable $expiresAt,
        /** When it was made, in UTC. */
        public readonly \DateTimeImmutable $createdAt,
        /** When it last changed, in UTC. */
        public readonly \DateTimeImmutable $updatedAt,
        /** What is paid for. It is copied to the payments of the session. */
        public readonly string|null $description,
        /** What you call the order. Need not be unique. It is copied to the payments of the session. */
        public readonly string|null $externalId,
        public readonly array $raw,
    ) {
    }

    /** @param array<string, mixed> $raw */
    public static function fromJson(array $raw): self
    {
        return new self(
            $raw['id'],
            $raw['url'],
            Read::money($raw['amount']),
            Currency::tryFrom($raw['currency']) ?? $raw['currency'],
            CheckoutSessionStatus::tryFrom($raw['status']) ?? $raw['status'],
            $raw['returnUrl'] ?? null,
            $raw['completionUrl'] ?? null,
            $raw['customerId'] ?? null,
            $raw['paymentIntentId'] ?? null,
            array_map(static fn (array $each) => CheckoutSessionItem::fromJson($each), $raw['items']),
            $raw['metadata'] ?? null,
            Read::instant($raw['expiresAt']),
            Read::instant($raw['createdAt']),
            Read::instant($raw['updatedAt']),
            $raw['description'] ?? null,
            $raw['externalId'] ?? null,
            $raw,
        );
    }
}
