import { Conditions } from '../../platform/postgres/conditions.ts';
import { type Database, type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { addPage, type ListPage, orderOf } from '../../platform/postgres/list-page.ts';
import { type Found, pageStatement } from '../../platform/postgres/page-bytes.ts';
import { rowQuery } from '../../platform/postgres/query.ts';
import { listOf, prepare, table } from '../../platform/postgres/statement.ts';
import { statusesBefore } from '../../platform/values/transitions.ts';
import { deliveryTransitions } from './deliveries/delivery.ts';
import type { WebhookEndpoint } from './endpoint.ts';
import type { EndpointChange } from './update-endpoint.ts';

const endpoints = table<Omit<WebhookEndpoint, 'events'>>({
  tenantId: 'uuid',
  id: 'uuid',
  version: 'integer',
  url: 'text',
  status: 'text',
  disabledReason: 'text',
  description: 'text',
  secretBox: 'bytea',
  idempotencyKey: 'text',
  requestHash: 'bytea',
  answerBox: 'bytea',
  createdAtMs: 'timestamptz',
  updatedAtMs: 'timestamptz',
});

const columns = `${endpoints.columns}, events`;
const newEndpoints = endpoints.rowsWithout('version', 'status', 'disabledReason');

const insertStatement = prepare({
  name: 'webhook_endpoints.insert',
  given: { endpoints: newEndpoints, events: listOf('text') },
  text: (given) => `
INSERT INTO webhook_endpoints (${newEndpoints.names}, events, version, status)
SELECT ${newEndpoints.names}, ${given.events}, 1, 'ACTIVE' FROM ${given.endpoints}
ON CONFLICT DO NOTHING
RETURNING id`,
});

/** False if an endpoint with the same idempotency key already exists. */
export async function insertEndpoint(
  database: Queryable,
  endpoint: WebhookEndpoint,
): Promise<boolean> {
  const given = { endpoints: [endpoint], events: endpoint.events };
  return (await insertStatement.run(database, given)).length > 0;
}

const lockTenantStatement = {
  name: 'webhook_endpoints.lock_tenant',
  text: 'SELECT FROM tenants WHERE id = $1 FOR NO KEY UPDATE',
};

const urlsStatement = {
  name: 'webhook_endpoints.urls',
  text: 'SELECT id, url FROM webhook_endpoints WHERE tenant_id = $1 AND deleted_at IS NULL',
};

/** The endpoints of a tenant; blocks new ones until the transaction ends. */
export async function lockEndpointUrls(
  transaction: Queryable,
  tenantId: string,
): Promise<{ id: string; url: string }[]> {
  await transaction.query(lockTenantStatement, [tenantId]);
  return transaction.query(urlsStatement, [tenantId]);
}

export const findEndpoint = rowQuery<WebhookEndpoint, [tenantId: string, id: string]>({
  name: 'webhook_endpoints.find',
  text: `SELECT ${columns} FROM webhook_endpoints WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL`,
});

/** By idempotency key, plain or sealed. Includes deleted endpoints: their keys stay used. */
export const findEndpointByKeys = rowQuery<
  WebhookEndpoint & { deleted: boolean },
  [tenantId: string, keys: readonly string[]]
>({
  name: 'webhook_endpoints.find_by_keys',
  text: `
SELECT ${columns}, deleted_at IS NOT NULL AS deleted
FROM webhook_endpoints WHERE tenant_id = $1 AND idempotency_key = ANY ($2::text[])
ORDER BY array_position($2::text[], idempotency_key) LIMIT 1`,
});

/** Newest first; a page before an endpoint, oldest first. Returns one row more than the limit if there are more. */
export function listEndpoints(
  database: Queryable,
  tenantId: string,
  page: ListPage,
): Promise<(WebhookEndpoint & Found)[]> {
  const asked = new Conditions([tenantId, page.limit + 1], 'tenant_id = $1', 'deleted_at IS NULL');
  addPage(asked, page);
  const text = pageStatement({
    columns,
    table: 'webhook_endpoints',
    where: asked.text,
    order: orderOf(page),
    // The answer to the creation repeats the url and the description.
    bytes:
      'octet_length(url) + coalesce(octet_length(description), 0) + coalesce(octet_length(answer_box), 0)',
  });
  return database.query({ text }, asked.values);
}

const lockStatement = {
  name: 'webhook_endpoints.lock',
  text: `
SELECT ${columns} FROM webhook_endpoints
WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL FOR UPDATE`,
};

/** Runs in the same transaction with the endpoint before and after; undefined: deleted. */
export type RecordChange = (
  transaction: Queryable,
  before: WebhookEndpoint,
  after: WebhookEndpoint | undefined,
) => Promise<void>;

const updateStatement = {
  name: 'webhook_endpoints.update',
  text: `
UPDATE webhook_endpoints SET
  url = coalesce($3, url), events = coalesce($4, events), status = coalesce($5, status),
  description = CASE WHEN $6 THEN $7 ELSE description END,
  disabled_reason = CASE WHEN $5 = 'ACTIVE' THEN NULL ELSE disabled_reason END,
  failing_since = CASE WHEN $5 = 'ACTIVE' OR $3 IS NOT NULL THEN NULL ELSE failing_since END,
  version = version + 1, updated_at = $8
WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL
RETURNING ${columns}`,
};

const resumeStatement = {
  name: 'deliveries.resume',
  text: `
UPDATE deliveries SET due_at = $3, planned_at = NULL, updated_at = $3
WHERE tenant_id = $1 AND endpoint_id = $2 AND status = 'PENDING' AND due_at IS NULL`,
};

/**
 * Changes an endpoint, unless the check throws; once the endpoint is ACTIVE, its waiting deliveries are due.
 * Undefined if there is none.
 */
export function updateEndpoint(
  database: Database,
  { tenantId, id }: { tenantId: string; id: string },
  change: EndpointChange,
  nowMs: number,
  record?: RecordChange,
  check?: (transaction: Queryable) => Promise<void>,
): Promise<WebhookEndpoint | undefined> {
  const { url = null, events = null, status = null, description } = change;
  const now = timestamp(nowMs);
  const values = [tenantId, id, url, events, status, description !== undefined, description, now];
  return database.transaction(async (transaction) => {
    await check?.(transaction);
    const [before] = await transaction.query<WebhookEndpoint>(lockStatement, [tenantId, id]);
    const [endpoint] = await transaction.query<WebhookEndpoint>(updateStatement, values);
    if (before && endpoint) await record?.(transaction, before, endpoint);
    // A statement of its own, after the endpoint is locked: it sees all deliveries that began to wait until then.
    if (endpoint?.status === 'ACTIVE')
      await transaction.query(resumeStatement, [tenantId, id, now]);
    return endpoint;
  });
}

const deleteStatement = {
  name: 'webhook_endpoints.delete',
  text: `
UPDATE webhook_endpoints SET
  deleted_at = $3, answer_box = NULL, updated_at = $3, version = version + 1
WHERE tenant_id = $1 AND id = $2 AND deleted_at IS NULL
RETURNING id`,
};

const giveUpStatement = {
  name: 'deliveries.give_up',
  text: `
UPDATE deliveries SET status = 'FAILED', due_at = NULL, last_error = 'the endpoint was deleted', updated_at = $3
WHERE tenant_id = $1 AND endpoint_id = $2 AND status IN ${statusesBefore(deliveryTransitions, 'FAILED')}`,
};

/** Deletes an endpoint and drops its pending deliveries; false if it does not exist. */
export function deleteEndpoint(
  database: Database,
  tenantId: string,
  id: string,
  nowMs: number,
  record?: RecordChange,
): Promise<boolean> {
  const values = [tenantId, id, timestamp(nowMs)];
  return database.transaction(async (transaction) => {
    const [before] = await transaction.query<WebhookEndpoint>(lockStatement, [tenantId, id]);
    const deleted = await transaction.query(deleteStatement, values);
    if (before && deleted.length > 0) await record?.(transaction, before, undefined);
    if (deleted.length > 0) await transaction.query(giveUpStatement, values);
    return deleted.length > 0;
  });
}
