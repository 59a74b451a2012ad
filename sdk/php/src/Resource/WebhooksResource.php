<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Resource;

use Zimbo\Model\CreateWebhookEndpointAnswer;
use Zimbo\Model\RedeliverWebhookEventsAnswer;
use Zimbo\Model\RotateWebhookSecretAnswer;
use Zimbo\Model\SubscribedEventType;
use Zimbo\Model\WebhookDelivery;
use Zimbo\Model\WebhookDeliveryStatus;
use Zimbo\Model\WebhookEndpoint;
use Zimbo\Model\WebhookEndpointStatus;
use Zimbo\Omitted;
use Zimbo\Pages;
use Zimbo\Request;
use Zimbo\Transport;
use Zimbo\Write;
use Zimbo\ZimboException;

final class WebhooksResource
{
    public readonly WebhooksDeliveriesResource $deliveries;

    public function __construct(private readonly Transport $transport)
    {
        $this->deliveries = new WebhooksDeliveriesResource($transport);
    }

    /**
     * Create a webhook endpoint. Only this answer shows the secret. A repetition under the same Idempotency-Key shows it again until the secret is rotated; after that, it shows the endpoint as it is now, without `secret`. After the endpoint is deleted, a repetition gets 404. Requires the permission `webhooks:write`.
     * @param string $url http or https; with a live key, https only. It must not contain a user name.
     * @param list<SubscribedEventType|string> $events The event types to send to it. Duplicates are removed.
     * @param string|null|Omitted $description A text of your own.
     * @throws ZimboException
     */
    public function create(
        string $url,
        array $events,
        string|null|Omitted $description = Omitted::Value,
        ?string $idempotencyKey = null,
        ?float $timeoutSeconds = null,
    ): CreateWebhookEndpointAnswer {
        $request = new Request('POST', '/v1/webhooks', body: Write::given(['url' => $url, 'events' => $events, 'description' => $description]), takesKey: true, idempotencyKey: $idempotencyKey, timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, CreateWebhookEndpointAnswer::fromJson(...));
    }

    /**
     * List webhook endpoints, newest first. Requires the permission `webhooks:read`.
     * @param int|Omitted $limit How many items a page may hold.
     * @param string|Omitted $startingAfter The id of the last item of the previous page.
     * @param string|Omitted $endingBefore The id of the first item of a page: returns the items just before it, which are newer. Not together with starting_after.
     * @param \DateTimeInterface|string|Omitted $createdGte Only those made at this instant or later.
     * @param \DateTimeInterface|string|Omitted $createdGt Only those made after this instant.
     * @param \DateTimeInterface|string|Omitted $createdLte Only those made at this instant or earlier.
     * @param \DateTimeInterface|string|Omitted $createdLt Only those made before this instant.
     * @return Pages<WebhookEndpoint>
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
        ?float $timeoutSeconds = null,
    ): Pages {
        $request = new Request('GET', '/v1/webhooks', query: Write::given(['limit' => $limit, 'starting_after' => $startingAfter, 'ending_before' => $endingBefore, 'created_gte' => $createdGte, 'created_gt' => $createdGt, 'created_lte' => $createdLte, 'created_lt' => $createdLt]), timeoutSeconds: $timeoutSeconds);
        return new Pages($this->transport, $request, WebhookEndpoint::fromJson(...));
    }

    /**
     * Get a webhook endpoint. Requires the permission `webhooks:read`.
     * @throws ZimboException
     */
    public function get(
        string $id,
        ?float $timeoutSeconds = null,
    ): WebhookEndpoint {
        $request = new Request('GET', Write::path('/v1/webhooks/{id}', ['id' => $id]), timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, WebhookEndpoint::fromJson(...));
    }

    /**
     * Change a webhook endpoint. Fields that you omit stay as they are; null clears the description. Enabling an endpoint sends the deliveries that were waiting for it. Requires the permission `webhooks:write`.
     * @param string|Omitted $url http or https; with a live key, https only. It must not contain a user name.
     * @param list<SubscribedEventType|string>|Omitted $events The event types to send to it. Duplicates are removed.
     * @param WebhookEndpointStatus|string|Omitted $status
     * @param string|null|Omitted $description A text of your own.
     * @throws ZimboException
     */
    public function update(
        string $id,
        string|Omitted $url = Omitted::Value,
        array|Omitted $events = Omitted::Value,
        WebhookEndpointStatus|string|Omitted $status = Omitted::Value,
        string|null|Omitted $description = Omitted::Value,
        ?float $timeoutSeconds = null,
    ): WebhookEndpoint {
        $request = new Request('PATCH', Write::path('/v1/webhooks/{id}', ['id' => $id]), body: Write::given(['url' => $url, 'events' => $events, 'status' => $status, 'description' => $description]), timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, WebhookEndpoint::fromJson(...));
    }

    /**
     * Delete a webhook endpoint. Its pending deliveries are dropped. Requires the permission `webhooks:write`.
     * @throws ZimboException
     */
    public function delete(
        string $id,
        ?float $timeoutSeconds = null,
    ): void {
        $request = new Request('DELETE', Write::path('/v1/webhooks/{id}', ['id' => $id]), timeoutSeconds: $timeoutSeconds);
        $this->transport->text($request);
    }

    /**
     * Rotate the secret of a webhook endpoint. Until the overlap ends, X-Service-Signature is made with the old secret and X-Service-Signature-Next with the new one. Until then, another rotation is refused unless it is to end the overlap. A repetition under the same Idempotency-Key shows the secret again until the next rotation. Requires the permission `webhooks:write`.
     * @param int|null|Omitted $overlapHours For how many hours deliveries are also signed with the old secret. By default, 24.
     * @param bool|null|Omitted $endOverlap Whether to rotate although an earlier overlap is under way, which ends then: the secret of before it stops signing. By default, false.
     * @throws ZimboException
     */
    public function rotateSecret(
        string $id,
        int|null|Omitted $overlapHours = Omitted::Value,
        bool|null|Omitted $endOverlap = Omitted::Value,
        ?string $idempotencyKey = null,
        ?float $timeoutSeconds = null,
    ): RotateWebhookSecretAnswer {
        $request = new Request('POST', Write::path('/v1/webhooks/{id}/rotate-secret', ['id' => $id]), body: Write::given(['overlapHours' => $overlapHours, 'endOverlap' => $endOverlap]), takesKey: true, idempotencyKey: $idempotencyKey, timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, RotateWebhookSecretAnswer::fromJson(...));
    }

    /**
     * Deliver the events of a period again. For use after an outage. Without a status, sends every event of the range that the endpoint is subscribed to, including those it missed while it was disabled. Requires the permission `webhooks:write`.
     * @param \DateTimeInterface|string $since The start of the range.
     * @param \DateTimeInterface|string|null|Omitted $until The end of the range. By default, now.
     * @param WebhookDeliveryStatus|string|null|Omitted $status
     * @throws ZimboException
     */
    public function redeliver(
        string $id,
        \DateTimeInterface|string $since,
        \DateTimeInterface|string|null|Omitted $until = Omitted::Value,
        WebhookDeliveryStatus|string|null|Omitted $status = Omitted::Value,
        ?string $idempotencyKey = null,
        ?float $timeoutSeconds = null,
    ): RedeliverWebhookEventsAnswer {
        $request = new Request('POST', Write::path('/v1/webhooks/{id}/redeliver', ['id' => $id]), body: Write::given(['since' => $since, 'until' => $until, 'status' => $status]), takesKey: true, idempotencyKey: $idempotencyKey, timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, RedeliverWebhookEventsAnswer::fromJson(...));
    }

    /**
     * Send a test event. Sends an event of the type webhook.test, whose data is the endpoint. Returns the delivery. Requires the permission `webhooks:write`.
     * @throws ZimboException
     */
    public function sendTest(
        string $id,
        ?string $idempotencyKey = null,
        ?float $timeoutSeconds = null,
    ): WebhookDelivery {
        $request = new Request('POST', Write::path('/v1/webhooks/{id}/test', ['id' => $id]), takesKey: true, idempotencyKey: $idempotencyKey, timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, WebhookDelivery::fromJson(...));
    }
}
