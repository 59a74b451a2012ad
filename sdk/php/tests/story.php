<?php

declare(strict_types=1);

/**
 * Plays `vectors/story.json` against a gateway: every operation of the API at least once.
 *
 * ZIMBO_URL, ZIMBO_API_KEY and RECEIVER_URL name the gateway and the receiver of its webhooks.
 */

use Zimbo\Model\CreateDisbursementBody;
use Zimbo\Model\NewCheckoutSessionItem;
use Zimbo\Pages;
use Zimbo\Zimbo;
use Zimbo\ZimboException;

require __DIR__ . '/autoload.php';

$known = [
    'receiver' => getenv('RECEIVER_URL'),
    'month' => gmdate('Y-m', time() - 3_600),
];

/** `$payment.id` is a field of an object of the story so far. */
$fill = static function (mixed $value) use (&$fill, &$known): mixed {
    if (is_array($value)) {
        return array_map($fill, $value);
    }
    if (!is_string($value) || !str_starts_with($value, '$')) {
        return $value;
    }
    $names = explode('.', substr($value, 1));
    $found = $known[array_shift($names)];
    foreach ($names as $name) {
        $found = $found->$name;
    }
    return $found;
};

$check = static function (bool $isRight, string $message): void {
    if (!$isRight) {
        fwrite(STDERR, "$message\n");
        exit(1);
    }
};

$plain = static fn (mixed $value): mixed => $value instanceof BackedEnum ? $value->value : $value;

$argumentsOf = static function (array $step) use ($fill): array {
    $named = [];
    foreach ($fill([...$step['body'] ?? [], ...$step['query'] ?? []]) as $name => $value) {
        $camel = preg_replace_callback('/_(\w)/', static fn (array $match): string => strtoupper($match[1]), $name);
        $named[$camel] = $value;
    }
    if (isset($named['items'])) {
        $named['items'] = array_map(static fn (array $item) => isset($item['operator'])
            ? new CreateDisbursementBody(...$item)
            : new NewCheckoutSessionItem(...$item), $named['items']);
    }
    if (isset($step['key'])) {
        $named['idempotencyKey'] = $step['key'] . '-' . getenv('RUN');
    }
    return $named;
};

$zimbo = new Zimbo((string) getenv('ZIMBO_API_KEY'), (string) getenv('ZIMBO_URL'));
$story = json_decode((string) file_get_contents(__DIR__ . '/../../vectors/story.json'), true, 512, JSON_THROW_ON_ERROR);

foreach ($story as $step) {
    $names = explode('.', $step['call']);
    $method = array_pop($names);
    $resource = array_reduce($names, static fn (object $owner, string $name): object => $owner->$name, $zimbo);
    $until = microtime(true) + 30;
    do {
        $check(microtime(true) < $until, "{$step['call']}: never reached " . json_encode($step['until'] ?? null));
        try {
            $answer = $resource->$method(...$fill($step['path'] ?? []), ...$argumentsOf($step));
            $answer = $answer instanceof Pages ? ($answer->page()->data[0] ?? null) : $answer;
            $check(!isset($step['error']), "{$step['call']} should have failed");
        } catch (ZimboException $error) {
            $check($error->errorCode === ($step['error'] ?? null), "{$step['call']}: $error");
            $check(!isset($step['param']) || $error->param === $step['param'], "{$step['call']}: $error->param");
            $check($error->requestId !== null, "{$step['call']}: has no request id");
            continue 2;
        }
        $isReached = true;
        foreach ($step['until'] ?? [] as $name => $value) {
            $isReached = $isReached && $plain($answer->$name) === $value;
        }
        if (!$isReached) {
            usleep(50_000);
        }
    } while (!$isReached);
    foreach ($fill([...$step['expect'] ?? [], ...$step['expectFirst'] ?? []]) as $name => $value) {
        $found = $plain($answer->$name);
        $check($found === $plain($value), "{$step['call']}: $name is " . json_encode($found) . ', not ' . json_encode($value));
    }
    if (isset($step['as'])) {
        $known[$step['as']] = $answer;
    }
}
printf("%d operations, %d calls: done\n", count(array_unique(array_column($story, 'call'))), count($story));
