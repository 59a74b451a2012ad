<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

use Zimbo\Read;

final class PaymentLink
{
    /** @param array<string, mixed> $raw the object as it arrived, with fields that this version does not know */
    public function __construct(
        /** Chosen by Zimbo; never changes. */
        public readonly string $id,
        /** Each use of it makes a checkout session. */
        public readonly string $url,
        /** A short address of the same page, for posters and messages. */
        public readonly string $shortUrl,
        /** What is paid for. The customer reads it, and the payments carry it. */
        public readonly string $description,
        /** Your product that it refers to; null if there is none. */
        public readonly string|null $productId,
        /** The fixed amount, in centavos */
        public readonly int|null $amount,
        /** The least that a customer may choose, in centavos */
        public readonly int|null $minAmount,
        /** The most that a customer may choose, in centavos */
        public readonly int|null $maxAmount,
        public readonly Currency|string $currency,
        /** Where "back to the shop" leads, on the pages of its sessions. */
        public readonly string|null $returnUrl,
        /** Where the customer goes after paying. Arriving there does not prove payment. */
        public readonly string|null $completionUrl,
        /**
         * Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0.
         * @var array<string, mixed>|null
         */
        public readonly array|null $metadata,
        /** Whether it can be used: false pauses it. */
        public readonly bool $active,
        /** How many sessions it has made. */
        public readonly int $uses,
        /** How many sessions it may make. Null: any number. */
        public readonly int|null $maxUses,
        /** When it ends. Null: it does not. */
        public readonly \DateTimeImmutable|null $expiresAt,
        /** When it was made, in UTC. */
        public readonly \DateTimeImmutable $createdAt,
        /** When it last changed, in UTC. */
        public readonly \DateTimeImmutable $updatedAt,
        public readonly array $raw,
    ) {
    }

    /** @param array<string, mixed> $raw */
    public static function fromJson(array $raw): self
    {
        return new self(
            $raw['id'],
            $raw['url'],
            $raw['shortUrl'],
            $raw['description'],
            $raw['productId'] ?? null,
            isset($raw['amount']) ? Read::money($raw['amount']) : null,
            isset($raw['minAmount']) ? Read::money($raw['minAmount']) : null,
            isset($raw['maxAmount']) ? Read::money($raw['maxAmount']) : null,
            Currency::tryFrom($raw['currency']) ?? $raw['currency'],
            $raw['returnUrl'] ?? null,
            $raw['completionUrl'] ?? null,
            $raw['metadata'] ?? null,
            $raw['active'],
            $raw['uses'],
            $raw['maxUses'] ?? null,
            isset($raw['expiresAt']) ? Read::instant($raw['expiresAt']) : null,
            Read::instant($raw['createdAt']),
            Read::instant($raw['updatedAt']),
            $raw,
        );
    }
}
