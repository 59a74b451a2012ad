<?php

declare(strict_types=1);

namespace Zimbo;

/** A rule that a request breaks. */
final class Problem
{
    public function __construct(
        /** The field, parameter or header, such as `items[0].quantity`. */
        public readonly string $param,
        public readonly string $message,
    ) {
    }
}
