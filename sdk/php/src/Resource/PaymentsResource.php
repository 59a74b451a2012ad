<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Resource;

use Zimbo\Model\Currency;
use Zimbo\Model\Operator;
use Zimbo\Model\Payment;
use Zimbo\Model\PaymentStatus;
use Zimbo\Omitted;
use Zimbo\Pages;
use Zimbo\Request;
use Zimbo\Transport;
use Zimbo\Write;
use Zimbo\ZimboException;

final class PaymentsResource
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Create a payment. The operator is asked for the debit at once, in the background. Follow the payment by its events. The currency defaults to that of the phone’s country, and with a live key it must be that one. Requires the permission `payments:write`.
     * @param int $amount In centavos, the smallest unit of both currencies.
     * @param Operator|string $operator
     * @param string $operatorPhone The customer's phone: + and 8 to 15 digits, of which the first is not 0. It may be written as people paste it: separators, what cannot be seen and `tel:` are removed, and 00 means +.
     * @param Currency|string|null|Omitted $currency
     * @param string|null|Omitted $externalId What you call it, such as the number of your order. Need not be unique.
     * @param string|null|Omitted $customerId What you call the customer. Not interpreted, and not shown to the customer.
     * @param string|null|Omitted $description A text of your own.
     * @param string|null|Omitted $statementDescriptor What the customer should read on the operator's statement. The operator gets the first 160 characters, and may pass them on.
     * @param array<string, mixed>|null|Omitted $metadata Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0.
     * @throws ZimboException
     */
    public function create(
        int $amount,
        Operator|string $operator,
        string $operatorPhone,
        Currency|string|null|Omitted $currency = Omitted::Value,
        string|null|Omitted $externalId = Omitted::Value,
        string|null|Omitted $customerId = Omitted::Value,
        string|null|Omitted $description = Omitted::Value,
        string|null|Omitted $statementDescriptor = Omitted::Value,
        array|null|Omitted $metadata = Omitted::Value,
        ?string $idempotencyKey = null,
        ?float $timeoutSeconds = null,
    ): Payment {
        $request = new Request('POST', '/v1/payments', body: Write::given(['amount' => $amount, 'operator' => $operator, 'operatorPhone' => $operatorPhone, 'currency' => $currency, 'externalId' => $externalId, 'customerId' => $customerId, 'description' => $description, 'statementDescriptor' => $statementDescriptor, 'metadata' => Write::map($metadata)]), takesKey: true, idempotencyKey: $idempotencyKey, timeoutSeconds: $timeoutSeconds);
        return Payment::fromJson($this->transport->json($request));
    }

    /**
     * List payments, newest first. Requires the permission `payments:read`.
     * @param int|Omitted $limit How many items a page may hold.
     * @param string|Omitted $startingAfter The id of the last item of the previous page.
     * @param PaymentStatus|string|Omitted $status Only those in this status.
     * @param Operator|string|Omitted $operator Only those of this operator.
     * @param Currency|string|Omitted $currency ISO currency code
     * @param string|Omitted $customerId Only those of this customer of yours.
     * @param string|Omitted $externalId Only those that you gave this name.
     * @param \DateTimeInterface|string|Omitted $createdGte ISO 8601 date-time, both ends included
     * @param \DateTimeInterface|string|Omitted $createdLte ISO 8601 date-time, both ends included
     * @return Pages<Payment>
     * @throws ZimboException
     */
    public function list(
        int|Omitted $limit = Omitted::Value,
        string|Omitted $startingAfter = Omitted::Value,
        PaymentStatus|string|Omitted $status = Omitted::Value,
        Operator|string|Omitted $operator = Omitted::Value,
        Currency|string|Omitted $currency = Omitted::Value,
        string|Omitted $customerId = Omitted::Value,
        string|Omitted $externalId = Omitted::Value,
        \DateTimeInterface|string|Omitted $createdGte = Omitted::Value,
        \DateTimeInterface|string|Omitted $createdLte = Omitted::Value,
        ?float $timeoutSeconds = null,
    ): Pages {
        $request = new Request('GET', '/v1/payments', query: Write::given(['limit' => $limit, 'starting_after' => $startingAfter, 'status' => $status, 'operator' => $operator, 'currency' => $currency, 'customer_id' => $customerId, 'external_id' => $externalId, 'created_gte' => $createdGte, 'created_lte' => $createdLte]), timeoutSeconds: $timeoutSeconds);
        return new Pages($this->transport, $request, Payment::fromJson(...));
    }

    /**
     * Get a payment. Requires the permission `payments:read`.
     * @throws ZimboException
     */
    public function get(
        string $id,
        ?float $timeoutSeconds = null,
    ): Payment {
        $request = new Request('GET', Write::path('/v1/payments/{id}', ['id' => $id]), timeoutSeconds: $timeoutSeconds);
        return Payment::fromJson($this->transport->json($request));
    }

    /**
     * Cancel a payment. Possible until the customer has been debited. Requires the permission `payments:write`.
     * @throws ZimboException
     */
    public function cancel(
        string $id,
        ?string $idempotencyKey = null,
        ?float $timeoutSeconds = null,
    ): Payment {
        $request = new Request('POST', Write::path('/v1/payments/{id}/cancel', ['id' => $id]), takesKey: true, idempotencyKey: $idempotencyKey, timeoutSeconds: $timeoutSeconds);
        return Payment::fromJson($this->transport->json($request));
    }

    /**
     * Confirm a test payment. Does what the customer does by entering the PIN. Only with a test key. Requires the permission `payments:write`.
     * @throws ZimboException
     */
    public function confirm(
        string $id,
        ?string $idempotencyKey = null,
        ?float $timeoutSeconds = null,
    ): Payment {
        $request = new Request('POST', Write::path('/v1/payments/{id}/confirm', ['id' => $id]), takesKey: true, idempotencyKey: $idempotencyKey, timeoutSeconds: $timeoutSeconds);
        return Payment::fromJson($this->transport->json($request));
    }
}
