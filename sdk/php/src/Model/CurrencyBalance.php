<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

use Zimbo\Read;

final class CurrencyBalance
{
    /** @param array<string, mixed> $raw the object as it arrived, with fields that this version does not know */
    public function __construct(
        public readonly Currency|string $currency,
        /** What no settlement has taken yet, in centavos */
        public readonly int $available,
        /** On its way to the bank, in centavos */
        public readonly int $pending,
        /** On its way back to customers, in centavos */
        public readonly int $refundsInTransit,
        /** On its way to wallets, in centavos */
        public readonly int|null $disbursementsInTransit,
        /** What settlements leave available, where that was agreed, in centavos */
        public readonly int|null $keepBalance,
        public readonly array $raw,
    ) {
    }

    /** @param array<string, mixed> $raw */
    public static function fromJson(array $raw): self
    {
        return new self(
            Currency::tryFrom($raw['currency']) ?? $raw['currency'],
            Read::money($raw['available']),
            Read::money($raw['pending']),
            Read::money($raw['refundsInTransit']),
            isset($raw['disbursementsInTransit']) ? Read::money($raw['disbursementsInTransit']) : null,
            isset($raw['keepBalance']) ? Read::money($raw['keepBalance']) : null,
            $raw,
        );
    }
}
