<?php

declare(strict_types=1);

namespace Zimbo;

use Psr\Log\LoggerInterface;

/** @internal Sends the operations of the API, and retries where that is safe. */
final class Transport
{
    /** @param (\Closure(Request, Answer): void)|null $onAnswer */
    public function __construct(
        private readonly string $apiKey,
        private readonly string $baseUrl,
        private readonly Sender $sender,
        private readonly float $timeoutSeconds,
        private readonly int $maxRetries,
        private readonly ?LoggerInterface $logger,
        private readonly ?\Closure $onAnswer,
    ) {
    }

    /**
     * @template Result
     * @param \Closure(array<string, mixed>): Result $read
     * @return Result
     * @throws ZimboException
     */
    public function json(Request $request, \Closure $read): mixed
    {
        return $this->call($request, static fn (string $body) => $read(json_decode($body, true, 512, JSON_THROW_ON_ERROR)));
    }

    /** @throws ZimboException */
    public function text(Request $request): string
    {
        return $this->call($request, static fn (string $body): string => $body);
    }

    /**
     * @template Result
     * @param \Closure(string): Result $read
     * @return Result
     */
    private function call(Request $request, \Closure $read): mixed
    {
        if ($request->takesKey && $request->idempotencyKey === null) {
            $request = $request->withKey(bin2hex(random_bytes(16)));
        }
        for ($failedBefore = 0;; $failedBefore++) {
            try {
                return self::read($this->attempt($request), $request, $read);
            } catch (ZimboException $error) {
                $this->pause($request, $error, $failedBefore);
            }
        }
    }

    private function pause(Request $request, ZimboException $error, int $failedBefore): void
    {
        $random = random_int(0, 999) / 1_000;
        $isLeft = $failedBefore < $this->maxRetries;
        $gapMs = $isLeft ? Retry::gapMs($error, $failedBefore, $request->isRepeatable(), $random) : null;
        if ($gapMs === null) {
            throw $error;
        }
        $context = ['method' => $request->method, 'path' => $request->path, 'error' => $error->errorCode, 'gapMs' => $gapMs];
        $this->logger?->warning('Zimbo: {method} {path} failed with {error}, trying again in {gapMs} ms', $context);
        usleep((int) ($gapMs * 1_000));
    }

    private function attempt(Request $request): Answer
    {
        $content = $request->content();
        $headers = [
            'Authorization' => "Bearer $this->apiKey",
            'Accept' => 'application/json',
            'User-Agent' => 'zimbo-php/' . Zimbo::VERSION,
            ...($request->idempotencyKey === null ? [] : ['Idempotency-Key' => $request->idempotencyKey]),
            ...($content === null ? [] : ['Content-Type' => 'application/json']),
        ];
        $timeoutSeconds = $request->timeoutSeconds ?? $this->timeoutSeconds;
        try {
            $url = $this->baseUrl . $request->target();
            $answer = $this->sender->send($request->method, $url, $headers, $content, $timeoutSeconds);
        } catch (NoAnswer $cause) {
            throw $this->failed($request, $cause, $timeoutSeconds);
        }
        if ($this->onAnswer !== null) {
            ($this->onAnswer)($request, $answer);
        }
        if ($answer->status < 200 || $answer->status > 299) {
            throw Errors::ofAnswer($answer, $request->idempotencyKey);
        }
        return $answer;
    }

    private function failed(Request $request, NoAnswer $cause, float $timeoutSeconds): ConnectionFailed
    {
        $message = $cause->isTimeout
            ? "No answer within $timeoutSeconds s."
            : "No answer from $this->baseUrl: is the gateway running, and baseUrl right? ({$cause->getMessage()})";
        $code = $cause->isTimeout ? 'TIMEOUT' : 'CONNECTION_FAILED';
        return new ConnectionFailed($message, $code, idempotencyKey: $request->idempotencyKey, previous: $cause);
    }

    /**
     * @template Result
     * @param \Closure(string): Result $read
     * @return Result
     */
    private static function read(Answer $answer, Request $request, \Closure $read): mixed
    {
        try {
            // Of a missing field, PHP only warns; null in its place is then an error.
            return @$read($answer->body);
        } catch (\Throwable $cause) {
            throw new UnexpectedAnswer(
                "The answer of $request->method $request->path is none that a Zimbo gateway gives: {$cause->getMessage()}",
                'UNEXPECTED_ANSWER',
                $answer->status,
                $answer->header('x-request-id'),
                idempotencyKey: $request->idempotencyKey,
                previous: $cause,
            );
        }
    }
}
