<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Resource;

use Zimbo\Model\CheckoutSession;
use Zimbo\Model\CheckoutSessionStatus;
use Zimbo\Model\Currency;
use Zimbo\Model\NewCheckoutSessionItem;
use Zimbo\Omitted;
use Zimbo\Pages;
use Zimbo\Request;
use Zimbo\Transport;
use Zimbo\Write;
use Zimbo\ZimboException;

final class CheckoutSessionsResource
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Create a checkout session. Send the customer to the url of the session. Give exactly one of items and amount. Requires the permission `checkout:write`.
     * @param list<NewCheckoutSessionItem>|null|Omitted $items What is paid for. Give items or amount, not both.
     * @param int|null|Omitted $amount A fixed amount, in centavos. Give amount or items, not both.
     * @param Currency|string|null|Omitted $currency
     * @param string|null|Omitted $externalId What you call the order. Need not be unique. It is copied to the payments of the session.
     * @param string|null|Omitted $customerId What you call the customer. Not interpreted, and not shown to the customer.
     * @param string|null|Omitted $description What is paid for. It is copied to the payments of the session.
     * @param string|null|Omitted $returnUrl Where "back to the shop" leads: an absolute URL, which may open an app. It must not contain a user name or use the schemes javascript, data, vbscript, file or blob.
     * @param string|null|Omitted $completionUrl Where the customer goes after paying. Arriving there does not prove payment.
     * @param int|null|Omitted $expiresInMinutes 1440 by default.
     * @param array<string, mixed>|null|Omitted $metadata Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0.
     * @throws ZimboException
     */
    public function create(
        array|null|Omitted $items = Omitted::Value,
        int|null|Omitted $amount = Omitted::Value,
        Currency|string|null|Omitted $currency = Omitted::Value,
        string|null|Omitted $externalId = Omitted::Value,
        string|null|Omitted $customerId = Omitted::Value,
        string|null|Omitted $description = Omitted::Value,
        string|null|Omitted $returnUrl = Omitted::Value,
        string|null|Omitted $completionUrl = Omitted::Value,
        int|null|Omitted $expiresInMinutes = Omitted::Value,
        array|null|Omitted $metadata = Omitted::Value,
        ?string $idempotencyKey = null,
        ?float $timeoutSeconds = null,
    ): CheckoutSession {
        $request = new Request('POST', '/v1/checkout/sessions', body: Write::given(['items' => $items, 'amount' => $amount, 'currency' => $currency, 'externalId' => $externalId, 'customerId' => $customerId, 'description' => $description, 'returnUrl' => $returnUrl, 'completionUrl' => $completionUrl, 'expiresInMinutes' => $expiresInMinutes, 'metadata' => Write::map($metadata)]), takesKey: true, idempotencyKey: $idempotencyKey, timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, CheckoutSession::fromJson(...));
    }

    /**
     * List checkout sessions, newest first. Requires the permission `checkout:read`.
     * @param int|Omitted $limit How many items a page may hold.
     * @param string|Omitted $startingAfter The id of the last item of the previous page.
     * @param string|Omitted $endingBefore The id of the first item of a page: returns the items just before it, which are newer. Not together with starting_after.
     * @param \DateTimeInterface|string|Omitted $createdGte Only those made at this instant or later.
     * @param \DateTimeInterface|string|Omitted $createdGt Only those made after this instant.
     * @param \DateTimeInterface|string|Omitted $createdLte Only those made at this instant or earlier.
     * @param \DateTimeInterface|string|Omitted $createdLt Only those made before this instant.
     * @param list<CheckoutSessionStatus|string>|Omitted $status Only those in this status, or one of several.
     * @param string|Omitted $customerId Only those of this customer of yours.
     * @param string|Omitted $externalId Only those that you gave this name.
     * @param string|Omitted $paymentIntentId The session that this payment tries to pay.
     * @param array<string, mixed>|Omitted $metadata Only those whose metadata has this key with exactly this text, which may be a string, a number, true or false: `metadata[order]=42`. Up to 3 keys, and only with a range of created_gte (or created_gt) and created_lte (or created_lt) of at most 31 days.
     * @return Pages<CheckoutSession>
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
        string|Omitted $customerId = Omitted::Value,
        string|Omitted $externalId = Omitted::Value,
        string|Omitted $paymentIntentId = Omitted::Value,
        array|Omitted $metadata = Omitted::Value,
        ?float $timeoutSeconds = null,
    ): Pages {
        $request = new Request('GET', '/v1/checkout/sessions', query: Write::given(['limit' => $limit, 'starting_after' => $startingAfter, 'ending_before' => $endingBefore, 'created_gte' => $createdGte, 'created_gt' => $createdGt, 'created_lte' => $createdLte, 'created_lt' => $createdLt, 'status' => $status, 'customer_id' => $customerId, 'external_id' => $externalId, 'payment_intent_id' => $paymentIntentId, 'metadata' => Write::map($metadata)]), timeoutSeconds: $timeoutSeconds);
        return new Pages($this->transport, $request, CheckoutSession::fromJson(...));
    }

    /**
     * Get a checkout session. Requires the permission `checkout:read`.
     * @throws ZimboException
     */
    public function get(
        string $id,
        ?float $timeoutSeconds = null,
    ): CheckoutSession {
        $request = new Request('GET', Write::path('/v1/checkout/sessions/{id}', ['id' => $id]), timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, CheckoutSession::fromJson(...));
    }

    /**
     * Expire a checkout session. Ends the session early. Not possible while the customer is paying. Requires the permission `checkout:write`.
     * @throws ZimboException
     */
    public function expire(
        string $id,
        ?string $idempotencyKey = null,
        ?float $timeoutSeconds = null,
    ): CheckoutSession {
        $request = new Request('POST', Write::path('/v1/checkout/sessions/{id}/expire', ['id' => $id]), takesKey: true, idempotencyKey: $idempotencyKey, timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, CheckoutSession::fromJson(...));
    }
}
