<?php

declare(strict_types=1);

namespace Zimbo;

use Psr\Http\Client\ClientExceptionInterface;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\StreamFactoryInterface;

/** Sends by a PSR-18 client of your own, which has its own time-out. */
final class Psr18Sender implements Sender
{
    public function __construct(
        private readonly ClientInterface $client,
        private readonly RequestFactoryInterface $requests,
        private readonly StreamFactoryInterface $streams,
    ) {
    }

    public function send(string $method, string $url, array $headers, ?string $body, float $timeoutSeconds): Answer
    {
        $request = $this->requests->createRequest($method, $url);
        foreach ($headers as $name => $value) {
            $request = $request->withHeader($name, $value);
        }
        if ($body !== null) {
            $request = $request->withBody($this->streams->createStream($body));
        }
        try {
            $response = $this->client->sendRequest($request);
            $text = (string) $response->getBody();
        } catch (ClientExceptionInterface $cause) {
            throw new NoAnswer($cause->getMessage(), false, $cause);
        }
        $received = [];
        foreach (array_keys($response->getHeaders()) as $name) {
            $received[strtolower((string) $name)] = $response->getHeaderLine((string) $name);
        }
        return new Answer($response->getStatusCode(), $received, $text);
    }
}
