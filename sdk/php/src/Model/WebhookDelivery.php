<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

use Zimbo\Read;

final class WebhookDelivery
{
    /** @param array<string, mixed> $raw the object as it arrived, with fields that this version does not know */
    public function __construct(
        /** Chosen by Zimbo; never changes. */
        public readonly string $id,
        /** The webhook endpoint. */
        public readonly string $endpointId,
        /** The event. */
        public readonly string $eventId,
        public readonly EventType|string $eventType,
        public readonly WebhookDeliveryStatus|string $status,
        /** In the past while the attempt is under way; null if none is planned. */
        public readonly \DateTimeImmutable|null $nextAttemptAt,
        /** Why it has not been delivered. */
        public readonly string|null $error,
        /**
         * Up to the latest twenty, oldest first.
         * @var list<WebhookDeliveryAttempt>
         */
        public readonly array $attempts,
        /** When it was made, in UTC. */
        public readonly \DateTimeImmutable $createdAt,
        /** When it last changed, in UTC. */
        public readonly \DateTimeImmutable $updatedAt,
        public readonly array $raw,
    ) {
    }

    /** @param array<string, mixed> $raw */
    public static function fromJson(array $raw): self
    {
        return new self(
            $raw['id'],
            $raw['endpointId'],
            $raw['eventId'],
            EventType::tryFrom($raw['eventType']) ?? $raw['eventType'],
            WebhookDeliveryStatus::tryFrom($raw['status']) ?? $raw['status'],
            isset($raw['nextAttemptAt']) ? Read::instant($raw['nextAttemptAt']) : null,
            $raw['error'] ?? null,
            array_map(static fn (array $each) => WebhookDeliveryAttempt::fromJson($each), $raw['attempts']),
            Read::instant($raw['createdAt']),
            Read::instant($raw['updatedAt']),
            $raw,
        );
    }
}
