<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

use Zimbo\Read;

final class RedeliverWebhookEventsAnswer
{
    /** @param array<string, mixed> $raw the object as it arrived, with fields that this version does not know */
    public function __construct(
        /** How many events are sent again. After 10000, a request ends with the millisecond of the last one. */
        public readonly int $count,
        /** The value of since for the next request; null if all events have been sent again. */
        public readonly \DateTimeImmutable|null $nextSince,
        public readonly array $raw,
    ) {
    }

    /** @param array<string, mixed> $raw */
    public static function fromJson(array $raw): self
    {
        return new self(
            $raw['count'],
            isset($raw['nextSince']) ? Read::instant($raw['nextSince']) : null,
            $raw,
        );
    }
}
