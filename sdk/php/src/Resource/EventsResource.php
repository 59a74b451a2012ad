<?php

// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.

declare(strict_types=1);

namespace Zimbo\Resource;

use Zimbo\Event;
use Zimbo\Model\EventType;
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
     * @param EventType|string|Omitted $type Only events of this type.
     * @return Pages<Event>
     * @throws ZimboException
     */
    public function list(
        int|Omitted $limit = Omitted::Value,
        string|Omitted $startingAfter = Omitted::Value,
        EventType|string|Omitted $type = Omitted::Value,
        ?float $timeoutSeconds = null,
    ): Pages {
        $request = new Request('GET', '/v1/events', query: Write::given(['limit' => $limit, 'starting_after' => $startingAfter, 'type' => $type]), timeoutSeconds: $timeoutSeconds);
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
        return Event::fromJson($this->transport->json($request));
    }
}
