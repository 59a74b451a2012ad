import { appendEvents } from '../../integrations/events/append.ts';
import { sessionTransitions } from '../../money/payments/session-slot.ts';
import { claimStatement } from '../../platform/jobs/claim.ts';
import { uuidArray } from '../../platform/postgres/arrays.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { pageBytes } from '../../platform/postgres/page-bytes.ts';
import { rowQuery } from '../../platform/postgres/query.ts';
import { prepare, rowsOf, table } from '../../platform/postgres/statement.ts';
import { type Language, languages } from '../../platform/text/language.ts';
import type { MerchantTerms } from '../../platform/values/merchant-terms.ts';
import { statusesBefore } from '../../platform/values/transitions.ts';
import { type StoredTerms, termsColumns, termsOf } from '../../tenants/merchants/change-terms.ts';
import { type Contact, contactColumns } from '../../tenants/merchants/contact.ts';
import {
  type StoredTimeZone,
  type TimeZones,
  timeZoneColumns,
  timeZonesOf,
} from '../../tenants/merchants/time-zone.ts';
import {
  type CheckoutSession,
  firstItems,
  type SessionFrame,
  type SessionHead,
} from './session.ts';

const sessions = table<SessionFrame>({
  tenantId: 'uuid',
  id: 'uuid',
  version: 'integer',
  status: 'text',
  amountMinor: 'bigint',
  currency: 'text',
  externalId: 'text',
  customerId: 'text',
  description: 'text',
  returnUrl: 'text',
  completionUrl: 'text',
  metadata: 'text',
  linkSecret: 'bytea',
  latestPaymentId: 'uuid',
  attemptInFlight: 'boolean',
  attemptCount: 'integer',
  requestHash: 'bytea',
  createdByKey: 'uuid',
  rendering: 'integer',
  expiresAtMs: 'timestamptz',
  createdAtMs: 'timestamptz',
  updatedAtMs: 'timestamptz',
});

export const frameColumns = sessions.columns;
export const sessionColumns = `${frameColumns}, items`;

// The statement itself sets values that are the same for every new session.
const newSessions = sessions.rowsWithout(
  'version',
  'status',
  'latestPaymentId',
  'attemptInFlight',
  'attemptCount',
  'updatedAtMs',
);

const insertStatement = prepare({
  name: 'checkout_sessions.insert',
  given: { sessions: newSessions, items: 'text', idempotencyKey: 'text' },
  text: (given) => `
INSERT INTO checkout_sessions (${newSessions.names},
  items, idempotency_key, version, status, attempt_in_flight, attempt_count, due_at, updated_at)
SELECT ${newSessions.names},
  ${given.items}, ${given.idempotencyKey}, 1, 'OPEN', false, 0, expires_at, created_at
FROM ${given.sessions}
ON CONFLICT DO NOTHING
RETURNING id`,
});

/** False if a session with the same idempotency key exists already. */
export async function insertSession(
  database: Queryable,
  session: CheckoutSession,
  idempotencyKey: string | null,
): Promise<boolean> {
  const given = { sessions: [session], items: session.items, idempotencyKey };
  return (await insertStatement.run(database, given)).length > 0;
}

/** The session, or undefined if the tenant has none with this id. */
export const findSession = rowQuery<CheckoutSession, [tenantId: string, id: string]>({
  name: 'checkout_sessions.find',
  text: `SELECT ${sessionColumns} FROM checkout_sessions WHERE tenant_id = $1 AND id = $2`,
});

/** The most items read for a customer: a session can have as many items as a request body holds. */
const headLength = 32 * 1024;

const findHeadStatement = {
  name: 'checkout_sessions.find_head',
  text: `
SELECT *, octet_length(items) < "itemsBytes" AS "hasMoreItems"
FROM (
  SELECT ${frameColumns}, left(items, ${headLength}) AS items, octet_length(items) AS "itemsBytes"
  FROM checkout_sessions WHERE tenant_id = $1 AND id = $2
) AS head`,
};

/** The session as its customer sees it. */
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

/** The session under the first of the keys that has one. */
export const findSessionByKeys = rowQuery<
  CheckoutSession,
  [tenantId: string, keys: readonly string[]]
>({
  name: 'checkout_sessions.find_by_keys',
  text: `
SELECT found.* FROM unnest($2::text[]) WITH ORDINALITY AS asked (key, place)
CROSS JOIN LATERAL (
  SELECT ${sessionColumns} FROM checkout_sessions
  WHERE tenant_id = $1 AND idempotency_key = asked.key OFFSET 0
) AS found
ORDER BY asked.place LIMIT 1`,
});

/** The columns that a merchant may fill freely. */
export const sessionBytes = `octet_length(items) + coalesce(octet_length(metadata), 0)
      + coalesce(octet_length(external_id), 0) + coalesce(octet_length(customer_id), 0)
      + coalesce(octet_length(description), 0)
      + coalesce(octet_length(return_url), 0) + coalesce(octet_length(completion_url), 0)`;

/** The most bytes claimed at once: PostgreSQL writes them all into events in one statement. */
const claimedBytes = pageBytes / 4;

const claimSessions = claimStatement({
  name: 'checkout_sessions.claim',
  table: 'checkout_sessions',
  key: ['tenant_id', 'id'],
  bytes: sessionBytes,
  fit: () => `bytes_before < ${claimedBytes}`,
  returning: frameColumns,
});

/**
 * Claims due sessions of all tenants, under a lease that ends at `leaseMs`. Together with their items, which stay in
 * the database, they have at most 2 MiB, apart from the last.
 */
export function claimDueSessions(
  database: Queryable,
  nowMs: number,
  leaseMs: number,
  limit: number,
): Promise<SessionFrame[]> {
  return claimSessions.run(database, { nowMs, leaseMs, limit });
}

/** The new state of a session, and the body of its event, without the items. */
export interface Expiry<Session extends SessionFrame> {
  next: Session;
  eventId: string;
  aroundItems: [before: string, after: string];
}

const expireStatement = prepare({
  name: 'checkout_sessions.expire',
  given: {
    deliveriesDueAtMs: 'timestamptz',
    expiries: rowsOf<Expiry<SessionFrame>>({
      tenant_id: ['uuid', ({ next }) => next.tenantId],
      id: ['uuid', ({ next }) => next.id],
      seen_version: ['integer', ({ next }) => next.version - 1],
      updated_at: ['timestamptz', ({ next }) => next.updatedAtMs],
      event_id: ['uuid', ({ eventId }) => eventId],
      before_items: ['text', ({ aroundItems }) => aroundItems[0]],
      after_items: ['text', ({ aroundItems }) => aroundItems[1]],
    }),
  },
  text: (given) => `
WITH expired AS (
  UPDATE checkout_sessions s SET
    status = 'EXPIRED', due_at = NULL, version = s.version + 1, updated_at = given.updated_at
  FROM ${given.expiries}
  WHERE s.tenant_id = given.tenant_id AND s.id = given.id AND s.version = given.seen_version
    AND s.status IN ${statusesBefore(sessionTransitions, 'EXPIRED')} AND NOT s.attempt_in_flight
  RETURNING s.tenant_id, s.id, s.version, s.items, s.updated_at, event_id, before_items, after_items
),
new_event AS (
  SELECT tenant_id, event_id AS id, 'checkout.expired' AS type, id AS object_id, version AS sequence,
    before_items || items || after_items AS body, updated_at AS created_at
  FROM expired
),
${appendEvents(1)}
SELECT id FROM expired`,
});

/** Expires sessions, with their events, due for delivery at once; returns those that had not changed meanwhile. */
export async function expireSessions<Session extends SessionFrame>(
  database: Queryable,
  expiries: readonly Expiry<Session>[],
  deliveriesDueAtMs: number,
): Promise<Session[]> {
  const given = { deliveriesDueAtMs, expiries };
  const written = await expireStatement.run<{ id: string }>(database, given);
  const ids = new Set(written.map(({ id }) => id));
  return expiries.map(({ next }) => next).filter(({ id }) => ids.has(id));
}

const findShopStatement = {
  name: 'checkout_sessions.find_shop',
  text: `
SELECT coalesce(m.brand_name, m.name) AS name, m.brand_colour AS colour, ${contactColumns},
  m.tax_number AS "taxNumber", m.receipt_text AS "receiptText",
  string_to_array(m.page_languages, ',') AS "pageLanguages", ${timeZoneColumns},
  left(encode(sha256(m.brand_logo), 'hex'), 16) AS "logoVersion",
  m.brand_logo_type IS NOT DISTINCT FROM 'image/png' AS "logoIsPng", tenants.mode,
  coalesce(tenants.frame_origins, '{}') AS "frameOrigins", ${termsColumns}
FROM tenants JOIN merchants AS m ON m.id = tenants.merchant_id
WHERE tenants.id = $1`,
};

/** The payee as the page shows it, and whether the session is a test. */
export interface Shop extends Contact {
  name: string;
  /** `#rrggbb` */
  colour: string | null;
  /** Changes with the logo; null if there is none. */
  logoVersion: string | null;
  logoIsPng: boolean;
  mode: 'live' | 'test';
  /** The sites that may show its payment page in a frame. */
  frameOrigins: readonly string[];
  taxNumber: string | null;
  /** Lines at the end of receipts. */
  receiptText: string | null;
  /** The languages of its pages, the preferred one first. */
  pageLanguages: readonly Language[];
  /** The time zones of the times on its pages. */
  timeZones: TimeZones;
  /** The terms agreed with the merchant. */
  terms: MerchantTerms;
}

export async function findShop(database: Queryable, tenantId: string): Promise<Shop> {
  type Found = Omit<Shop, 'terms' | 'pageLanguages' | 'timeZones'> &
    StoredTerms &
    StoredTimeZone & { pageLanguages: Language[] | null };
  const [found] = await database.query<Found>(findShopStatement, [tenantId]);
  if (!found) throw new Error('a checkout session has no tenant');
  const { name, colour, logoVersion, logoIsPng, mode, contactPhone, contactEmail, website } = found;
  const { taxNumber, receiptText, frameOrigins } = found;
  const shown = { name, colour, logoVersion, logoIsPng, mode, taxNumber, receiptText };
  return {
    ...shown,
    frameOrigins,
    contactPhone,
    contactEmail,
    website,
    pageLanguages: found.pageLanguages ?? languages,
    // Whoever sees a time sees a payment, whose currency has a time zone.
    timeZones: timeZonesOf(found, 'UTC'),
    terms: termsOf(found),
  };
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

/** A version that changes whenever one of these sessions or its latest payment does. */
export function findVersions(
  database: Queryable,
  sessions: readonly SessionKey[],
): Promise<(SessionKey & { version: string })[]> {
  return database.query(findVersionsStatement, [
    uuidArray(sessions, ({ tenantId }) => tenantId),
    uuidArray(sessions, ({ sessionId }) => sessionId),
  ]);
}
