import type { Queryable } from '../../platform/postgres/database.ts';
import { listOf, prepare } from '../../platform/postgres/statement.ts';
import { firstUuidAt } from '../../platform/values/ids.ts';
import type { NewEvent } from './event.ts';

/** An event without its content. */
export interface EventHead {
  id: string;
  type: NewEvent['type'];
  objectId: string;
  createdAtMs: number;
}

const mostEvents = 500;

// The windows are read one by one along the key, whatever the plan does with the rest.
const ofObjectsStatement = prepare({
  name: 'events.of_objects',
  given: {
    tenantId: 'uuid',
    objectIds: listOf('uuid'),
    from: listOf('uuid'),
    until: listOf('uuid'),
  },
  text: ({ tenantId, objectIds, from, until }) => `
SELECT event.id, event.type, event.object_id AS "objectId", event.created_at AS "createdAtMs"
FROM unnest(${from}, ${until}) AS given_window (from_id, until_id)
CROSS JOIN LATERAL (
  SELECT e.id, e.type, e.object_id, e.created_at FROM events e
  WHERE e.tenant_id = ${tenantId} AND e.id >= from_id AND e.id < until_id
    AND e.object_id = ANY (${objectIds})
  OFFSET 0
) AS event
ORDER BY event.id LIMIT ${mostEvents}`,
});

/**
 * The events of some objects, oldest first. Events have no index by their object, and need none: an event's id
 * contains the instant of its change, to the millisecond, which the changed row stores too.
 * @param instantsMs when the objects may have changed: only events of these milliseconds are read
 */
export function eventsOfObjects(
  database: Queryable,
  tenantId: string,
  objectIds: readonly string[],
  instantsMs: readonly number[],
): Promise<EventHead[]> {
  const distinct = [...new Set(instantsMs)];
  return ofObjectsStatement.run<EventHead>(database, {
    tenantId,
    objectIds,
    from: distinct.map((ms) => firstUuidAt(ms)),
    until: distinct.map((ms) => firstUuidAt(ms + 1)),
  });
}

/** How many events are read for one whose instant is unknown. */
const mostLookedThrough = 5_000;

const sinceStatement = prepare({
  name: 'events.of_object_since',
  given: { tenantId: 'uuid', type: 'text', objectId: 'uuid', from: 'uuid' },
  text: (given) => `
SELECT id, type, object_id AS "objectId", created_at AS "createdAtMs"
FROM (
  SELECT id, type, object_id, created_at FROM events
  WHERE tenant_id = ${given.tenantId} AND type = ${given.type} AND id >= ${given.from}
  ORDER BY id LIMIT ${mostLookedThrough}
) AS looked_through
WHERE object_id = ${given.objectId}
ORDER BY id LIMIT 1`,
});

/**
 * The first event of a type about an object from an instant on, if it is among the first few thousand of that type;
 * otherwise undefined.
 */
export async function findEventSince(
  database: Queryable,
  {
    sinceMs,
    ...about
  }: { tenantId: string; type: NewEvent['type']; objectId: string; sinceMs: number },
): Promise<EventHead | undefined> {
  const given = { ...about, from: firstUuidAt(sinceMs) };
  return (await sinceStatement.run<EventHead>(database, given))[0];
}
