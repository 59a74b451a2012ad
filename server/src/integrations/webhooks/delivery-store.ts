import { claimStatement } from '../../platform/jobs/claim.ts';
import { isUnderLease } from '../../platform/jobs/lease.ts';
import { type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { listOf, prepare, rowsOf } from '../../platform/postgres/statement.ts';
import { isAllowed } from '../../platform/values/transitions.ts';
import { type DeliveryStatus, deliveryTransitions } from './deliveries/delivery.ts';

/** A claimed delivery: one event to one endpoint. `dueAtMs` is the lease under which it was claimed. */
export interface Delivery {
  tenantId: string;
  mode: 'live' | 'test';
  endpointId: string;
  endpointVersion: number;
  eventId: string;
  /** Increases with each event of one object. */
  sequence: number;
  body: string;
  attemptCount: number;
  dueAtMs: number;
}

/** For a delivery `r`: its event, looked up by its key whatever the planner thinks of the tables. */
const eventOfRow = `CROSS JOIN LATERAL (
    SELECT e.body, e.sequence, octet_length(e.body) AS body_bytes FROM events e
    WHERE e.tenant_id = r.tenant_id AND e.id = r.event_id LIMIT 1
  ) AS event`;

const claimDeliveries = claimStatement({
  name: 'deliveries.claim',
  table: 'deliveries',
  key: ['tenant_id', 'endpoint_id', 'event_id'],
  given: {
    onlyEndpointIds: listOf('uuid'),
    onlyTenantIds: listOf('uuid'),
    fullEndpointIds: listOf('uuid'),
    fullTenantIds: listOf('uuid'),
    takesTest: 'boolean',
    bytes: 'integer',
    bytesPerTenant: 'integer',
  },
  where: (given) => `
    (cardinality(${given.onlyEndpointIds}) + cardinality(${given.onlyTenantIds}) = 0
      OR r.endpoint_id = ANY (${given.onlyEndpointIds}) OR r.tenant_id = ANY (${given.onlyTenantIds}))
    AND r.endpoint_id <> ALL (${given.fullEndpointIds}) AND r.tenant_id <> ALL (${given.fullTenantIds})
    AND (${given.takesTest} OR EXISTS (SELECT FROM tenants t WHERE t.id = r.tenant_id AND t.mode = 'live'))
    -- What is too large for the room that there is must not hide what is not.
    AND body_bytes <= ${given.bytes}`,
  join: eventOfRow,
  carry: ['body', 'sequence'],
  bytes: 'body_bytes',
  fit: (given) =>
    `bytes_before + bytes <= ${given.bytes} AND bytes_of_tenant_before < ${given.bytesPerTenant}`,
  returning: 'r.tenant_id, r.endpoint_id, r.event_id, r.attempt_count, r.due_at, sequence, body',
  select: `
SELECT claimed.tenant_id AS "tenantId", t.mode, claimed.endpoint_id AS "endpointId", claimed.event_id AS "eventId",
  attempt_count AS "attemptCount", due_at AS "dueAtMs", w.version AS "endpointVersion", sequence, body
FROM claimed
JOIN webhook_endpoints w ON w.tenant_id = claimed.tenant_id AND w.id = claimed.endpoint_id
JOIN tenants t ON t.id = claimed.tenant_id
ORDER BY claimed.event_id`,
});

export interface DeliveryClaim {
  nowMs: number;
  leaseMs: number;
  limit: number;
  /** The limit of bytes of all claimed events; each tenant may exceed its limit by one delivery. */
  bytes: number;
  bytesPerTenant: number;
  /** Only these endpoints and tenants; if empty, all. */
  only?: { endpointIds: string[]; tenantIds: string[] };
  /** Endpoints and tenants without room now, which are skipped. */
  full: { endpointIds: string[]; tenantIds: string[]; test: boolean };
}

/** Claims due deliveries of all tenants, under a lease. */
export function claimDueDeliveries(database: Queryable, claim: DeliveryClaim): Promise<Delivery[]> {
  const { full, only, ...given } = claim;
  return claimDeliveries.run(database, {
    ...given,
    onlyEndpointIds: only?.endpointIds ?? [],
    onlyTenantIds: only?.tenantIds ?? [],
    fullEndpointIds: full.endpointIds,
    fullTenantIds: full.tenantIds,
    takesTest: !full.test,
  });
}

/** The result of one attempt, as the list of deliveries shows it. */
export interface DeliveryAttemptDetail {
  at: string;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
  /** The first KiB of the answer. */
  response: string | null;
}

/** The new state of a delivery. */
export interface DeliveryAttempt {
  delivery: Delivery;
  status: DeliveryStatus;
  /** When to try again; null: never. */
  dueAtMs: number | null;
  attemptCount: number;
  statusCode: number | null;
  error: string | null;
  atMs: number;
  /** Absent if nothing was sent. */
  detail?: DeliveryAttemptDetail;
}

/** The end of a delivery whose endpoint was deleted. */
export function givenUp(delivery: Delivery, atMs: number): DeliveryAttempt {
  return {
    delivery,
    status: 'FAILED',
    dueAtMs: null,
    attemptCount: delivery.attemptCount,
    statusCode: null,
    error: 'the endpoint was deleted',
    atMs,
  };
}

/** Older attempts of a delivery that is repeatedly sent by hand are forgotten. */
const maxDetails = 20;

const recordStatement = prepare({
  name: 'deliveries.record',
  given: {
    attempts: rowsOf<DeliveryAttempt>({
      tenant_id: ['uuid', ({ delivery }) => delivery.tenantId],
      endpoint_id: ['uuid', ({ delivery }) => delivery.endpointId],
      event_id: ['uuid', ({ delivery }) => delivery.eventId],
      lease: ['timestamptz', ({ delivery }) => delivery.dueAtMs],
      status: ['text', ({ status }) => status],
      attempt_count: ['integer', ({ attemptCount }) => attemptCount],
      due_at: ['timestamptz', ({ dueAtMs }) => dueAtMs],
      status_code: ['integer', ({ statusCode }) => statusCode],
      error: ['text', ({ error }) => error],
      at: ['timestamptz', ({ atMs }) => atMs],
      detail: ['text', ({ detail }) => (detail ? JSON.stringify(detail) : null)],
    }),
  },
  text: (given) => `
WITH relaxed AS (SELECT set_config('synchronous_commit', 'off', true))
UPDATE deliveries d SET
  status = given.status, attempt_count = given.attempt_count, due_at = given.due_at,
  planned_at = given.due_at,
  last_status_code = given.status_code, last_error = given.error, updated_at = given.at,
  attempts = CASE
    WHEN given.detail IS NULL THEN attempts
    WHEN jsonb_array_length(attempts) < ${maxDetails} THEN attempts || given.detail::jsonb
    ELSE (attempts - 0) || given.detail::jsonb
  END
FROM relaxed, ${given.attempts}
WHERE d.tenant_id = given.tenant_id AND d.endpoint_id = given.endpoint_id AND d.event_id = given.event_id
  AND ${isUnderLease('d.due_at', 'given.lease')} AND ${isAllowed(deliveryTransitions, 'd.status', 'given.status')}`,
});

/**
 * Records attempts, each under its own lease; if the lease has passed to another process, nothing is written. The
 * commit does not wait for the disk: a record lost in a power failure means one more delivery of the same event,
 * which the documentation tells receivers to expect.
 */
export async function recordAttempts(
  database: Queryable,
  attempts: readonly DeliveryAttempt[],
): Promise<void> {
  await recordStatement.run(database, { attempts });
}

/** A delivery that this process holds under the lease `dueAtMs`. */
export type HeldDelivery = Pick<Delivery, 'tenantId' | 'endpointId' | 'eventId' | 'dueAtMs'>;

interface ReleasedDelivery {
  delivery: HeldDelivery;
  dueAtMs: number;
}

const releaseStatement = prepare({
  name: 'deliveries.release',
  given: {
    deliveries: rowsOf<ReleasedDelivery>({
      tenant_id: ['uuid', ({ delivery }) => delivery.tenantId],
      endpoint_id: ['uuid', ({ delivery }) => delivery.endpointId],
      event_id: ['uuid', ({ delivery }) => delivery.eventId],
      lease: ['timestamptz', ({ delivery }) => delivery.dueAtMs],
      due_at: ['timestamptz', ({ dueAtMs }) => dueAtMs],
    }),
  },
  text: (given) => `
WITH relaxed AS (SELECT set_config('synchronous_commit', 'off', true))
UPDATE deliveries d SET due_at = given.due_at
FROM relaxed, ${given.deliveries}
WHERE d.tenant_id = given.tenant_id AND d.endpoint_id = given.endpoint_id AND d.event_id = given.event_id
  AND ${isUnderLease('d.due_at', 'given.lease')}`,
});

/**
 * Releases deliveries that this process holds and will not send: they are due for any process, as of the start of
 * their leases. The commit does not wait for the disk, like that of attempts: after a power failure, their leases
 * simply expire.
 */
export async function releaseDeliveries(
  database: Queryable,
  held: readonly HeldDelivery[],
  leaseLengthMs: number,
): Promise<void> {
  const deliveries = held.map((delivery) => ({
    delivery,
    dueAtMs: delivery.dueAtMs - leaseLengthMs,
  }));
  await releaseStatement.run(database, { deliveries });
}

const waitStatement = {
  name: 'deliveries.wait',
  text: `
WITH disabled AS (
  SELECT id FROM webhook_endpoints
  WHERE tenant_id = $1 AND id = $2 AND status = 'DISABLED' AND deleted_at IS NULL
  FOR SHARE
)
UPDATE deliveries SET
  due_at = CASE WHEN EXISTS (SELECT FROM disabled) THEN NULL ELSE $5::timestamptz END,
  planned_at = NULL, last_status_code = NULL, last_error = 'the endpoint is disabled', updated_at = $5
WHERE tenant_id = $1 AND endpoint_id = $2 AND event_id = $3 AND ${isUnderLease('due_at', '$4')}
RETURNING due_at AS "dueAtMs"`,
};

/**
 * Makes a delivery wait until its endpoint is enabled. If that has happened meanwhile, the delivery is due at once:
 * the lock on the endpoint orders this and the change.
 * @returns whether it waits; also true if its lease had passed to another process.
 */
export async function waitForEndpoint(
  database: Queryable,
  { tenantId, endpointId, eventId, dueAtMs }: Delivery,
  nowMs: number,
): Promise<boolean> {
  const values = [tenantId, endpointId, eventId, timestamp(dueAtMs), timestamp(nowMs)];
  const [row] = await database.query<{ dueAtMs: number | null }>(waitStatement, values);
  return (row?.dueAtMs ?? null) === null;
}
