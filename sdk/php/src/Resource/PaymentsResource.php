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
        return $this->transport->json($request, Payment::fromJson(...));
    }

    /**
     * List payments, newest first. Requires the permission `payments:read`.
     * @param int|Omitted $limit How many items a page may hold.
     * @param string|Omitted $startingAfter The id of the last item of the previous page.
     * @param string|Omitted $endingBefore The id of the first item of a page: returns the items just before it, which are newer. Not together with starting_after.
     * @param \DateTimeInterface|string|Omitted $createdGte Only those made at this instant or later.
     * @param \DateTimeInterface|string|Omitted $createdGt Only those made after this instant.
     * @param \DateTimeInterface|string|Omitted $createdLte Only those made at this instant or earlier.
     * @param \DateTimeInterface|string|Omitted $createdLt Only those made before this instant.
     * @param list<PaymentStatus|string>|Omitted $status Only those in this status, or one of several.
     * @param list<Operator|string>|Omitted $operator Only those of this operator, or one of several.
     * @param list<Currency|string>|Omitted $currency Only those in this currency, or one of several.
     * @param string|Omitted $customerId Only those of this customer of yours.
     * @param string|Omitted $externalId Only those that you gave this name.
     * @param int|Omitted $amountGte Only amounts of at least so many centavos.
     * @param int|Omitted $amountLte Only amounts of at most so many centavos.
     * @param string|Omitted $operatorPhone Only those of this phone, written as for a new payment. Needs the permission phones:read.
     * @param string|Omitted $operatorTxId Only those with this operatorTxId.
     * @param string|Omitted $checkoutSessionId Only the attempts to pay this checkout session.
     * @param array<string, mixed>|Omitted $metadata Only those whose metadata has this key with exactly this text, which may be a string, a number, true or false: `metadata[order]=42`. Up to 3 keys, and only with a range of created_gte (or created_gt) and created_lte (or created_lt) of at most 31 days.
     * @return Pages<Payment>
     * @throws ZimboException
     */
    public function list(
        int|Omitted $limit = Omitted::Value,
        string|Omitted $startingAfter = Omitted::Value,
        string|Omitted $endingBefore = Omitted::Value,
        \DateTimeInterface|string|Omitted $createdGte = Omitted::Value,
        \DateTimeInterface|string|Omitted $createdGt = Omitted::Value,
        \DateTimeInterface|string|Omitted $createdLte = Omitted::Value,
        \DateTimeInterface|string|Omitted $createdLt = Omitted::Value,
        array|Omitted $status = Omitted::Value,
        array|Omitted $operator = Omitted::Value,
        array|Omitted $currency = Omitted::Value,
        string|Omitted $customerId = Omitted::Value,
        string|Omitted $externalId = Omitted::Value,
        int|Omitted $amountGte = Omitted::Value,
        int|Omitted $amountLte = Omitted::Value,
        string|Omitted $operatorPhone = Omitted::Value,
        string|Omitted $operatorTxId = Omitted::Value,
        string|Omitted $checkoutSessionId = Omitted::Value,
        array|Omitted $metadata = Omitted::Value,
        ?float $timeoutSeconds = null,
    ): Pages {
        $request = new Request('GET', '/v1/payments', query: Write::given(['limit' => $limit, 'starting_after' => $startingAfter, 'ending_before' => $endingBefore, 'created_gte' => $createdGte, 'created_gt' => $createdGt, 'created_lte' => $createdLte, 'created_lt' => $createdLt, 'status' => $status, 'operator' => $operator, 'currency' => $currency, 'customer_id' => $customerId, 'external_id' => $externalId, 'amount_gte' => $amountGte, 'amount_lte' => $amountLte, 'operator_phone' => $operatorPhone, 'operator_tx_id' => $operatorTxId, 'checkout_session_id' => $checkoutSessionId, 'metadata' => Write::map($metadata)]), timeoutSeconds: $timeoutSeconds);
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
        return $this->transport->json($request, Payment::fromJson(...));
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
        return $this->transport->json($request, Payment::fromJson(...));
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
        return $this->transport->json($request, Payment::fromJson(...));
    }
}
