<?php

declare(strict_types=1);

namespace Zimbo;

/** Deliveries of webhooks. */
final class Webhook
{
    /**
     * Verifies that the gateway sent this recently, and returns the event. During the rotation of a secret, deliveries
     * have two signatures; one by your secret is enough.
     *
     * @param string $body as received, from `php://input`: a body that was parsed and serialized again differs
     * @param array<string, string|list<string>> $headers of the request: from `getallheaders()`, a PSR-7 request, or
     *     `$_SERVER`
     * @param string $secret of the endpoint, including `whsec_`
     * @param int|null $now seconds since 1970, for tests
     * @throws WebhookVerificationFailed a header is missing, the signature is wrong, the timestamp is too far from now,
     *     or the body is no event
     */
    public static function verify(
        string $body,
        array $headers,
        #[\SensitiveParameter] string $secret,
        int $toleranceSeconds = 300,
        ?int $now = null,
    ): Event {
        if ($secret === '') {
            throw new \InvalidArgumentException('The secret of the webhook endpoint is empty: is it set?');
        }
        $timestamp = self::header($headers, 'x-service-timestamp');
        $signature = self::header($headers, 'x-service-signature');
        if ($timestamp === null || $signature === null) {
            throw new WebhookVerificationFailed('MISSING_HEADER', 'X-Service-Timestamp or X-Service-Signature is missing.');
        }
        $expected = self::signature($secret, $timestamp, $body);
        $next = self::header($headers, 'x-service-signature-next') ?? '';
        // Both are compared, in the same time wherever a forged one differs.
        $matches = [hash_equals($expected, strtolower($signature)), hash_equals($expected, strtolower($next))];
        if (!in_array(true, $matches, true)) {
            $message = 'The signature is wrong: another secret, or the body was changed after its arrival.';
            throw new WebhookVerificationFailed('WRONG_SIGNATURE', $message);
        }
        $isNumber = preg_match('/^[0-9]{1,12}$/D', $timestamp) === 1;
        if (!$isNumber || abs(($now ?? time()) - (int) $timestamp) > $toleranceSeconds) {
            throw new WebhookVerificationFailed('STALE_TIMESTAMP', 'The timestamp is not of now: a replay, or a wrong clock.');
        }
        return self::event($body);
    }

    /**
     * The headers with which the gateway would send this body: for tests of your receiver.
     *
     * @return array<string, string>
     */
    public static function sign(string $body, #[\SensitiveParameter] string $secret, ?int $now = null): array
    {
        $timestamp = (string) ($now ?? time());
        return ['X-Service-Timestamp' => $timestamp, 'X-Service-Signature' => self::signature($secret, $timestamp, $body)];
    }

    private static function signature(#[\SensitiveParameter] string $secret, string $timestamp, string $body): string
    {
        return hash_hmac('sha256', "$timestamp.$body", $secret);
    }

    /**
     * The value of a header that occurs exactly once.
     *
     * @param array<string, string|list<string>> $headers
     */
    private static function header(array $headers, string $name): ?string
    {
        $found = [];
        foreach ($headers as $each => $value) {
            $plain = strtolower(str_replace('_', '-', (string) $each));
            if ($plain === $name || $plain === "http-$name") {
                $found = [...$found, ...(array) $value];
            }
        }
        return count($found) === 1 ? (string) $found[0] : null;
    }

    private static function event(string $body): Event
    {
        $raw = json_decode($body, true);
        if (is_array($raw) && is_string($raw['id'] ?? null) && is_string($raw['type'] ?? null)) {
            try {
                return Event::fromJson($raw);
            } catch (\Throwable) {
                // Reported below, like any other body that is not an event.
            }
        }
        throw new WebhookVerificationFailed('NOT_AN_EVENT', 'The body is signed, but is not an event.');
    }
}
