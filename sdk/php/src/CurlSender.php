<?php

declare(strict_types=1);

namespace Zimbo;

/** Sends by curl, and keeps the connection for the next request. */
final class CurlSender implements Sender
{
    private \CurlHandle $curl;

    public function __construct()
    {
        $curl = curl_init();
        if ($curl === false) {
            throw new \RuntimeException('curl does not start');
        }
        $this->curl = $curl;
    }

    public function send(string $method, string $url, array $headers, ?string $body, float $timeoutSeconds): Answer
    {
        $received = [];
        curl_reset($this->curl);
        curl_setopt_array($this->curl, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_URL => $url,
            CURLOPT_HTTPHEADER => self::lines($headers),
            CURLOPT_TIMEOUT_MS => max(1, (int) ($timeoutSeconds * 1_000)),
            CURLOPT_NOSIGNAL => true,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_HEADERFUNCTION => static function (\CurlHandle $_, string $line) use (&$received): int {
                if (str_starts_with($line, 'HTTP/')) {
                    $received = [];
                } elseif (str_contains($line, ':')) {
                    [$name, $value] = explode(':', $line, 2);
                    $name = strtolower(trim($name));
                    $received[$name] = isset($received[$name]) ? $received[$name] . ', ' . trim($value) : trim($value);
                }
                return strlen($line);
            },
        ]);
        if ($body !== null) {
            curl_setopt($this->curl, CURLOPT_POSTFIELDS, $body);
        }
        $text = curl_exec($this->curl);
        if (!is_string($text)) {
            throw new NoAnswer(curl_error($this->curl), curl_errno($this->curl) === CURLE_OPERATION_TIMEDOUT);
        }
        return new Answer((int) curl_getinfo($this->curl, CURLINFO_RESPONSE_CODE), $received, $text);
    }

    /**
     * An empty "Expect" keeps curl from asking before it sends a larger body.
     *
     * @param array<string, string> $headers
     * @return list<string>
     */
    private static function lines(array $headers): array
    {
        $lines = array_map(static fn (string $name, string $value): string => "$name: $value", array_keys($headers), $headers);
        return [...$lines, 'Expect:'];
    }
}
