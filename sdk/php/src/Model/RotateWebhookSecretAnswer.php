<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Model;

use Zimbo\Read;

final class RotateWebhookSecretAnswer
{
    /** @param array<string, mixed> $raw the object as it arrived, with fields that this version does not know */
    public function __construct(
        /** Chosen by Zimbo; never changes. */
        public readonly string $id,
        /** http or https; with a live key, https only. It must not contain a user name. */
        public readonly string $url,
        /**
         * The event types to send to it. Duplicates are removed.
         * @var list<SubscribedEventType|string>
         */
        public readonly array $events,
        public readonly WebhookEndpointStatus|string $status,
        /** A text of your own. */
        public readonly string|null $description,
        /** When it was made, in UTC. */
        public readonly \DateTimeImmutable $createdAt,
        /** When it last changed, in UTC. */
        public readonly \DateTimeImmutable $updatedAt,
        /** The signing secret. It is shown only in this answer, so store it. */
        public readonly string $secret,
        /** When the old secret stops signing. */
        public readonly \DateTimeImmutable $overlapEndsAt,
        public readonly DisabledReason|string|null $disabledReason,
        public readonly array $raw,
    ) {
    }

    /** @param array<string, mixed> $raw */
    public static function fromJson(array $raw): self
    {
        return new self(
            $raw['id'],
            $raw['url'],
            array_map(static fn (string $each) => SubscribedEventType::tryFrom($each) ?? $each, $raw['events']),
            WebhookEndpointStatus::tryFrom($raw['status']) ?? $raw['status'],
            $raw['description'] ?? null,
            Read::instant($raw['createdAt']),
            Read::instant($raw['updatedAt']),
            $raw['secret'],
            Read::instant($raw['overlapEndsAt']),
            isset($raw['disabledReason']) ? DisabledReason::tryFrom($raw['disabledReason']) ?? $raw['disabledReason'] : null,
            $raw,
        );
    }
}
