<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

use Zimbo\Read;

final class DisbursementBatchTotal
{
    /** @param array<string, mixed> $raw the object as it arrived, with fields that this version does not know */
    public function __construct(
        public readonly Currency|string $currency,
        /** The amounts of all rows, in centavos */
        public readonly int $amount,
        /** The fees of all rows, in centavos */
        public readonly int $feeAmount,
        public readonly array $raw,
    ) {
    }

    /** @param array<string, mixed> $raw */
    public static function fromJson(array $raw): self
    {
        return new self(
            Currency::tryFrom($raw['currency']) ?? $raw['currency'],
            Read::money($raw['amount']),
            Read::money($raw['feeAmount']),
            $raw,
        );
    }
}
