<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Resource;

use Zimbo\Model\Refund;
use Zimbo\Model\RefundStatus;
use Zimbo\Omitted;
use Zimbo\Pages;
use Zimbo\Request;
use Zimbo\Transport;
use Zimbo\Write;
use Zimbo\ZimboException;

final class RefundsResource
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Refund a payment in full or in part. The operator is asked for the refund in the background. Follow the refund by its events. The fee is not returned. Requires the permission `refunds:write`.
     * @param string $paymentIntentId The payment.
     * @param int|null|Omitted $amount In centavos. By default, everything that is left of the payment.
     * @param string|null|Omitted $reason The reason, in your own words.
     * @param array<string, mixed>|null|Omitted $metadata Your own key-value pairs: up to 50 keys, any JSON values, 64 KiB and 32 levels. The key "__proto__" is not allowed, nor are numbers that a double cannot represent exactly, such as 9007199254740993. -0 comes back as 0.
     * @throws ZimboException
     */
    public function create(
        string $paymentIntentId,
        int|null|Omitted $amount = Omitted::Value,
        string|null|Omitted $reason = Omitted::Value,
        array|null|Omitted $metadata = Omitted::Value,
        ?string $idempotencyKey = null,
        ?float $timeoutSeconds = null,
    ): Refund {
        $request = new Request('POST', '/v1/refunds', body: Write::given(['paymentIntentId' => $paymentIntentId, 'amount' => $amount, 'reason' => $reason, 'metadata' => Write::map($metadata)]), takesKey: true, idempotencyKey: $idempotencyKey, timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, Refund::fromJson(...));
    }

    /**
     * List refunds, newest first. Requires the permission `refunds:read`.
     * @param int|Omitted $limit How many items a page may hold.
     * @param string|Omitted $startingAfter The id of the last item of the previous page.
     * @param string|Omitted $endingBefore The id of the first item of a page: returns the items just before it, which are newer. Not together with starting_after.
     * @param \DateTimeInterface|string|Omitted $createdGte Only those made at this instant or later.
     * @param \DateTimeInterface|string|Omitted $createdGt Only those made after this instant.
     * @param \DateTimeInterface|string|Omitted $createdLte Only those made at this instant or earlier.
     * @param \DateTimeInterface|string|Omitted $createdLt Only those made before this instant.
     * @param string|Omitted $paymentIntentId Only those of this payment.
     * @param list<RefundStatus|string>|Omitted $status Only those in this status, or one of several.
     * @param array<string, mixed>|Omitted $metadata Only those whose metadata has this key with exactly this text, which may be a string, a number, true or false: `metadata[order]=42`. Up to 3 keys, and only with a range of created_gte (or created_gt) and created_lte (or created_lt) of at most 31 days.
     * @return Pages<Refund>
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
        string|Omitted $paymentIntentId = Omitted::Value,
        array|Omitted $status = Omitted::Value,
        array|Omitted $metadata = Omitted::Value,
        ?float $timeoutSeconds = null,
    ): Pages {
        $request = new Request('GET', '/v1/refunds', query: Write::given(['limit' => $limit, 'starting_after' => $startingAfter, 'ending_before' => $endingBefore, 'created_gte' => $createdGte, 'created_gt' => $createdGt, 'created_lte' => $createdLte, 'created_lt' => $createdLt, 'payment_intent_id' => $paymentIntentId, 'status' => $status, 'metadata' => Write::map($metadata)]), timeoutSeconds: $timeoutSeconds);
        return new Pages($this->transport, $request, Refund::fromJson(...));
    }

    /**
     * Get a refund. Requires the permission `refunds:read`.
     * @throws ZimboException
     */
    public function get(
        string $id,
        ?float $timeoutSeconds = null,
    ): Refund {
        $request = new Request('GET', Write::path('/v1/refunds/{id}', ['id' => $id]), timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, Refund::fromJson(...));
    }
}
