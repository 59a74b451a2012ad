import type { Queryable } from '../../../platform/postgres/database.ts';
import { rowsQuery } from '../../../platform/postgres/query.ts';
import type { DeliveryAttemptDetail } from '../delivery-store.ts';
import type { DeliveryStatus } from './delivery.ts';

/** A delivery of one of several events, with its target. */
export interface EventDelivery {
  eventId: string;
  endpointId: string;
  url: string;
  endpointStatus: 'ACTIVE' | 'DISABLED';
  status: DeliveryStatus;
  attempts: DeliveryAttemptDetail[];
  error: string | null;
  plannedAtMs: number | null;
}

const ofEvents = rowsQuery<EventDelivery, [tenantId: string, eventIds: readonly string[]]>({
  name: 'deliveries.of_events',
  text: `
SELECT d.event_id AS "eventId", w.id AS "endpointId", w.url, w.status AS "endpointStatus", d.status, d.attempts,
  d.last_error AS error,
  CASE WHEN d.due_at IS NOT NULL THEN coalesce(d.planned_at, d.updated_at) END AS "plannedAtMs"
FROM webhook_endpoints w
JOIN deliveries d ON d.tenant_id = w.tenant_id AND d.endpoint_id = w.id AND d.event_id = ANY ($2::uuid[])
WHERE w.tenant_id = $1 AND w.deleted_at IS NULL
ORDER BY d.event_id, w.id
LIMIT 500`,
});

/** The deliveries of some events at each existing endpoint. */
export function deliveriesOfEvents(
  database: Queryable,
  tenantId: string,
  eventIds: readonly string[],
): Promise<EventDelivery[]> {
  return eventIds.length === 0 ? Promise.resolve([]) : ofEvents(database, tenantId, eventIds);
}
