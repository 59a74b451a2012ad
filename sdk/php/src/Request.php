<?php

declare(strict_types=1);

namespace Zimbo;

/** One call of the API; sending it again under the same idempotency key takes effect once. */
final class Request
{
    /**
     * @param array<string, mixed> $query
     * @param array<string, mixed>|null $body
     */
    public function __construct(
        public readonly string $method,
        public readonly string $path,
        public readonly array $query = [],
        public readonly ?array $body = null,
        public readonly bool $takesKey = false,
        public readonly ?string $idempotencyKey = null,
        public readonly ?float $timeoutSeconds = null,
    ) {
        if ($idempotencyKey !== null && preg_match('/^[\x20-\x7e]{1,255}$/D', $idempotencyKey) !== 1) {
            throw new \InvalidArgumentException('idempotencyKey must have 1 to 255 printable ASCII characters');
        }
    }

    public function isRepeatable(): bool
    {
        return $this->method === 'GET' || $this->takesKey;
    }

    public function withKey(string $key): self
    {
        return new self($this->method, $this->path, $this->query, $this->body, $this->takesKey, $key, $this->timeoutSeconds);
    }

    /** @param array<string, mixed> $more */
    public function withQuery(array $more): self
    {
        $query = [...$this->query, ...$more];
        return new self($this->method, $this->path, $query, $this->body, $this->takesKey, $this->idempotencyKey, $this->timeoutSeconds);
    }

    /** The path with its query. */
    public function target(): string
    {
        $texts = [];
        foreach ($this->query as $name => $value) {
            if ($value !== null) {
                // The keys of an object stand in brackets.
                $isObject = is_array($value) && !array_is_list($value);
                $texts[$name] = $isObject ? array_map(self::queryText(...), $value) : self::queryText($value);
            }
        }
        $query = http_build_query($texts, '', '&', PHP_QUERY_RFC3986);
        return $query === '' ? $this->path : "$this->path?$query";
    }

    public function content(): ?string
    {
        if ($this->body === null) {
            return null;
        }
        $flags = JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_PRESERVE_ZERO_FRACTION;
        return json_encode((object) $this->body, $flags);
    }

    private static function queryText(mixed $value): string
    {
        if (is_array($value)) {
            return implode(',', array_map(self::queryText(...), $value));
        }
        if (is_bool($value)) {
            return $value ? 'true' : 'false';
        }
        return (string) ($value instanceof \BackedEnum ? $value->value : $value);
    }
}
