<?php

declare(strict_types=1);

namespace Zimbo;

use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\StreamFactoryInterface;
use Psr\Log\LoggerInterface;

/**
 * A client of a Zimbo gateway. Amounts are whole centavos. Each call may throw a {@see ZimboException}.
 *
 * The client retries with growing pauses after 429, and after an outage if the call cannot take effect twice: reads,
 * and calls with an idempotency key.
 */
final class Zimbo extends Resources
{
    public const VERSION = '0.1.0';

    /**
     * @param string $apiKey `sk_test_…` or `sk_live_…`: keep it on your servers
     * @param string $baseUrl of your gateway, such as `https://pay.example.cv`; may include a path before `/v1`
     * @param float $timeoutSeconds of one attempt
     * @param int $maxRetries how many attempts may follow the first
     * @param Sender|null $sender by default curl where PHP has it, otherwise PHP's streams; {@see self::sendBy()}
     * @param LoggerInterface|null $logger is told of repeated attempts
     * @param (\Closure(Request, Answer): void)|null $onAnswer sees each answer with its headers
     * @throws \InvalidArgumentException the key or `baseUrl` is malformed
     */
    public function __construct(
        #[\SensitiveParameter] string $apiKey,
        string $baseUrl,
        float $timeoutSeconds = 30,
        int $maxRetries = 3,
        ?Sender $sender = null,
        ?LoggerInterface $logger = null,
        ?\Closure $onAnswer = null,
    ) {
        // The message does not show the value, which may be most of a key.
        if (preg_match('/^sk_(live|test)_\w+$/D', $apiKey) !== 1) {
            throw new \InvalidArgumentException('The API key must begin with sk_test_ or sk_live_: is it set?');
        }
        $sender ??= function_exists('curl_init') ? new CurlSender() : new StreamSender();
        $url = self::checkedUrl($baseUrl);
        parent::__construct(new Transport($apiKey, $url, $sender, $timeoutSeconds, $maxRetries, $logger, $onAnswer));
    }

    /** Sends by a PSR-18 client of your own. */
    public static function sendBy(ClientInterface $client, RequestFactoryInterface $requests, StreamFactoryInterface $streams): Sender
    {
        return new Psr18Sender($client, $requests, $streams);
    }

    private static function checkedUrl(string $baseUrl): string
    {
        $isWeb = preg_match('~^https?://[^/\s\\\\@][^\s\\\\@]*$~Di', $baseUrl) === 1;
        $host = parse_url($baseUrl, PHP_URL_HOST);
        if (!$isWeb || !is_string($host) || preg_match('/^\[[^]]*$/D', $host) === 1) {
            throw new \InvalidArgumentException("baseUrl must be the URL of your gateway, not \"$baseUrl\"");
        }
        if (strpbrk($baseUrl, '?#') !== false) {
            throw new \InvalidArgumentException("baseUrl must end before ? and #, unlike \"$baseUrl\"");
        }
        $plain = rtrim($baseUrl, '/');
        if (str_ends_with($plain, '/v1')) {
            throw new \InvalidArgumentException("baseUrl must end before /v1, unlike \"$baseUrl\"");
        }
        return $plain;
    }
}
