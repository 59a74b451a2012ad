<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

/** What customers do to confirm. */
final class OperatorPrompt
{
    /** @param array<string, mixed> $raw the object as it arrived, with fields that this version does not know */
    public function __construct(
        /** In Portuguese. */
        public readonly string $pt,
        /** In English. */
        public readonly string $en,
        public readonly array $raw,
    ) {
    }

    /** @param array<string, mixed> $raw */
    public static function fromJson(array $raw): self
    {
        return new self(
            $raw['pt'],
            $raw['en'],
            $raw,
        );
    }
}
