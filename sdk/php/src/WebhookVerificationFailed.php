<?php

declare(strict_types=1);

namespace Zimbo;

/** A delivery that is not genuine: answer 400, and ignore it. */
final class WebhookVerificationFailed extends \RuntimeException
{
    /** @param 'MISSING_HEADER'|'WRONG_SIGNATURE'|'STALE_TIMESTAMP'|'NOT_AN_EVENT' $reason */
    public function __construct(public readonly string $reason, string $message)
    {
        parent::__construct($message);
    }
}
