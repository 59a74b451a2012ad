<?php

declare(strict_types=1);

namespace Zimbo;

/** @internal How values of PHP become parts of requests. */
final class Write
{
    /**
     * The parameters that were given.
     *
     * @param array<string, mixed> $values
     * @return array<string, mixed>
     */
    public static function given(array $values): array
    {
        $given = array_filter($values, static fn (mixed $value): bool => $value !== Omitted::Value);
        return array_map(self::plain(...), $given);
    }

    private static function plain(mixed $value): mixed
    {
        if ($value instanceof \DateTimeInterface) {
            $utc = \DateTimeImmutable::createFromInterface($value)->setTimezone(new \DateTimeZone('UTC'));
            return $utc->format('Y-m-d\TH:i:s.v\Z');
        }
        return $value;
    }

    /**
     * An array of PHP with no entries is no list here.
     *
     * @param array<string, mixed>|null|Omitted $map
     */
    public static function map(array|null|Omitted $map): object|null
    {
        return is_array($map) ? (object) $map : $map;
    }

    /**
     * @param array<string, string> $values
     * @throws \InvalidArgumentException an empty id or dots would lead to another operation
     */
    public static function path(string $path, array $values): string
    {
        return (string) preg_replace_callback('/\{(\w+)\}/', static function (array $match) use ($values): string {
            $value = $values[$match[1]];
            if (preg_match('/^\.*$/D', $value) === 1) {
                throw new \InvalidArgumentException("$match[1] must be an id from the gateway, not \"$value\"");
            }
            return rawurlencode($value);
        }, $path);
    }
}
