<?php

declare(strict_types=1);

namespace Zimbo;

/** A call that failed. Its subclasses say how far the request came. */
abstract class ZimboException extends \RuntimeException
{
    /**
     * @param string $errorCode the gateway's code, such as `NOT_FOUND` (docs/errors.md), or one of this library's:
     *     `CONNECTION_FAILED`, `TIMEOUT`, `UNEXPECTED_ANSWER`
     * @param int|null $status of HTTP; null without an answer
     * @param string|null $requestId quote this when you report a problem to the gateway's operator
     * @param string|null $param the rejected field, parameter or header; null if the gateway names none
     * @param list<Problem> $details all problems of the request if it has several
     * @param float|null $retryAfterSeconds how long the gateway asks you to wait
     * @param string|null $idempotencyKey repeated under this key, the request takes effect once
     */
    final public function __construct(
        string $message,
        public readonly string $errorCode,
        public readonly ?int $status = null,
        public readonly ?string $requestId = null,
        public readonly ?string $param = null,
        public readonly array $details = [],
        public readonly ?float $retryAfterSeconds = null,
        public readonly ?string $idempotencyKey = null,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($message, $status ?? 0, $previous);
    }
}
