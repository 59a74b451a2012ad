<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

final class NewCheckoutSessionItem implements \JsonSerializable
{
    public function __construct(
        /** What customers read. */
        public readonly string $name,
        /** How many. */
        public readonly int $quantity,
        /** In centavos. */
        public readonly int $unitPrice,
        /** An active product of yours. */
        public readonly string|null $productId = null,
        /** A text of your own. */
        public readonly string|null $description = null,
    ) {
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        return array_filter([
            'name' => $this->name,
            'quantity' => $this->quantity,
            'unitPrice' => $this->unitPrice,
            'productId' => $this->productId,
            'description' => $this->description,
        ], static fn (mixed $value): bool => $value !== null);
    }
}
