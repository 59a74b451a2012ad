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
            // PHP's own decoder takes half an answer for a whole one.
            'auto_decode' => false,
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
        if (strcasecmp($headers['transfer-encoding'] ?? '', 'chunked') === 0) {
            return new Answer($status, $headers, self::joined($text));
        }
        if (strlen($text) < (int) ($headers['content-length'] ?? 0)) {
            throw self::cut();
        }
        return new Answer($status, $headers, $text);
    }

    /** A body in chunks, of which the last is empty. */
    private static function joined(string $text): string
    {
        $body = '';
        $at = 0;
        while (preg_match('/\G([0-9a-f]{1,8})[^\n]*\n/i', $text, $match, 0, $at) === 1) {
            $size = (int) hexdec($match[1]);
            $at += strlen($match[0]);
            if ($size === 0) {
                return $body;
            }
            $body .= substr($text, $at, $size);
            $at += $size + 2;
        }
        throw self::cut();
    }

    private static function cut(): NoAnswer
    {
        return new NoAnswer('the connection ended within the answer');
    }
}
