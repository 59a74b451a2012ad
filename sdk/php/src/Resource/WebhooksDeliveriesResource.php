<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Resource;

use Zimbo\Model\WebhookDelivery;
use Zimbo\Model\WebhookDeliveryStatus;
use Zimbo\Omitted;
use Zimbo\Pages;
use Zimbo\Request;
use Zimbo\Transport;
use Zimbo\Write;
use Zimbo\ZimboException;

final class WebhooksDeliveriesResource
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * List the deliveries of a webhook endpoint, newest event first. Requires the permission `webhooks:read`.
     * @param int|Omitted $limit How many items a page may hold.
     * @param string|Omitted $startingAfter The id of the last item of the previous page.
     * @param string|Omitted $endingBefore The id of the first item of a page: returns the items just before it, which are newer. Not together with starting_after.
     * @param \DateTimeInterface|string|Omitted $createdGte Only those made at this instant or later.
     * @param \DateTimeInterface|string|Omitted $createdGt Only those made after this instant.
     * @param \DateTimeInterface|string|Omitted $createdLte Only those made at this instant or earlier.
     * @param \DateTimeInterface|string|Omitted $createdLt Only those made before this instant.
     * @param list<WebhookDeliveryStatus|string>|Omitted $status Only those in this status, or one of several.
     * @return Pages<WebhookDelivery>
     * @throws ZimboException
     */
    public function list(
        string $id,
        int|Omitted $limit = Omitted::Value,
        string|Omitted $startingAfter = Omitted::Value,
        string|Omitted $endingBefore = Omitted::Value,
        \DateTimeInterface|string|Omitted $createdGte = Omitted::Value,
        \DateTimeInterface|string|Omitted $createdGt = Omitted::Value,
        \DateTimeInterface|string|Omitted $createdLte = Omitted::Value,
        \DateTimeInterface|string|Omitted $createdLt = Omitted::Value,
        array|Omitted $status = Omitted::Value,
        ?float $timeoutSeconds = null,
    ): Pages {
        $request = new Request('GET', Write::path('/v1/webhooks/{id}/deliveries', ['id' => $id]), query: Write::given(['limit' => $limit, 'starting_after' => $startingAfter, 'ending_before' => $endingBefore, 'created_gte' => $createdGte, 'created_gt' => $createdGt, 'created_lte' => $createdLte, 'created_lt' => $createdLt, 'status' => $status]), timeoutSeconds: $timeoutSeconds);
        return new Pages($this->transport, $request, WebhookDelivery::fromJson(...));
    }

    /**
     * Get a delivery. Requires the permission `webhooks:read`.
     * @throws ZimboException
     */
    public function get(
        string $id,
        string $deliveryId,
        ?float $timeoutSeconds = null,
    ): WebhookDelivery {
        $request = new Request('GET', Write::path('/v1/webhooks/{id}/deliveries/{deliveryId}', ['id' => $id, 'deliveryId' => $deliveryId]), timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, WebhookDelivery::fromJson(...));
    }

    /**
     * Deliver an event again. Sends the same event with the same body, in a new series of attempts. Requires the permission `webhooks:write`.
     * @throws ZimboException
     */
    public function redeliver(
        string $id,
        string $deliveryId,
        ?string $idempotencyKey = null,
        ?float $timeoutSeconds = null,
    ): WebhookDelivery {
        $request = new Request('POST', Write::path('/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver', ['id' => $id, 'deliveryId' => $deliveryId]), takesKey: true, idempotencyKey: $idempotencyKey, timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, WebhookDelivery::fromJson(...));
    }
}
