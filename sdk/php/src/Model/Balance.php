<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

final class Balance
{
    /** @param array<string, mixed> $raw the object as it arrived, with fields that this version does not know */
    public function __construct(
        /**
         * The objects on this page.
         * @var list<CurrencyBalance>
         */
        public readonly array $data,
        public readonly array $raw,
    ) {
    }

    /** @param array<string, mixed> $raw */
    public static function fromJson(array $raw): self
    {
        return new self(
            array_map(static fn (array $each) => CurrencyBalance::fromJson($each), $raw['data']),
            $raw,
        );
    }
}
