<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

final class OperatorPrediction
{
    /** @param array<string, mixed> $raw the object as it arrived, with fields that this version does not know */
    public function __construct(
        /** The phone, as it is stored. */
        public readonly string $phone,
        /** ISO 3166 country code */
        public readonly string|null $country,
        public readonly Currency|string|null $currency,
        public readonly Operator|string|null $operator,
        /**
         * The operators that a payment of this phone may go through, the likely ones first.
         * @var list<Operator|string>
         */
        public readonly array $candidates,
        public readonly array $raw,
    ) {
    }

    /** @param array<string, mixed> $raw */
    public static function fromJson(array $raw): self
    {
        return new self(
            $raw['phone'],
            $raw['country'] ?? null,
            isset($raw['currency']) ? Currency::tryFrom($raw['currency']) ?? $raw['currency'] : null,
            isset($raw['operator']) ? Operator::tryFrom($raw['operator']) ?? $raw['operator'] : null,
            array_map(static fn (string $each) => Operator::tryFrom($each) ?? $each, $raw['candidates']),
            $raw,
        );
    }
}
