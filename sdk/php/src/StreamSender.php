<?php

declare(strict_types=1);

namespace Zimbo;

/** Sends by PHP's streams, which every PHP has. */
final class StreamSender implements Sender
{
    public function send(string $method, string $url, array $headers, ?string $body, float $timeoutSeconds): Answer
    {
        $untilSeconds = microtime(true) + $timeoutSeconds;
        $lines = [...self::lines($headers), 'Connection: close'];
        $options = [
            'method' => $method,
            'header' => $lines,
            'content' => $body ?? '',
            'timeout' => $timeoutSeconds,
            'ignore_errors' => true,
            'follow_location' => 0,
            'protocol_version' => 1.1,
        ];
        error_clear_last();
        $stream = @fopen($url, 'r', false, stream_context_create(['http' => $options]));
        if ($stream === false) {
            $isTimeout = microtime(true) >= $untilSeconds;
            throw new NoAnswer(error_get_last()['message'] ?? 'no connection', $isTimeout);
        }
        try {
            $text = self::read($stream, $untilSeconds);
            return self::answer(stream_get_meta_data($stream)['wrapper_data'] ?? [], $text);
        } finally {
            fclose($stream);
        }
    }

    /** @param resource $stream */
    private static function read($stream, float $untilSeconds): string
    {
        $text = '';
        while (!feof($stream)) {
            $leftSeconds = $untilSeconds - microtime(true);
            if ($leftSeconds <= 0) {
                throw new NoAnswer('the answer did not end in time', true);
            }
            stream_set_timeout($stream, (int) $leftSeconds, (int) (fmod($leftSeconds, 1) * 1_000_000));
            $part = fread($stream, 65_536);
            if ($part === false || stream_get_meta_data($stream)['timed_out']) {
                throw new NoAnswer('the answer did not end in time', true);
            }
            $text .= $part;
        }
        return $text;
    }

    /**
     * @param array<string, string> $headers
     * @return list<string>
     */
    private static function lines(array $headers): array
    {
        return array_map(static fn (string $name, string $value): string => "$name: $value", array_keys($headers), $headers);
    }

    /** @param list<string> $lines */
    private static function answer(array $lines, string $text): Answer
    {
        $status = 0;
        $headers = [];
        foreach ($lines as $line) {
            if (preg_match('~^HTTP/\S+ (\d{3})~', $line, $match) === 1) {
                [$status, $headers] = [(int) $match[1], []];
            } elseif (str_contains($line, ':')) {
                [$name, $value] = explode(':', $line, 2);
                $name = strtolower(trim($name));
                $headers[$name] = isset($headers[$name]) ? $headers[$name] . ', ' . trim($value) : trim($value);
            }
        }
        $length = $headers['content-length'] ?? null;
        if ($length !== null && !isset($headers['content-encoding']) && strlen($text) < (int) $length) {
            throw new NoAnswer('the connection ended within the answer');
        }
        return new Answer($status, $headers, $text);
    }
}
