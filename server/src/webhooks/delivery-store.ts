import { instantArray, integerArray, textArray, uuidArray } from '../platform/arrays.ts';
import { type Queryable, timestamp } from '../platform/database.ts';
import { isAllowed } from '../platform/transitions.ts';
import { type DeliveryStatus, deliveryTransitions } from './deliveries/delivery.ts';

/** A delivery under way: one event to one endpoint. `dueAtMs` is the lease it was taken with. */
export interface Delivery {
  tenantId: string;
  mode: 'live' | 'test';
  endpointId: string;
  endpointVersion: number;
  eventId: string;
  /** Grows per object that events tell of. */
  sequence: number;
  body: string;
  attemptCount: number;
  dueAtMs: number;
}

const claimStatement = {
  name: 'deliveries.claim',
  text: `
WITH due AS MATERIALIZED (
  SELECT tenant_id AS due_tenant_id, endpoint_id AS due_endpoint_id, event_id AS due_event_id
  FROM deliveries d
  WHERE due_at <= $1 AND endpoint_id <> ALL ($4::uuid[]) AND tenant_id <> ALL ($5::uuid[])
    AND ($6 OR EXISTS (SELECT FROM tenants t WHERE t.id = d.tenant_id AND t.mode = 'live'))
    -- What is too large for the room that there is must not hide what is not.
    AND (SELECT octet_length(e.body) FROM events e WHERE e.tenant_id = d.tenant_id AND e.id = d.event_id) <= $7
  ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
), weighed AS MATERIALIZED (
  SELECT due.*, octet_length(e.body) AS bytes,
    sum(octet_length(e.body)) OVER (ORDER BY due_event_id, due_endpoint_id) AS bytes_until,
    sum(octet_length(e.body)) OVER (PARTITION BY due_tenant_id ORDER BY due_event_id, due_endpoint_id)
      AS bytes_of_tenant_until
  FROM due JOIN events e ON e.tenant_id = due_tenant_id AND e.id = due_event_id
), claimed AS (
  UPDATE deliveries d SET due_at = $2
  FROM weighed
  WHERE d.tenant_id = due_tenant_id AND d.endpoint_id = due_endpoint_id AND d.event_id = due_event_id
    AND bytes_until <= $7 AND bytes_of_tenant_until - bytes < $8
  RETURNING d.tenant_id, d.endpoint_id, d.event_id, d.attempt_count, d.due_at
)
SELECT claimed.tenant_id AS "tenantId", t.mode, claimed.endpoint_id AS "endpointId", claimed.event_id AS "eventId",
  attempt_count AS "attemptCount", due_at AS "dueAtMs", w.version AS "endpointVersion", e.sequence,
  e.body
FROM claimed
JOIN webhook_endpoints w ON w.tenant_id = claimed.tenant_id AND w.id = claimed.endpoint_id
JOIN events e ON e.tenant_id = claimed.tenant_id AND e.id = claimed.event_id
JOIN tenants t ON t.id = claimed.tenant_id
ORDER BY claimed.event_id`,
};

export interface DeliveryClaim {
  nowMs: number;
  leaseMs: number;
  limit: number;
  /** What the events of all that is claimed may have in bytes; of each tenant one delivery more than fits is taken. */
  bytes: number;
  bytesPerTenant: number;
  /** Who has no room now, and is left out. */
  full: { endpointIds: string[]; tenantIds: string[]; test: boolean };
}

/** Takes deliveries that are due, of all tenants, under a lease. */
export function claimDueDeliveries(database: Queryable, claim: DeliveryClaim): Promise<Delivery[]> {
  return database.query<Delivery>(claimStatement, [
    timestamp(claim.nowMs),
    timestamp(claim.leaseMs),
    claim.limit,
    claim.full.endpointIds,
    claim.full.tenantIds,
    !claim.full.test,
    claim.bytes,
    claim.bytesPerTenant,
  ]);
}

/** What became of one attempt, as the list of deliveries shows it. */
export interface AttemptDetail {
  at: string;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
  /** The first KiB of the answer. */
  response: string | null;
}

/** What becomes of a delivery. */
export interface Attempt {
  delivery: Delivery;
  status: DeliveryStatus;
  /** When to try again; null: never. */
  dueAtMs: number | null;
  attemptCount: number;
  statusCode: number | null;
  error: string | null;
  atMs: number;
  /** Absent where nothing was sent. */
  detail?: AttemptDetail;
}

/** Older attempts of a delivery that is sent again and again by hand are forgotten. */
const maxDetails = 20;

const recordStatement = {
  name: 'deliveries.record',
  text: `
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
FROM relaxed, unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::text[], $6::integer[],
  $7::timestamptz[], $8::integer[], $9::text[], $10::timestamptz[], $11::text[])
  AS given (tenant_id, endpoint_id, event_id, lease, status, attempt_count, due_at, status_code, error,
    at, detail)
WHERE d.tenant_id = given.tenant_id AND d.endpoint_id = given.endpoint_id AND d.event_id = given.event_id
  AND d.due_at = given.lease AND ${isAllowed(deliveryTransitions, 'd.status', 'given.status')}`,
};

/**
 * Records attempts, each under its own lease; where that has passed to another, nothing is written.
 * The commit does not wait for the disk: a record lost with the power means one more delivery of the
 * same event, which receivers are told to expect.
 */
export async function recordAttempts(
  database: Queryable,
  attempts: readonly Attempt[],
): Promise<void> {
  await database.query(recordStatement, [
    uuidArray(attempts.map((attempt) => attempt.delivery.tenantId)),
    uuidArray(attempts.map((attempt) => attempt.delivery.endpointId)),
    uuidArray(attempts.map((attempt) => attempt.delivery.eventId)),
    instantArray(attempts.map((attempt) => attempt.delivery.dueAtMs)),
    textArray(attempts.map((attempt) => attempt.status)),
    integerArray(attempts.map((attempt) => attempt.attemptCount)),
    instantArray(attempts.map((attempt) => attempt.dueAtMs)),
    integerArray(attempts.map((attempt) => attempt.statusCode)),
    textArray(attempts.map((attempt) => attempt.error)),
    instantArray(attempts.map((attempt) => attempt.atMs)),
    textArray(attempts.map(({ detail }) => (detail ? JSON.stringify(detail) : null))),
  ]);
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
WHERE tenant_id = $1 AND endpoint_id = $2 AND event_id = $3 AND due_at = $4
RETURNING due_at AS "dueAtMs"`,
};

/**
 * Lets a delivery wait until its endpoint is enabled. Where that has happened meanwhile it is due at
 * once: the lock on the endpoint makes whoever enables it wait for this, or this for the change.
 * @returns whether it waits; true as well where its lease had passed to another.
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
