<?php
// A shop in plain PHP: orders, checkout, webhooks, refunds. PHP 8.1 or later. Copy from this file.
//
//     php -S 127.0.0.1:4500 shop.php
declare(strict_types=1);

use Zimbo\Model\CheckoutSession;
use Zimbo\Model\CheckoutSessionStatus;
use Zimbo\Model\Currency;
use Zimbo\Model\NewCheckoutSessionItem;
use Zimbo\Model\Refund;
use Zimbo\Model\RefundStatus;
use Zimbo\Webhook;
use Zimbo\WebhookVerificationFailed;
use Zimbo\Zimbo;
use Zimbo\ZimboException;

require __DIR__ . '/../../../sdk/php/tests/autoload.php'; // with Composer: vendor/autoload.php
require __DIR__ . '/store.php';
require __DIR__ . '/pages.php';

const MAX_BYTES = 1_000_000;

define('GATEWAY', getenv('ZIMBO_URL') ?: 'http://127.0.0.1:3000');
define('SHOP', getenv('SHOP_URL') ?: 'http://127.0.0.1:4500');

// Where PHP displays errors, it would answer 200 for them.
ini_set('display_errors', '0');
$zimbo = new Zimbo((string) getenv('ZIMBO_API_KEY'), GATEWAY, timeoutSeconds: 10, maxRetries: 1);
$store = openStore(getenv('SHOP_FOLDER') ?: __DIR__);
try {
    route($_SERVER['REQUEST_METHOD'], explode('/', strtok($_SERVER['REQUEST_URI'], '?')));
} catch (ZimboException $error) {
    error_log($error->getMessage());
    showNotice(502, 'Algo correu mal do nosso lado');
}

/** @param list<string> $path */
function route(string $method, array $path): void
{
    match (true) {
        [$method, $path] === ['GET', ['', '']] => showProducts(),
        [$method, $path] === ['GET', ['', 'style.css']] => showFile('style.css', 'text/css'),
        [$method, $path] === ['GET', ['', 'dialog.js']] => showFile('dialog.js', 'text/javascript; charset=utf-8'),
        [$method, $path] === ['POST', ['', 'orders']] => buy(),
        [$method, $path] === ['POST', ['', 'webhooks']] => receive(),
        $method === 'GET' && count($path) === 3 && $path[1] === 'orders' => showOrder($path[2]),
        $method === 'POST' && count($path) === 4 && $path[1] === 'orders' && $path[3] === 'pay' => pay($path[2]),
        $method === 'POST' && count($path) === 4 && $path[1] === 'orders' && $path[3] === 'refund' => refund($path[2]),
        default => showNotice(404, 'Página não encontrada'),
    };
}

/** The id of the order comes with the form, so a double click buys once. The price does not: it is ours. */
function buy(): void
{
    global $store;
    $id = $_POST['order'] ?? '';
    $product = products()[$_POST['product'] ?? ''] ?? null;
    if ($product === null || !is_string($id) || preg_match('/^[0-9a-f]{32}$/D', $id) !== 1) {
        showNotice(404, 'Não vendemos este artigo');
        return;
    }
    $store->add(new Order($id, $product->id, $product->price));
    pay($id);
}

/** Leads to the session of the order: the one that it has, or a new one if that has expired. */
function pay(string $id): void
{
    global $store, $zimbo;
    $order = ask($id);
    if ($order?->status !== 'NEW') {
        leadTo("/orders/$id", $id);
        return;
    }
    $attempt = $order->attempt;
    $session = $zimbo->checkout->sessions->create(
        items: [new NewCheckoutSessionItem(products()[$order->product]->name, quantity: 1, unitPrice: $order->price)],
        externalId: $id,
        returnUrl: SHOP,
        completionUrl: SHOP . "/orders/$id",
        // Repeating the key of an attempt leads to the same session; the order's id alone would do so for ever.
        idempotencyKey: "$id session $attempt",
    );
    $store->change($id, static function (Order $order) use ($attempt, $session): void {
        if ($order->attempt === $attempt) {
            $order->session = $session->id;
        }
    });
    leadTo($session->url, $id);
}

/** The customer returns here. That proves nothing, so the shop asks; it need not wait for the webhook. */
function showOrder(string $id): void
{
    $order = ask($id);
    $order === null ? showNotice(404, 'Encomenda não encontrada') : show(200, orderPage($order));
}

/** The customer has changed their mind. The money goes back to the phone that paid. */
function refund(string $id): void
{
    global $store;
    $store->change($id, static function (Order $order): void {
        if ($order->status === 'PAID') {
            $order->status = 'REFUNDING';
        }
    });
    ask($id);
    leadTo("/orders/$id", $id);
}

/** Asks the gateway about an order that is not at its end: webhooks may be late, or lost. */
function ask(string $id): ?Order
{
    global $store, $zimbo;
    $order = $store->find($id);
    try {
        if ($order?->status === 'NEW' && $order->session !== null) {
            takeSession($zimbo->checkout->sessions->get($order->session));
        } elseif ($order?->status === 'REFUNDING') {
            takeRefund($order->refund === null
                ? $zimbo->refunds->create($order->payment, idempotencyKey: "$id refund")
                : $zimbo->refunds->get($order->refund));
        }
    } catch (ZimboException $error) {
        error_log("The gateway says of order $id: {$error->getMessage()}");
        // A refund that is refused for good, above a limit for example, needs a person.
        if ($order->status === 'REFUNDING' && in_array($error->status, [403, 409], true)) {
            $store->change($id, static function (Order $order): void {
                $order->status = $order->refund === null ? 'REFUND_FAILED' : $order->status;
            });
        }
    }
    return $store->find($id);
}

function receive(): void
{
    // The bytes as they arrived, because the signature covers exactly these.
    $body = stream_get_contents(fopen('php://input', 'rb'), MAX_BYTES + 1);
    if (strlen($body) > MAX_BYTES) {
        http_response_code(413);
        return;
    }
    // If the shop fails, the gateway sends the event again.
    http_response_code(500);
    try {
        $event = Webhook::verify($body, getallheaders(), (string) getenv('ZIMBO_WEBHOOK_SECRET'));
    } catch (WebhookVerificationFailed $refusal) {
        error_log("Refused a webhook: {$refusal->getMessage()}");
        http_response_code(400);
        return;
    }
    match (true) {
        $event->data instanceof CheckoutSession => takeSession($event->data, $event->id),
        $event->data instanceof Refund => takeRefund($event->data, $event->id),
        default => null,
    };
    http_response_code(200);
}

/** The only place where an order becomes paid: by its own session, of its own price, once. */
function takeSession(CheckoutSession $session, ?string $eventId = null): void
{
    global $store;
    $store->change((string) $session->externalId, static function (Order $order) use ($session): void {
        $isOurs = $order->session === $session->id && $order->status === 'NEW';
        $isWhole = $order->price === $session->amount && $session->currency === Currency::Cve;
        if ($isOurs && $isWhole && $session->status === CheckoutSessionStatus::Completed) {
            [$order->status, $order->payment] = ['PAID', $session->paymentIntentId];
        } elseif ($isOurs && $session->status === CheckoutSessionStatus::Expired) {
            [$order->attempt, $order->session] = [$order->attempt + 1, null];
        }
    }, $eventId);
}

/** The payment may have other refunds, so an event counts only once an answer has told the id of ours. */
function takeRefund(Refund $refund, ?string $eventId = null): void
{
    global $store;
    $store->change((string) $refund->externalId, static function (Order $order) use ($refund, $eventId): void {
        $isOurs = $order->refund === $refund->id || ($order->refund === null && $eventId === null);
        if ($isOurs && $order->status === 'REFUNDING' && $order->payment === $refund->paymentIntentId) {
            $order->refund = $refund->id;
            $order->status = match ($refund->status) {
                RefundStatus::Succeeded => 'REFUNDED',
                RefundStatus::Failed => 'REFUND_FAILED',
                default => 'REFUNDING',
            };
        }
    }, $eventId);
}
