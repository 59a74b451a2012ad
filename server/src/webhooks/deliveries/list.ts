import type { Queryable } from '../../postgres/database.ts';
import type { DeliveryStatus, StoredDelivery } from './delivery.ts';

const selectDeliveries = `
SELECT d.endpoint_id AS "endpointId", d.event_id AS "eventId", e.type AS "eventType", d.status, d.attempts,
  CASE WHEN d.due_at IS NOT NULL THEN coalesce(d.planned_at, d.updated_at) END AS "plannedAtMs", d.last_error AS error, d.created_at AS "createdAtMs", d.updated_at AS "updatedAtMs"
FROM deliveries d JOIN events e ON e.tenant_id = d.tenant_id AND e.id = d.event_id
WHERE d.tenant_id = $1 AND d.endpoint_id = $2`;

const listStatement = {
  name: 'deliveries.list',
  text: `${selectDeliveries}
  AND ($3::uuid IS NULL OR d.event_id < $3) AND ($4::text IS NULL OR d.status = $4)
ORDER BY d.event_id DESC LIMIT $5`,
};

/** Newest event first; one row more than the limit shows whether there are more. */
export function listDeliveries(
  database: Queryable,
  endpoint: { tenantId: string; id: string },
  status: DeliveryStatus | undefined,
  page: { limit: number; startingAfter?: string | undefined },
): Promise<StoredDelivery[]> {
  const { tenantId, id } = endpoint;
  const values = [tenantId, id, page.startingAfter ?? null, status ?? null, page.limit + 1];
  return database.query<StoredDelivery>(listStatement, values);
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
