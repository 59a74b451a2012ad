import { rowsOf } from '../../platform/postgres/statement.ts';
import type { NewEvent } from './event.ts';

/**
 * Common table expressions that append events and a delivery for each subscribed endpoint, for use in the statement
 * of the change. They need a CTE `new_event` with the columns of the table `events`. New deliveries have the lease in
 * parameter `leaseParameter`, since they are dispatched in memory; `subscription` names them. Endpoints are looked up
 * tenant by tenant: planned while there are none, a join would read those of all tenants for each event.
 */
export function appendEvents(leaseParameter: number): string {
  return `
  event AS (
    INSERT INTO events (tenant_id, id, type, object_id, sequence, body, created_at)
    SELECT tenant_id, id, type, object_id, sequence, body, created_at FROM new_event
  ),
  subscription AS (
    SELECT e.tenant_id, e.object_id, e.id AS event_id, e.created_at,
      w.id AS endpoint_id, w.version AS endpoint_version
    FROM new_event e
    CROSS JOIN LATERAL (
      SELECT id, version FROM webhook_endpoints
      WHERE tenant_id = e.tenant_id AND status = 'ACTIVE' AND deleted_at IS NULL AND e.type = ANY (events)
      OFFSET 0
    ) AS w
  ),
  delivery AS (
    INSERT INTO deliveries (tenant_id, endpoint_id, event_id, status, attempt_count, due_at, created_at, updated_at)
    SELECT tenant_id, endpoint_id, event_id, 'PENDING', 0, $${leaseParameter}::timestamptz, created_at, created_at
    FROM subscription
  )`;
}

/** A delivery that was just written, under the lease of the process that wrote it. */
export interface Subscription {
  tenantId: string;
  endpointId: string;
  endpointVersion: number;
  eventId: string;
}

/** The events passed to a statement, as the FROM item `given_event`. */
export const eventRows = rowsOf<NewEvent>(
  {
    tenant_id: ['uuid', (event) => event.tenantId],
    id: ['uuid', (event) => event.id],
    type: ['text', (event) => event.type],
    object_id: ['uuid', (event) => event.objectId],
    sequence: ['integer', (event) => event.sequence],
    body: ['text', (event) => event.body],
    created_at: ['timestamptz', (event) => event.createdAtMs],
  },
  'given_event',
);

/** The CTE `new_event`: the given events of those rows that the statement changed. */
export const newEvents = (events: string, changed: string) => `new_event AS (
  SELECT given_event.* FROM ${events}
  JOIN ${changed} AS changed
    ON changed.tenant_id = given_event.tenant_id AND changed.id = given_event.object_id
)`;
