<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Resource;

use Zimbo\Event;
use Zimbo\Model\EventTypeFilter;
use Zimbo\Omitted;
use Zimbo\Pages;
use Zimbo\Request;
use Zimbo\Transport;
use Zimbo\Write;
use Zimbo\ZimboException;

final class EventsResource
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * List events, newest first. Each event looks as it does in a webhook. Events that no endpoint was subscribed to are included. Phones are masked for a key without phones:read. Requires the permission `events:read`.
     * @param int|Omitted $limit How many items a page may hold.
     * @param string|Omitted $startingAfter The id of the last item of the previous page.
     * @param string|Omitted $endingBefore The id of the first item of a page: returns the items just before it, which are newer. Not together with starting_after.
     * @param \DateTimeInterface|string|Omitted $createdGte Only those made at this instant or later.
     * @param \DateTimeInterface|string|Omitted $createdGt Only those made after this instant.
     * @param \DateTimeInterface|string|Omitted $createdLte Only those made at this instant or earlier.
     * @param \DateTimeInterface|string|Omitted $createdLt Only those made before this instant.
     * @param list<EventTypeFilter|string>|Omitted $type Only events of this type, or one of several.
     * @param string|Omitted $objectId Only those about this payment, refund, checkout session, settlement, webhook endpoint, disbursement or batch of disbursements. At most 5,000 events are looked through.
     * @return Pages<Event>
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
        array|Omitted $type = Omitted::Value,
        string|Omitted $objectId = Omitted::Value,
        ?float $timeoutSeconds = null,
    ): Pages {
        $request = new Request('GET', '/v1/events', query: Write::given(['limit' => $limit, 'starting_after' => $startingAfter, 'ending_before' => $endingBefore, 'created_gte' => $createdGte, 'created_gt' => $createdGt, 'created_lte' => $createdLte, 'created_lt' => $createdLt, 'type' => $type, 'object_id' => $objectId]), timeoutSeconds: $timeoutSeconds);
        return new Pages($this->transport, $request, Event::fromJson(...));
    }

    /**
     * Get an event. The same bytes as in a webhook. The phone is masked for a key without phones:read. Requires the permission `events:read`.
     * @throws ZimboException
     */
    public function get(
        string $id,
        ?float $timeoutSeconds = null,
    ): Event {
        $request = new Request('GET', Write::path('/v1/events/{id}', ['id' => $id]), timeoutSeconds: $timeoutSeconds);
        return $this->transport->json($request, Event::fromJson(...));
    }
}
