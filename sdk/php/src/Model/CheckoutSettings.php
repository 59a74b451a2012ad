<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

final class CheckoutSettings
{
    /** @param array<string, mixed> $raw the object as it arrived, with fields that this version does not know */
    public function __construct(
        /**
         * The sites that may show the payment page inside their pages, as checkout.js does: https origins, and with a test key also http on localhost. Empty: none.
         * @var list<string>
         */
        public readonly array $frameOrigins,
        public readonly array $raw,
    ) {
    }

    /** @param array<string, mixed> $raw */
    public static function fromJson(array $raw): self
    {
        return new self(
            $raw['frameOrigins'],
            $raw,
        );
    }
}
