<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Resource;

use Zimbo\Model\Currency;
use Zimbo\Model\PaymentLink;
use Zimbo\Omitted;
use Zimbo\Pages;
use Zimbo\Request;
use Zimbo\Transport;
use Zimbo\Write;
use Zimbo\ZimboException;

final class PaymentLinksResource
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Create a payment link. A link that can be paid again and again. Each use makes a checkout session, whose metadata names the link in paymentLinkId. Requires the permission `checkout:write`.
     * @param string $description What is paid for. The customer reads it, and the payments carry it.
     * @param string|null|Omitted $productId An active product of yours, at its price when the link is used.
     * @param int|null|Omitted $amount A fixed amount, in centavos.
     * @param int|null|Omitted $minAmount The least that a customer may choose, in centavos.
     * @param int|null|Omitted $maxAmount The most that a customer may choose, in centavos.
     * @param Currency|string|null|Omitted $currency
     * @param string|null|Omitted $returnUrl Where "back to the shop" leads, on the pages of its sessions.
     * @param string|null|Omitted $completionUrl Where the customer goes after paying. Arriving there does not prove payment.
     * @param array<string, mixed>|null|Omitted $metadata Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0.
     * @param int|null|Omitted $maxUses How many sessions it may make. Null: any number.
     * @param \DateTimeInterface|string|null|Omitted $expiresAt When it ends. Null: it does not.
     * @throws ZimboException
     */
    public function create(
        string $description,
        string|null|Omitted $productId = Omitted::Value,
        int|null|Omitted $amount = Omitted::Value,
        int|null|Omitted $minAmount = Omitted::Value,
        int|null|Omitted $maxAmount = Omitted::Value,
        Currency|string|null|Omitted $currency = Omitted::Value,
        string|null|Omitted $returnUrl = Omitted::Value,
        string|null|Omitted $completionUrl = Omitted::Value,
        array|null|Omitted $metadata = Omitted::Value,
        int|null|Omitted $maxUses = Omitted::Value,
        \DateTimeInterface|string|null|Omitted $expiresAt = Omitted::Value,
        ?string $idempotencyKey = null,
        ?float $timeoutSeconds = null,
    ): PaymentLink {
        $request = new Request('POST', '/v1/payment-links', body: Write::given(['description' => $description, 'productId' => $productId, 'amount' => $amount, 'minAmount' => $minAmount, 'maxAmount' => $maxAmount, 'currency' => $currency, 'returnUrl' => $returnUrl, 'completionUrl' => $completionUrl, 'metadata' => Write::map($metadata), 'maxUses' => $maxUses, 'expiresAt' => $expiresAt]), takesKey: true, idempotencyKey: $idempotencyKey, timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, PaymentLink::fromJson(...));
    }

    /**
     * List payment links, newest first. Requires the permission `checkout:read`.
     * @param int|Omitted $limit How many items a page may hold.
     * @param string|Omitted $startingAfter The id of the last item of the previous page.
     * @param string|Omitted $endingBefore The id of the first item of a page: returns the items just before it, which are newer. Not together with starting_after.
     * @param \DateTimeInterface|string|Omitted $createdGte Only those made at this instant or later.
     * @param \DateTimeInterface|string|Omitted $createdGt Only those made after this instant.
     * @param \DateTimeInterface|string|Omitted $createdLte Only those made at this instant or earlier.
     * @param \DateTimeInterface|string|Omitted $createdLt Only those made before this instant.
     * @param bool|Omitted $active Only those that are active, or only those that are not.
     * @param array<string, mixed>|Omitted $metadata Only those whose metadata has this key with exactly this text, which may be a string, a number, true or false: `metadata[order]=42`. Up to 3 keys, and only with a range of created_gte (or created_gt) and created_lte (or created_lt) of at most 31 days.
     * @return Pages<PaymentLink>
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
        bool|Omitted $active = Omitted::Value,
        array|Omitted $metadata = Omitted::Value,
        ?float $timeoutSeconds = null,
    ): Pages {
        $request = new Request('GET', '/v1/payment-links', query: Write::given(['limit' => $limit, 'starting_after' => $startingAfter, 'ending_before' => $endingBefore, 'created_gte' => $createdGte, 'created_gt' => $createdGt, 'created_lte' => $createdLte, 'created_lt' => $createdLt, 'active' => $active, 'metadata' => Write::map($metadata)]), timeoutSeconds: $timeoutSeconds);
        return new Pages($this->transport, $request, PaymentLink::fromJson(...));
    }

    /**
     * Get a payment link. Requires the permission `checkout:read`.
     * @throws ZimboException
     */
    public function get(
        string $id,
        ?float $timeoutSeconds = null,
    ): PaymentLink {
        $request = new Request('GET', Write::path('/v1/payment-links/{id}', ['id' => $id]), timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, PaymentLink::fromJson(...));
    }

    /**
     * Change a payment link. Fields that you omit stay as they are; null clears maxUses and expiresAt. Sessions that it has made do not change. Requires the permission `checkout:write`.
     * @param string|Omitted $description What is paid for. The customer reads it, and the payments carry it.
     * @param bool|Omitted $active Whether it can be used: false pauses it.
     * @param int|null|Omitted $maxUses How many sessions it may make. Null: any number.
     * @param \DateTimeInterface|string|null|Omitted $expiresAt When it ends. Null: it does not.
     * @throws ZimboException
     */
    public function update(
        string $id,
        string|Omitted $description = Omitted::Value,
        bool|Omitted $active = Omitted::Value,
        int|null|Omitted $maxUses = Omitted::Value,
        \DateTimeInterface|string|null|Omitted $expiresAt = Omitted::Value,
        ?float $timeoutSeconds = null,
    ): PaymentLink {
        $request = new Request('PATCH', Write::path('/v1/payment-links/{id}', ['id' => $id]), body: Write::given(['description' => $description, 'active' => $active, 'maxUses' => $maxUses, 'expiresAt' => $expiresAt]), timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, PaymentLink::fromJson(...));
    }
}
