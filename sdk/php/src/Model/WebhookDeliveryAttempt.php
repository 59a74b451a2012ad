<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

use Zimbo\Read;

final class WebhookDeliveryAttempt
{
    /** @param array<string, mixed> $raw the object as it arrived, with fields that this version does not know */
    public function __construct(
        /** When it began, in UTC. */
        public readonly \DateTimeImmutable $at,
        /** Null if there was no answer. */
        public readonly int|null $statusCode,
        /** How long it took, in milliseconds. */
        public readonly int $durationMs,
        /** What went wrong, for people to read; null if nothing did. */
        public readonly string|null $error,
        /** The first KiB of the answer. Null for a key without phones:read, because it may repeat what was sent. */
        public readonly string|null $response,
        public readonly array $raw,
    ) {
    }

    /** @param array<string, mixed> $raw */
    public static function fromJson(array $raw): self
    {
        return new self(
            Read::instant($raw['at']),
            $raw['statusCode'] ?? null,
            $raw['durationMs'],
            $raw['error'] ?? null,
            $raw['response'] ?? null,
            $raw,
        );
    }
}
