import { Conditions } from '../../../platform/postgres/conditions.ts';
import type { Queryable } from '../../../platform/postgres/database.ts';
import { addPage, type ListPage, orderOf } from '../../../platform/postgres/list-page.ts';
import type { DeliveryStatus, StoredDelivery } from './delivery.ts';

// Only the events of the page are read, each by its key, whatever the range of time does to the plan.
const selectDeliveries = `
SELECT d.endpoint_id AS "endpointId", d.event_id AS "eventId", e.type AS "eventType", d.status, d.attempts,
  CASE WHEN d.due_at IS NOT NULL THEN coalesce(d.planned_at, d.updated_at) END AS "plannedAtMs", d.last_error AS error, d.created_at AS "createdAtMs", d.updated_at AS "updatedAtMs"
FROM deliveries d
CROSS JOIN LATERAL (SELECT type FROM events WHERE tenant_id = $1 AND events.id = d.event_id OFFSET 0) AS e
WHERE d.tenant_id = $1 AND d.endpoint_id = $2`;

/** Newest event first; a page before a delivery, oldest first. Returns one row more than the limit if there are more. */
export function listDeliveries(
  database: Queryable,
  endpoint: { tenantId: string; id: string },
  status: DeliveryStatus | readonly DeliveryStatus[] | undefined,
  page: ListPage,
): Promise<StoredDelivery[]> {
  const asked = new Conditions([endpoint.tenantId, endpoint.id, page.limit + 1]);
  asked.oneOf('d.status', status);
  addPage(asked, page, 'd.event_id');
  const text = `${selectDeliveries} AND ${asked.text} ORDER BY d.event_id ${orderOf(page)} LIMIT $3`;
  return database.query<StoredDelivery>({ text }, asked.values);
}

const findStatement = {
  name: 'deliveries.find',
  text: `${selectDeliveries} AND d.event_id = $3`,
};

/** The delivery of one event to one endpoint, or undefined. */
export async function findDelivery(
  database: Queryable,
  delivery: { tenantId: string; endpointId: string; eventId: string },
): Promise<StoredDelivery | undefined> {
  const { tenantId, endpointId, eventId } = delivery;
  const values = [tenantId, endpointId, eventId];
  return (await database.query<StoredDelivery>(findStatement, values))[0];
}

const ofEventStatement = {
  name: 'deliveries.of_event',
  text: `
SELECT w.id AS "endpointId", w.url, w.deleted_at IS NOT NULL AS "isDeleted", d.status,
  d.attempt_count AS "attemptCount", d.updated_at AS "updatedAtMs"
FROM webhook_endpoints w
JOIN deliveries d ON d.tenant_id = w.tenant_id AND d.endpoint_id = w.id AND d.event_id = $2
WHERE w.tenant_id = $1 ORDER BY w.id`,
};

/** The endpoint that an event was sent to, and the result. */
export interface EventDelivery {
  endpointId: string;
  url: string;
  isDeleted: boolean;
  status: DeliveryStatus;
  attemptCount: number;
  updatedAtMs: number;
}

/** The deliveries of one event, to endpoints that have been deleted too. */
export function deliveriesOfEvent(
  database: Queryable,
  tenantId: string,
  eventId: string,
): Promise<EventDelivery[]> {
  return database.query<EventDelivery>(ofEventStatement, [tenantId, eventId]);
}

const figuresStatement = {
  name: 'deliveries.figures',
  text: `
SELECT w.id AS "endpointId", w.failing_since AS "failingSinceMs", latest.*,
  (SELECT count(*)::integer FROM (
    SELECT FROM deliveries d
    WHERE d.tenant_id = w.tenant_id AND d.endpoint_id = w.id AND d.status = 'PENDING' AND d.due_at IS NULL
    LIMIT 1000) AS held) AS held
FROM webhook_endpoints w, LATERAL (
  SELECT count(*)::integer AS latest, count(*) FILTER (WHERE status = 'SUCCEEDED')::integer AS succeeded,
    count(*) FILTER (WHERE status = 'FAILED')::integer AS failed
  FROM (
    SELECT status FROM deliveries d WHERE d.tenant_id = w.tenant_id AND d.endpoint_id = w.id
    ORDER BY event_id DESC LIMIT 100) AS newest
) AS latest
WHERE w.tenant_id = $1 AND w.deleted_at IS NULL`,
};

/** An endpoint's health: its latest hundred deliveries, and since when all have failed. */
export interface EndpointFigures {
  endpointId: string;
  failingSinceMs: number | null;
  latest: number;
  succeeded: number;
  failed: number;
  /** Deliveries that wait until the endpoint is enabled, counted up to 1,000. */
  held: number;
}

export function endpointFigures(database: Queryable, tenantId: string): Promise<EndpointFigures[]> {
  return database.query<EndpointFigures>(figuresStatement, [tenantId]);
}
