<?php

declare(strict_types=1);

namespace Zimbo;

use Zimbo\Model\EventData;
use Zimbo\Model\EventType;

/** Something that happened. It is a hint: ask for the object's state before you act on it. */
final class Event
{
    /**
     * @param string $id the same in every attempt, so you can use it to deduplicate
     * @param object|array<string, mixed> $data the object as it was then, such as a Model\Payment; for a type that this
     *     version does not know, the fields as they arrived
     * @param array<string, mixed> $raw
     */
    public function __construct(
        public readonly string $id,
        public readonly EventType|string $type,
        public readonly object|array $data,
        public readonly \DateTimeImmutable $createdAt,
        public readonly array $raw,
    ) {
    }

    /** @param array<string, mixed> $raw */
    public static function fromJson(array $raw): self
    {
        $type = EventType::tryFrom($raw['type']) ?? $raw['type'];
        $data = EventData::read($raw['type'], $raw['data']);
        return new self($raw['id'], $type, $data, Read::instant($raw['createdAt']), $raw);
    }
}
