<?php

declare(strict_types=1);

/* A shop in PHP with the generated client: pays, refunds, and takes a webhook. */

use OpenAPI\Client\Api\CheckoutApi;
use OpenAPI\Client\Api\EventsApi;
use OpenAPI\Client\Api\PaymentsApi;
use OpenAPI\Client\Api\RefundsApi;
use OpenAPI\Client\ApiException;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\CreateCheckoutSessionBody;
use OpenAPI\Client\Model\CreatePaymentBody;
use OpenAPI\Client\Model\CreateRefundBody;
use OpenAPI\Client\Model\Error;
use OpenAPI\Client\Model\ErrorCode;
use OpenAPI\Client\Model\FailureCode;
use OpenAPI\Client\Model\NewCheckoutSessionItem;
use OpenAPI\Client\Model\Operator;
use OpenAPI\Client\Model\PaymentCreatedEvent;
use OpenAPI\Client\Model\PaymentFailedEvent;
use OpenAPI\Client\Model\PaymentStatus;
use OpenAPI\Client\ObjectSerializer;

// From Debian's php-guzzlehttp-guzzle.
require 'GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class): void {
    $file = getenv('SHOP_CLIENT') . '/lib/' . strtr(substr($class, strlen('OpenAPI\\Client\\')), '\\', '/') . '.php';
    if (str_starts_with($class, 'OpenAPI\\Client\\') && is_file($file)) {
        require $file;
    }
});

function check(bool $isTrue, mixed $value): void
{
    if (!$isTrue) {
        throw new RuntimeException(print_r($value, true));
    }
}

$configuration = (new Configuration())->setHost(getenv('SHOP_URL'))->setAccessToken(getenv('SHOP_KEY'));
$http = new GuzzleHttp\Client();
$payments = new PaymentsApi($http, $configuration);
$body = new CreatePaymentBody([
    'amount' => 10_000,
    'operator' => Operator::MOCK,
    'operator_phone' => '+238 991 23 49',
    'metadata' => ['order' => 21],
]);
$payment = $payments->createPayment($body, 'order 21');
check($payment->getStatus() === PaymentStatus::CREATED && $payment->getMetadata() == ['order' => 21], $payment);
[$again, , $headers] = $payments->createPaymentWithHttpInfo($body, 'order 21');
check($again->getId() === $payment->getId() && isset($headers['idempotent-replayed']), $headers);
while ($payment->getStatus() !== PaymentStatus::DEBITED) {
    check($payment->getFailureCode() === null, $payment);
    usleep(100_000);
    $payment = $payments->getPayment($payment->getId());
}
$listed = $payments->listPayments(
    created_gte: date('c', time() - 86400),
    status: [PaymentStatus::DEBITED, PaymentStatus::CREATED],
    operator: [Operator::MOCK],
);
check($listed->getData()[0]->getId() === $payment->getId(), $listed);
$refunds = new RefundsApi($http, $configuration);
$refund = $refunds->createRefund(new CreateRefundBody(['payment_intent_id' => $payment->getId(), 'amount' => 4_000]));
check($refund->getAmount() === '4000' && $refund->getPaymentIntentId() === $payment->getId(), $refund);
$item = new NewCheckoutSessionItem(['name' => 'Cachupa', 'quantity' => 2, 'unit_price' => 50_000]);
$sessions = new CheckoutApi($http, $configuration);
$session = $sessions->createCheckoutSession(new CreateCheckoutSessionBody(['items' => [$item]]));
check($session->getAmount() === '100000' && $session->getCustomerId() === null, $session);
try {
    $payments->getPayment('pi_nobodys');
    check(false, 'it was found');
} catch (ApiException $refusal) {
    $error = ObjectSerializer::deserialize((string) $refusal->getResponseBody(), Error::class);
    check($error->getError()->getCode() === ErrorCode::NOT_FOUND, $error);
}
// The generated listEvents knows no unions: each event is parsed as the class of its type.
$listing = (new EventsApi($http, $configuration))->listEventsRequest();
$events = json_decode((string) $http->send($listing)->getBody())->data;
$created = array_values(array_filter($events, fn($event) => $event->type === 'payment.created'))[0];
$created = ObjectSerializer::deserialize($created, PaymentCreatedEvent::class);
check($created->getData()->getOperator() === Operator::MOCK, $created);

$text = getenv('SHOP_WEBHOOK_BODY');
$expected = hash_hmac('sha256', getenv('SHOP_WEBHOOK_TIMESTAMP') . '.' . $text, getenv('SHOP_WEBHOOK_SECRET'));
check(hash_equals($expected, getenv('SHOP_WEBHOOK_SIGNATURE')), 'the signature');
$event = ObjectSerializer::deserialize(json_decode($text), PaymentFailedEvent::class);
check($event->getData()->getFailureCode() === FailureCode::INSUFFICIENT_FUNDS, $event);
echo "php: created, got, listed, refunded and verified\n";
