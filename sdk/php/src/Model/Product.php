<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

use Zimbo\Read;

final class Product
{
    /** @param array<string, mixed> $raw the object as it arrived, with fields that this version does not know */
    public function __construct(
        /** Chosen by Zimbo; never changes. */
        public readonly string $id,
        /** What customers read. */
        public readonly string $name,
        /** A text of your own. */
        public readonly string|null $description,
        /** The price, in centavos */
        public readonly int $price,
        public readonly Currency|string $currency,
        /** Whether new checkout sessions may refer to it. */
        public readonly bool $active,
        /**
         * Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0.
         * @var array<string, mixed>|null
         */
        public readonly array|null $metadata,
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
            $raw['name'],
            $raw['description'] ?? null,
            Read::money($raw['price']),
            Currency::tryFrom($raw['currency']) ?? $raw['currency'],
            $raw['active'],
            $raw['metadata'] ?? null,
            Read::instant($raw['createdAt']),
            Read::instant($raw['updatedAt']),
            $raw,
        );
    }
}
