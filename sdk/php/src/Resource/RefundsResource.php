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
        return Refund::fromJson($this->transport->json($request));
    }

    /**
     * List refunds, newest first. Requires the permission `refunds:read`.
     * @param int|Omitted $limit How many items a page may hold.
     * @param string|Omitted $startingAfter The id of the last item of the previous page.
     * @param string|Omitted $paymentIntentId Only those of this payment.
     * @param RefundStatus|string|Omitted $status Only those in this status.
     * @return Pages<Refund>
     * @throws ZimboException
     */
    public function list(
        int|Omitted $limit = Omitted::Value,
        string|Omitted $startingAfter = Omitted::Value,
        string|Omitted $paymentIntentId = Omitted::Value,
        RefundStatus|string|Omitted $status = Omitted::Value,
        ?float $timeoutSeconds = null,
    ): Pages {
        $request = new Request('GET', '/v1/refunds', query: Write::given(['limit' => $limit, 'starting_after' => $startingAfter, 'payment_intent_id' => $paymentIntentId, 'status' => $status]), timeoutSeconds: $timeoutSeconds);
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
        return Refund::fromJson($this->transport->json($request));
    }
}
