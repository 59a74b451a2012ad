<?php

declare(strict_types=1);

namespace Zimbo;

/** @internal How values of JSON become values of PHP. */
final class Read
{
    /** @throws \UnexpectedValueException the text is no whole number of centavos */
    public static function money(string $text): int
    {
        $centavos = filter_var($text === '-0' ? '0' : $text, FILTER_VALIDATE_INT);
        if ($centavos === false) {
            throw new \UnexpectedValueException("$text is no amount in centavos");
        }
        return $centavos;
    }

    /** @throws \UnexpectedValueException PHP alone would read "yesterday" too */
    public static function instant(string $text): \DateTimeImmutable
    {
        if (preg_match('/^\d{4}-\d\d-\d\dT/', $text) !== 1) {
            throw new \UnexpectedValueException("$text is no time");
        }
        return new \DateTimeImmutable($text);
    }
}
