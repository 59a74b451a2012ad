<?php

declare(strict_types=1);

namespace Zimbo;

/** @internal No answer arrived. */
final class NoAnswer extends \RuntimeException
{
    public function __construct(string $message, public readonly bool $isTimeout = false, ?\Throwable $previous = null)
    {
        parent::__construct($message, 0, $previous);
    }
}
