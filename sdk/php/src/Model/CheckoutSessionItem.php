<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

final class CheckoutSessionItem
{
    /** @param array<string, mixed> $raw the object as it arrived, with fields that this version does not know */
    public function __construct(
        /** Chosen by Zimbo; never changes. */
        public readonly string $id,
        /** Your product that it refers to; null if there is none. */
        public readonly string|null $productId,
        /** What customers read. */
        public readonly string $name,
        /** A text of your own. */
        public readonly string|null $description,
        /** How many. */
        public readonly int $quantity,
        /** In centavos */
        public readonly string $unitPrice,
        public readonly Currency|string $currency,
        public readonly array $raw,
    ) {
    }

    /** @param array<string, mixed> $raw */
    public static function fromJson(array $raw): self
    {
        return new self(
            $raw['id'],
            $raw['productId'] ?? null,
            $raw['name'],
            $raw['description'] ?? null,
            $raw['quantity'],
            $raw['unitPrice'],
            Currency::tryFrom($raw['currency']) ?? $raw['currency'],
            $raw,
        );
    }
}
