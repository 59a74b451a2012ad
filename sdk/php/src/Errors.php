<?php

declare(strict_types=1);

namespace Zimbo;

/** @internal Makes exceptions of answers. */
final class Errors
{
    private const BY_STATUS = [
        400 => InvalidRequest::class,
        401 => AuthenticationFailed::class,
        403 => PermissionDenied::class,
        404 => NotFound::class,
        409 => Conflict::class,
        413 => InvalidRequest::class,
        415 => InvalidRequest::class,
        422 => InvalidRequest::class,
        429 => RateLimited::class,
    ];

    /** The exception of an answer that is not 2xx, or not JSON. */
    public static function ofAnswer(Answer $answer, ?string $idempotencyKey): ZimboException
    {
        $common = [
            'status' => $answer->status,
            'retryAfterSeconds' => self::retryAfterSeconds($answer),
            'idempotencyKey' => $idempotencyKey,
        ];
        $error = self::errorIn($answer->body);
        if ($error === null) {
            $message = "This is not an answer that a Zimbo gateway gives (status $answer->status). Is baseUrl right?";
            return new UnexpectedAnswer($message, 'UNEXPECTED_ANSWER', ...$common, requestId: $answer->header('x-request-id'));
        }
        $class = self::BY_STATUS[$answer->status] ?? GatewayException::class;
        return new $class(
            $error['message'],
            $error['code'],
            ...$common,
            requestId: $answer->header('x-request-id') ?? $error['requestId'] ?? null,
            param: is_string($error['param'] ?? null) ? $error['param'] : null,
            details: self::problemsIn($error['details'] ?? null),
        );
    }

    /** @return array<string, mixed>|null */
    private static function errorIn(string $text): ?array
    {
        $error = json_decode($text, true)['error'] ?? null;
        $isError = is_array($error) && is_string($error['code'] ?? null) && is_string($error['message'] ?? null);
        return $isError ? $error : null;
    }

    /**
     * Other programs put something else there.
     *
     * @return list<Problem>
     */
    private static function problemsIn(mixed $details): array
    {
        $problems = [];
        foreach (is_array($details) ? $details : [] as $each) {
            if (is_string($each['param'] ?? null) && is_string($each['message'] ?? null)) {
                $problems[] = new Problem($each['param'], $each['message']);
            }
        }
        return $problems;
    }

    /** A number of seconds or, from some proxies, a date; of several values the longest counts. */
    private static function retryAfterSeconds(Answer $answer): ?float
    {
        $values = preg_split('/(?<!Mon|Tue|Wed|Thu|Fri|Sat|Sun|day),/', $answer->header('retry-after') ?? '') ?: [];
        $waits = array_filter(
            array_map(static fn (string $value) => self::wait(trim($value), $answer), $values),
            static fn (?float $wait): bool => $wait !== null,
        );
        return $waits === [] ? null : max($waits);
    }

    private static function wait(string $value, Answer $answer): ?float
    {
        if (preg_match('/^[0-9]+$/D', $value) === 1) {
            // As RFC 9111 counts more than fits.
            return min((float) $value, 2.0 ** 31);
        }
        // Alone, the name of a day or month would be a date to PHP.
        $isDate = preg_match('/^[A-Z][a-z]{2,8},? .*[0-9]/', $value) === 1;
        // C's asctime format means GMT without saying so.
        $until = $isDate ? strtotime(preg_replace('/ [0-9]{4}$/D', '$0 GMT', $value)) : false;
        $now = strtotime($answer->header('date') ?? '') ?: time();
        return $until === false ? null : (float) max(0, $until - $now);
    }
}
