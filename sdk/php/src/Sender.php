<?php

declare(strict_types=1);

namespace Zimbo;

/** Sends one request over HTTP, and follows no redirect. */
interface Sender
{
    /**
     * @param array<string, string> $headers
     * @throws NoAnswer no answer arrived, or none in time
     */
    public function send(string $method, string $url, array $headers, ?string $body, float $timeoutSeconds): Answer;
}
