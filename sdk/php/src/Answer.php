<?php

declare(strict_types=1);

namespace Zimbo;

/** An answer as it arrived. */
final class Answer
{
    /** @param array<string, string> $headers with names in lower case; several values are joined by commas */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body,
    ) {
    }

    public function header(string $name): ?string
    {
        return $this->headers[strtolower($name)] ?? null;
    }
}
