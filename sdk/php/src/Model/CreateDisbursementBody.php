<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

final class CreateDisbursementBody implements \JsonSerializable
{
    public function __construct(
        /** In centavos, the smallest unit of both currencies. */
        public readonly int $amount,
        public readonly Operator|string $operator,
        /** The recipient's phone: + and 8 to 15 digits, of which the first is not 0. It may be written as people paste it: separators, what cannot be seen and `tel:` are removed, and 00 means +. */
        public readonly string $operatorPhone,
        public readonly Currency|string|null $currency = null,
        /** What you call it, such as the number of your order. Need not be unique. */
        public readonly string|null $externalId = null,
        /** What you call the customer. Not interpreted, and not shown to the customer. */
        public readonly string|null $customerId = null,
        /** A text of your own. */
        public readonly string|null $description = null,
        /** What the customer should read on the operator's statement. The operator gets the first 160 characters, and may pass them on. */
        public readonly string|null $statementDescriptor = null,
        /** Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0. */
        public readonly array|null $metadata = null,
    ) {
    }

    /** @return array<string, mixed> */
    public function jsonSerialize(): array
    {
        return array_filter([
            'amount' => $this->amount,
            'operator' => $this->operator,
            'operatorPhone' => $this->operatorPhone,
            'currency' => $this->currency,
            'externalId' => $this->externalId,
            'customerId' => $this->customerId,
            'description' => $this->description,
            'statementDescriptor' => $this->statementDescriptor,
            'metadata' => $this->metadata,
        ], static fn (mixed $value): bool => $value !== null);
    }
}
