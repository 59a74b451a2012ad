import type { IdRange, OldRows } from '../../platform/jobs/retention.ts';
import type { Queryable } from '../../platform/postgres/database.ts';

const tenantsStatement = {
  name: 'retention.tenants',
  text: `
SELECT t.id
FROM tenants t
CROSS JOIN LATERAL (
  SELECT FROM events e WHERE e.tenant_id = t.id AND e.id < $1 ORDER BY e.id LIMIT 1
) AS old
ORDER BY t.id`,
};

/** Reads the oldest events of each tenant once. */
async function tenants(database: Queryable, beforeId: string): Promise<string[]> {
  const rows = await database.query<{ id: string }>(tenantsStatement, [beforeId]);
  return rows.map(({ id }) => id);
}

const nextStatement = {
  name: 'retention.next',
  text: `
SELECT id FROM events WHERE tenant_id = $1 AND id > $2 AND id < $3 ORDER BY id LIMIT $4`,
};

async function next(
  database: Queryable,
  { tenantId, afterId }: Pick<IdRange, 'tenantId' | 'afterId'>,
  beforeId: string,
  limit: number,
): Promise<IdRange | undefined> {
  const values = [tenantId, afterId, beforeId, limit];
  const rows = await database.query<{ id: string }>(nextStatement, values);
  const lastId = rows.at(-1)?.id;
  return lastId === undefined ? undefined : { tenantId, afterId, lastId };
}

// Deliveries are found by their endpoints, the start of their primary key: deleted endpoints have some, too.
const deliveriesOfRange = `
webhook_endpoints w
JOIN deliveries d ON d.tenant_id = $1 AND d.endpoint_id = w.id AND d.event_id > $2 AND d.event_id <= $3`;

const deleteDeliveriesStatement = {
  name: 'retention.delete_deliveries',
  text: `
WITH deleted AS (
  DELETE FROM deliveries d USING webhook_endpoints w
  WHERE w.tenant_id = $1
    AND d.tenant_id = $1 AND d.endpoint_id = w.id AND d.event_id > $2 AND d.event_id <= $3
    AND d.status <> 'PENDING'
  RETURNING d.event_id
)
SELECT count(*)::integer AS count FROM deleted`,
};

const deleteEventsStatement = {
  name: 'retention.delete_events',
  text: `
WITH deleted AS (
  DELETE FROM events e
  WHERE e.tenant_id = $1 AND e.id > $2 AND e.id <= $3
    AND e.id NOT IN (SELECT d.event_id FROM ${deliveriesOfRange} WHERE w.tenant_id = $1)
  RETURNING e.id
)
SELECT count(*)::integer AS count FROM deleted`,
};

/**
 * Removes the finished deliveries of these events, and then the events without deliveries. The two are separate
 * statements, so that the second sees a delivery that became PENDING again while the first ran: its event stays.
 */
async function remove(
  transaction: Queryable,
  { tenantId, afterId, lastId }: IdRange,
): Promise<Record<string, number>> {
  const values = [tenantId, afterId, lastId];
  type Row = { count: number };
  const [deliveries] = await transaction.query<Row>(deleteDeliveriesStatement, values);
  const [events] = await transaction.query<Row>(deleteEventsStatement, values);
  return { deliveries: deliveries?.count ?? 0, events: events?.count ?? 0 };
}

/** Old events, and their deliveries. An event with a PENDING delivery stays at any age. */
export const oldEvents: OldRows = { tenants, next, remove };

/** All statements that read or remove rows, for the test of their plans. */
export const statements = [
  tenantsStatement,
  nextStatement,
  deleteDeliveriesStatement,
  deleteEventsStatement,
];
