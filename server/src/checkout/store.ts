import { appendEvents, eventValues, givenEvents, type Subscription } from '../events/append.ts';
import type { NewEvent } from '../events/event.ts';
import { instantArray, integerArray, uuidArray } from '../platform/arrays.ts';
import { type Queryable, timestamp } from '../platform/database.ts';
import { pageBytes } from '../platform/page-bytes.ts';
import { statusesBefore } from '../platform/transitions.ts';
import {
  type CheckoutSession,
  firstItems,
  type SessionHead,
  sessionTransitions,
} from './session.ts';

const columnsWith = (items: string) => `
  tenant_id AS "tenantId", id, version, status, amount_minor AS "amountMinor", currency, ${items},
  customer_id AS "customerId", description, return_url AS "returnUrl", completion_url AS "completionUrl", metadata,
  link_secret AS "linkSecret", latest_payment_id AS "latestPaymentId",
  attempt_in_flight AS "attemptInFlight", attempt_count AS "attemptCount",
  request_hash AS "requestHash", created_by_key AS "createdByKey", rendering, expires_at AS "expiresAtMs", created_at AS "createdAtMs",
  updated_at AS "updatedAtMs"`;

export const sessionColumns = columnsWith('items');

const insertStatement = {
  name: 'checkout_sessions.insert',
  text: `
INSERT INTO checkout_sessions (tenant_id, id, version, status, amount_minor, currency, items, customer_id,
  return_url, completion_url, metadata, link_secret, attempt_in_flight, attempt_count, idempotency_key,
  request_hash, due_at, expires_at, created_at, updated_at, description, rendering, created_by_key)
VALUES ($1, $2, 1, 'OPEN', $3, $4, $5, $6, $7, $8, $9, $10, false, 0, $11, $12, $13, $13, $14, $14, $15, $16, $17)
ON CONFLICT DO NOTHING
RETURNING id`,
};

/** False where a session with the same idempotency key is there already. */
export async function insertSession(
  database: Queryable,
  session: CheckoutSession,
  idempotencyKey: string | null,
): Promise<boolean> {
  const rows = await database.query(insertStatement, [
    session.tenantId,
    session.id,
    session.amountMinor.toString(),
    session.currency,
    session.items,
    session.customerId,
    session.returnUrl,
    session.completionUrl,
    session.metadata,
    session.linkSecret,
    idempotencyKey,
    session.requestHash,
    timestamp(session.expiresAtMs),
    timestamp(session.createdAtMs),
    session.description,
    session.rendering,
    session.createdByKey,
  ]);
  return rows.length > 0;
}

const findStatement = {
  name: 'checkout_sessions.find',
  text: `SELECT ${sessionColumns} FROM checkout_sessions WHERE tenant_id = $1 AND id = $2`,
};

/** The session, or undefined where the tenant has none of this id. */
export async function findSession(
  database: Queryable,
  tenantId: string,
  id: string,
): Promise<CheckoutSession | undefined> {
  return (await database.query<CheckoutSession>(findStatement, [tenantId, id]))[0];
}

/** More is never read to a customer: a session can have as many items as a request body holds. */
const headLength = 32 * 1024;

const findHeadStatement = {
  name: 'checkout_sessions.find_head',
  text: `
SELECT *, octet_length(items) < "itemsBytes" AS "hasMoreItems"
FROM (
  SELECT ${columnsWith(`left(items, ${headLength}) AS items, octet_length(items) AS "itemsBytes"`)}
  FROM checkout_sessions WHERE tenant_id = $1 AND id = $2
) AS head`,
};

/** The session as its customer gets it. */
export async function findSessionHead(
  database: Queryable,
  tenantId: string,
  id: string,
): Promise<SessionHead | undefined> {
  const found = await database.query<CheckoutSession & { hasMoreItems: boolean }>(
    findHeadStatement,
    [tenantId, id],
  );
  return found.map((head) => ({ ...head, items: firstItems(head.items, head.hasMoreItems) }))[0];
}

const findByKeyStatement = {
  name: 'checkout_sessions.find_by_key',
  text: `SELECT ${sessionColumns} FROM checkout_sessions WHERE tenant_id = $1 AND idempotency_key = $2`,
};

export async function findSessionByKey(
  database: Queryable,
  tenantId: string,
  key: string,
): Promise<CheckoutSession | undefined> {
  return (await database.query<CheckoutSession>(findByKeyStatement, [tenantId, key]))[0];
}

/** The columns that a merchant may fill as he likes. */
export const sessionBytes = `octet_length(items) + coalesce(octet_length(metadata), 0)
      + coalesce(octet_length(customer_id), 0) + coalesce(octet_length(description), 0)
      + coalesce(octet_length(return_url), 0) + coalesce(octet_length(completion_url), 0)`;

/** Of what is claimed at once: each session is in memory a second time in its event, and a third time in the statement. */
const claimedBytes = pageBytes / 4;

const claimStatement = {
  name: 'checkout_sessions.claim',
  text: `
WITH due AS MATERIALIZED (
  SELECT tenant_id AS due_tenant_id, id AS due_id FROM checkout_sessions
  WHERE due_at <= $1 ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED
), weighed AS MATERIALIZED (
  SELECT *, sum(bytes) OVER (ORDER BY due_tenant_id, due_id) AS bytes_until
  FROM (
    SELECT due.*, ${sessionBytes} AS bytes
    FROM due JOIN checkout_sessions s ON s.tenant_id = due_tenant_id AND s.id = due_id
  ) AS sized
)
UPDATE checkout_sessions s SET due_at = $2
FROM weighed
WHERE s.tenant_id = due_tenant_id AND s.id = due_id AND bytes_until - bytes < ${claimedBytes}
RETURNING ${sessionColumns}`,
};

/** Takes sessions that are due, of all tenants, under a lease that ends at `leaseMs`; they have no more than 2 MiB, but for the last. */
export function claimDueSessions(
  database: Queryable,
  nowMs: number,
  leaseMs: number,
  limit: number,
): Promise<CheckoutSession[]> {
  const values = [timestamp(nowMs), timestamp(leaseMs), limit];
  return database.query<CheckoutSession>(claimStatement, values);
}

const expireStatement = {
  name: 'checkout_sessions.expire',
  text: `
WITH expired AS (
  UPDATE checkout_sessions s SET
    status = 'EXPIRED', due_at = NULL, version = s.version + 1, updated_at = given.updated_at
  FROM unnest($2::uuid[], $3::uuid[], $4::integer[], $5::timestamptz[])
    AS given (tenant_id, id, seen_version, updated_at)
  WHERE s.tenant_id = given.tenant_id AND s.id = given.id AND s.version = given.seen_version
    AND s.status IN ${statusesBefore(sessionTransitions, 'EXPIRED')} AND NOT s.attempt_in_flight
  RETURNING s.tenant_id, s.id
),
new_event AS (
  SELECT given_event.* FROM ${givenEvents(6)}
  JOIN expired ON expired.tenant_id = given_event.tenant_id AND expired.id = given_event.object_id
),
${appendEvents(1)}
SELECT expired.id AS "sessionId", subscription.event_id AS "eventId",
  subscription.tenant_id AS "tenantId", subscription.endpoint_id AS "endpointId",
  subscription.endpoint_version AS "endpointVersion"
FROM expired
LEFT JOIN subscription
  ON subscription.tenant_id = expired.tenant_id AND subscription.object_id = expired.id`,
};

/** Expires sessions as they are to be, with their events; one that changed meanwhile is left out. */
export async function expireSessions(
  database: Queryable,
  rows: readonly { next: CheckoutSession; event: NewEvent }[],
  deliveriesDueAtMs: number,
): Promise<{ ids: Set<string>; subscriptions: Subscription[] }> {
  const next = rows.map((row) => row.next);
  const written = await database.query<Subscription & { sessionId: string }>(expireStatement, [
    timestamp(deliveriesDueAtMs),
    uuidArray(next.map((session) => session.tenantId)),
    uuidArray(next.map((session) => session.id)),
    integerArray(next.map((session) => session.version - 1)),
    instantArray(next.map((session) => session.updatedAtMs)),
    ...eventValues(rows.map((row) => row.event)),
  ]);
  return {
    ids: new Set(written.map((row) => row.sessionId)),
    subscriptions: written.filter((row) => row.endpointId !== null),
  };
}

const findShopStatement = {
  name: 'checkout_sessions.find_shop',
  text: `
SELECT coalesce(merchants.brand_name, merchants.name) AS name, merchants.brand_colour AS colour,
  left(encode(sha256(merchants.brand_logo), 'hex'), 16) AS "logoVersion", tenants.mode
FROM tenants JOIN merchants ON merchants.id = tenants.merchant_id
WHERE tenants.id = $1`,
};

/** Whom a customer pays, as the page shows it, and whether it is only a test. */
export interface Shop {
  name: string;
  /** `#rrggbb` */
  colour: string | null;
  /** Changes with the logo; null where there is none. */
  logoVersion: string | null;
  mode: 'live' | 'test';
}

export async function findShop(database: Queryable, tenantId: string): Promise<Shop> {
  const [shop] = await database.query<Shop>(findShopStatement, [tenantId]);
  if (!shop) throw new Error('a checkout session has no tenant');
  return shop;
}

const findVersionsStatement = {
  name: 'checkout_sessions.find_versions',
  text: `
SELECT s.tenant_id AS "tenantId", s.id AS "sessionId", s.version || '.' || coalesce(p.version, 0) AS version
FROM unnest($1::uuid[], $2::uuid[]) AS given (tenant_id, id)
JOIN checkout_sessions s ON s.tenant_id = given.tenant_id AND s.id = given.id
LEFT JOIN payments p ON p.tenant_id = s.tenant_id AND p.id = s.latest_payment_id`,
};

interface SessionKey {
  tenantId: string;
  sessionId: string;
}

/** What changes whenever one of these sessions or its latest payment does. */
export function findVersions(
  database: Queryable,
  sessions: readonly SessionKey[],
): Promise<(SessionKey & { version: string })[]> {
  return database.query(findVersionsStatement, [
    uuidArray(sessions.map(({ tenantId }) => tenantId)),
    uuidArray(sessions.map(({ sessionId }) => sessionId)),
  ]);
}
