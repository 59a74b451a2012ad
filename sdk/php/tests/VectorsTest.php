<?php

declare(strict_types=1);

namespace Zimbo\Tests;

use PHPUnit\Framework\TestCase;
use Zimbo\Answer;
use Zimbo\ConnectionFailed;
use Zimbo\Errors;
use Zimbo\Model\CurrencyBalance;
use Zimbo\Retry;
use Zimbo\Sender;
use Zimbo\UnexpectedAnswer;
use Zimbo\Webhook;
use Zimbo\WebhookVerificationFailed;
use Zimbo\Zimbo;
use Zimbo\ZimboException;

/** The vectors that every library of Zimbo runs: signatures, retries, pages, errors and money. */
final class VectorsTest extends TestCase
{
    /** @return list<array<string, mixed>> */
    private static function vectors(string $name): array
    {
        return json_decode((string) file_get_contents(__DIR__ . "/../../vectors/$name.json"), true, 512, JSON_THROW_ON_ERROR);
    }

    public function testSignatures(): void
    {
        foreach (self::vectors('signatures') as $case) {
            $verify = static fn () => Webhook::verify(base64_decode($case['bodyBase64']), $case['headers'], $case['secret'], now: $case['nowSeconds']);
            if (isset($case['eventId'])) {
                self::assertSame($case['eventId'], $verify()->id, $case['name']);
                continue;
            }
            try {
                $verify();
                self::fail($case['name']);
            } catch (WebhookVerificationFailed $refusal) {
                self::assertSame($case['refusal'], $refusal->reason, $case['name']);
            }
        }
    }

    public function testSignsWhatItVerifies(): void
    {
        $case = self::vectors('signatures')[0];
        $body = base64_decode($case['bodyBase64']);
        $signed = Webhook::sign($body, $case['secret']);
        $server = [];
        foreach ($signed as $name => $value) {
            $server['HTTP_' . strtoupper(strtr($name, '-', '_'))] = $value;
        }
        foreach ([$signed, $server, array_map(static fn ($value) => [$value], $signed)] as $headers) {
            self::assertSame($case['eventId'], Webhook::verify($body, $headers, $case['secret'])->id);
        }
    }

    public function testRejectsAHeaderThatOccursTwice(): void
    {
        $case = self::vectors('signatures')[0];
        $doubled = array_map(static fn ($value) => [$value, $value], $case['headers']);
        $this->expectException(WebhookVerificationFailed::class);
        Webhook::verify(base64_decode($case['bodyBase64']), $doubled, $case['secret'], now: $case['nowSeconds']);
    }

    public function testRetries(): void
    {
        foreach (self::vectors('retries') as $case) {
            $wait = ['retryAfterSeconds' => $case['retryAfterSeconds'] === null ? null : (float) $case['retryAfterSeconds']];
            $error = is_string($case['status'])
                ? new ConnectionFailed('x', $case['status'], ...$wait)
                : new UnexpectedAnswer('x', 'UNEXPECTED_ANSWER', $case['status'], ...$wait);
            $gapMs = Retry::gapMs($error, $case['failedBefore'], $case['isRepeatable'], (float) $case['random']);
            $expected = $case['gapMs'] === null ? null : (float) $case['gapMs'];
            self::assertSame($expected, $gapMs, (string) json_encode($case));
        }
    }

    public function testErrors(): void
    {
        foreach (self::vectors('errors') as $case) {
            $error = Errors::ofAnswer(new Answer($case['status'], $case['headers'], $case['body']), 'key-1');
            $expected = $case['expect'];
            self::assertSame([$case['status'], 'key-1'], [$error->status, $error->idempotencyKey], $case['name']);
            self::assertSame(
                [$expected['code'], $expected['param'], $expected['requestId']],
                [$error->errorCode, $error->param, $error->requestId],
                $case['name'],
            );
            self::assertEquals($expected['retryAfterSeconds'], $error->retryAfterSeconds, $case['name']);
            self::assertEquals($expected['details'], json_decode((string) json_encode($error->details), true), $case['name']);
            if ($expected['message'] !== null) {
                self::assertSame($expected['message'], $error->getMessage(), $case['name']);
            }
        }
    }

    public function testAddresses(): void
    {
        foreach (self::vectors('addresses') as $case) {
            try {
                new Zimbo('sk_test_vectors', $case['url']);
                $isRefused = false;
            } catch (\InvalidArgumentException) {
                $isRefused = true;
            }
            self::assertSame($case['isRefused'], $isRefused, $case['url']);
        }
    }

    public function testAnswers(): void
    {
        foreach (self::vectors('answers') as $case) {
            $sender = new class ($case['body']) implements Sender {
                public function __construct(private string $body)
                {
                }

                public function send(string $method, string $url, array $headers, ?string $body, float $timeoutSeconds): Answer
                {
                    return new Answer(200, [], $this->body);
                }
            };
            $zimbo = new Zimbo('sk_test_vectors', 'http://gateway.test', sender: $sender);
            try {
                $zimbo->payments->get('pi_1');
                self::fail($case['name']);
            } catch (UnexpectedAnswer $error) {
                self::assertSame(['UNEXPECTED_ANSWER', 200], [$error->errorCode, $error->status], $case['name']);
            }
        }
    }

    public function testPages(): void
    {
        foreach (self::vectors('pages') as $case) {
            $sender = new Recorded($case['answers']);
            $zimbo = new Zimbo('sk_test_vectors', 'http://gateway.test', sender: $sender);
            $ids = [];
            try {
                $place = isset($case['endingBefore']) ? ['endingBefore' => "re_{$case['endingBefore']}"] : [];
                $limit = $case['limit'] === null ? [] : ['limit' => $case['limit']];
                foreach ($zimbo->refunds->list(...$place, ...$limit) as $refund) {
                    $ids[] = (int) substr($refund->id, 3);
                }
                self::assertArrayNotHasKey('error', $case, $case['name']);
            } catch (ZimboException $error) {
                self::assertSame($case['error'] ?? null, $error->errorCode, $case['name']);
            }
            self::assertSame($case['ids'], $ids, $case['name']);
            self::assertEquals($case['queries'], $sender->queries, $case['name']);
        }
    }

    public function testMoney(): void
    {
        foreach (self::vectors('money') as $case) {
            $raw = array_fill_keys(['available', 'pending', 'refundsInTransit'], $case['text']);
            $balance = CurrencyBalance::fromJson(['currency' => 'XOF', ...$raw]);
            self::assertSame([$case['centavos'], 'XOF'], [$balance->available, $balance->currency]);
        }
    }
}

/** Answers a client with the pages of a vector. */
final class Recorded implements Sender
{
    /** @var list<array<string, int>> */
    public array $queries = [];

    /** @param list<array<string, mixed>> $answers */
    public function __construct(private array $answers)
    {
    }

    public function send(string $method, string $url, array $headers, ?string $body, float $timeoutSeconds): Answer
    {
        parse_str((string) parse_url($url, PHP_URL_QUERY), $query);
        $this->queries[] = array_map(static fn (string $value): int => (int) str_replace('re_', '', $value), $query);
        $page = array_shift($this->answers);
        $at = '2026-11-21T03:00:00.000Z';
        $refund = static fn (int $number): array => [
            'id' => "re_$number", 'paymentIntentId' => 'pi_1', 'amount' => '100', 'currency' => 'CVE', 'reason' => null,
            'status' => 'INVENTED', 'failureCode' => null, 'failureMessage' => null, 'operatorTxId' => null,
            'metadata' => null, 'createdAt' => $at, 'updatedAt' => $at,
        ];
        $data = array_map($refund, $page['data']);
        return new Answer(200, [], (string) json_encode(['data' => $data, 'hasMore' => $page['hasMore']]));
    }
}
