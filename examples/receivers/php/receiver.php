<?php
// Receives Zimbo's webhooks. PHP 8.1 or later, nothing to install.
//
// On a web server it is a page. Cron runs it every minute for what the page could not finish:
//
//     * * * * *  php receiver.php
//
// It needs ZIMBO_WEBHOOK_SECRET and ZIMBO_API_KEY in the environment of both.
declare(strict_types=1);

const MAX_BYTES = 4 * 1024 * 1024;
const MAX_AGE_SECONDS = 300;
const RESOURCES = ['payment' => 'payments', 'refund' => 'refunds', 'checkout' => 'checkout/sessions'];

// Not beside this page: the web server would show it to everybody.
define('FOLDER', getenv('RECEIVER_FOLDER') ?: dirname(__DIR__) . '/received');
foreach (['inbox', 'done', 'statuses'] as $name) {
    if (!is_dir(FOLDER . "/$name")) {
        @mkdir(FOLDER . "/$name", 0700, recursive: true);
    }
}

if (PHP_SAPI !== 'cli') {
    // Where PHP displays errors, it would answer 200 for them.
    http_response_code(500);
    answer(receive());
}
work();

function receive(): int
{
    if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
        return 405;
    }
    $body = stream_get_contents(fopen('php://input', 'rb'), MAX_BYTES + 1);
    if (strlen($body) > MAX_BYTES) {
        return 413;
    }
    if (!is_genuine($body)) {
        return 400;
    }
    store(json_decode($body)->id, $body);
    return 200;
}

/** The signature covers the time and the raw bytes. During a rotation, two secrets sign. */
function is_genuine(string $body): bool
{
    $timestamp = $_SERVER['HTTP_X_SERVICE_TIMESTAMP'] ?? '';
    $secret = getenv('ZIMBO_WEBHOOK_SECRET') ?: throw new RuntimeException('ZIMBO_WEBHOOK_SECRET is not set');
    $expected = hash_hmac('sha256', "$timestamp.$body", $secret);
    foreach (['HTTP_X_SERVICE_SIGNATURE', 'HTTP_X_SERVICE_SIGNATURE_NEXT'] as $name) {
        if (hash_equals($expected, $_SERVER[$name] ?? '')) {
            return abs(time() - (int) $timestamp) <= MAX_AGE_SECONDS;
        }
    }
    return false;
}

/** Zimbo does not send an event again once we have answered 200, so it is on the disk before. */
function store(string $eventId, string $body): void
{
    if (!file_exists(FOLDER . "/done/$eventId")) {
        write(FOLDER . "/inbox/$eventId", $body);
    }
}

/** Writes all of the file or nothing, and waits for the disk. */
function write(string $path, string $content): void
{
    $temporary = tempnam(FOLDER, 'new-');
    $file = fopen($temporary, 'wb');
    if (fwrite($file, $content) !== strlen($content) || !fsync($file) || !rename($temporary, $path)) {
        throw new RuntimeException("cannot write $path");
    }
}

/** Lets the gateway go. The rest of the program runs after it has its answer. */
function answer(int $status): void
{
    ignore_user_abort(true);
    http_response_code($status);
    header('Content-Length: 0');
    header('Connection: close');
    function_exists('fastcgi_finish_request') ? fastcgi_finish_request() : flush();
}

/** Handles what is in the inbox, unless another process does. An event that fails stays there. */
function work(): void
{
    $lock = fopen(FOLDER . '/lock', 'c');
    if (!flock($lock, LOCK_EX | LOCK_NB)) {
        return;
    }
    foreach (glob(FOLDER . '/inbox/*') as $file) {
        try {
            handle(json_decode(file_get_contents($file)));
            touch(FOLDER . '/done/' . basename($file));
            unlink($file);
        } catch (Throwable $error) {
            error_log(basename($file) . ': ' . $error->getMessage());
        }
    }
}

/**
 * An event only says that something has changed. The API says how things stand now, so the order in
 * which events arrive does not matter.
 */
function handle(object $event): void
{
    $resource = RESOURCES[explode('.', $event->type)[0]] ?? null;
    if ($resource === null) {
        return;
    }
    $url = getenv('ZIMBO_URL') ?: 'http://127.0.0.1:3000';
    $context = stream_context_create(['http' => [
        'header' => 'Authorization: Bearer ' . getenv('ZIMBO_API_KEY'),
        'timeout' => 10,
    ]]);
    $current = @file_get_contents("$url/v1/$resource/{$event->data->id}", context: $context);
    if ($current === false) {
        throw new RuntimeException(error_get_last()['message']);
    }
    update(json_decode($current));
}

/** Your part: find the order by $current->externalId and change it, in one transaction. */
function update(object $current): void
{
    $file = FOLDER . "/statuses/$current->id";
    if (@file_get_contents($file) === $current->status) {
        return;
    }
    error_log("$current->id $current->status");
    write($file, $current->status);
}
