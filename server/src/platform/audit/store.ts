import { Conditions } from '../postgres/conditions.ts';
import type { Queryable } from '../postgres/database.ts';
import { rowQuery, rowsQuery } from '../postgres/query.ts';
import { listOf, prepare } from '../postgres/statement.ts';
import { firstUuidAt } from '../values/ids.ts';
import type { Seal, StoredRecord } from './digest.ts';

const recordColumns = `
  r.id, r.tenant_id AS "tenantId", r.at AS "atMs", r.actor, r.origin, r.action, r.subject, r.before, r.after,
  r.detail`;

const sealColumns = `
  number, sealed_at AS "sealedAtMs", record_ids AS "recordIds", record_digests AS "recordDigests",
  previous_hash AS "previousHash", hash`;

/** The lock that lets one process at a time seal, until its transaction ends. */
export async function lockSeals(transaction: Queryable): Promise<boolean> {
  const text = 'SELECT pg_try_advisory_xact_lock(2053729634, 5) AS locked';
  return (await transaction.query<{ locked: boolean }>({ text }))[0]?.locked ?? false;
}

export const findHead = rowQuery<Seal, []>({
  text: `SELECT ${sealColumns} FROM audit_seals ORDER BY number DESC LIMIT 1`,
});

/** Committed records that are not sealed yet. */
export const unsealedRecords = rowsQuery<StoredRecord, [limit: number]>({
  text: `
SELECT ${recordColumns} FROM audit_unsealed u JOIN audit_records r ON r.id = u.record_id
ORDER BY r.id LIMIT $1`,
});

export const { run: insertSeal } = prepare({
  name: 'audit_seals.insert',
  given: {
    number: 'bigint',
    sealedAtMs: 'timestamptz',
    recordIds: listOf('uuid'),
    recordDigests: listOf('bytea'),
    previousHash: 'bytea',
    hash: 'bytea',
  },
  text: (given) => `
WITH sealed AS (
  DELETE FROM audit_unsealed WHERE record_id = ANY (${given.recordIds})
)
INSERT INTO audit_seals (number, sealed_at, record_ids, record_digests, previous_hash, hash)
VALUES (${Object.values(given).join(', ')})`,
});

/** Seals in their order, after this number. */
export function listSeals(database: Queryable, after: bigint, limit: number): Promise<Seal[]> {
  const text = `SELECT ${sealColumns} FROM audit_seals WHERE number > $1 ORDER BY number LIMIT $2`;
  return database.query<Seal>({ text }, [after.toString(), limit]);
}

export const findRecords = rowsQuery<StoredRecord, [ids: readonly string[]]>({
  text: `SELECT ${recordColumns} FROM audit_records r WHERE r.id = ANY ($1::uuid[])`,
});

export type StrayKind = 'UNLISTED' | 'GONE' | 'TWICE';

/*
 * Groups all ids in one pass: the duration of joins would depend on the planner's current statistics of three tables.
 */
export const straysText = `
SELECT id, count(*) OVER ()::integer AS total,
  CASE WHEN sum(waiting) > 0 AND sum(written) = 0 THEN 'GONE' WHEN sum(sealed) > 1 THEN 'TWICE' ELSE 'UNLISTED' END AS kind
FROM (
  SELECT id, 1 AS written, 0 AS sealed, 0 AS waiting FROM audit_records
  UNION ALL SELECT unnest(record_ids), 0, 1, 0 FROM audit_seals
  UNION ALL SELECT record_id, 0, 0, 1 FROM audit_unsealed
) listed
GROUP BY id
HAVING (sum(waiting) > 0 AND sum(written) = 0) OR sum(sealed) > 1 OR (sum(sealed) = 0 AND sum(waiting) = 0)
ORDER BY id LIMIT $1`;

/**
 * Records without a seal that do not wait for one; waiting records that are gone; records sealed twice. `total` counts
 * them all.
 */
export const findStrays = rowsQuery<
  { id: string; kind: StrayKind; total: number },
  [limit: number]
>({ text: straysText });

/** Whether any record waits for a seal. */
export async function hasUnsealed(database: Queryable): Promise<boolean> {
  const text = 'SELECT 1 FROM audit_unsealed LIMIT 1';
  return (await database.query({ name: 'audit.has_unsealed', text })).length > 0;
}

/** How many records wait for a seal, and since when the oldest does. */
export async function unsealed(
  database: Queryable,
): Promise<{ count: bigint; oldestMs: number | null }> {
  const text = `
SELECT count(*) AS count, min(r.at) AS "oldestMs"
FROM audit_unsealed u LEFT JOIN audit_records r ON r.id = u.record_id`;
  return (await database.query<{ count: bigint; oldestMs: number | null }>({ text }))[0]!;
}

export interface RecordFilter {
  sinceMs?: number | undefined;
  untilMs?: number | undefined;
  /** A complete value, or a prefix followed by `*`. */
  actor?: string | undefined;
  action?: string | undefined;
  subject?: string | undefined;
  merchantId?: string | undefined;
}

export interface ListedRecord extends StoredRecord {
  merchantId: string | null;
  mode: 'live' | 'test' | null;
}

/** Newest first; only before this id, if given. */
export function listRecords(
  database: Queryable,
  filter: RecordFilter,
  page: { limit: number; beforeId?: string | undefined },
): Promise<ListedRecord[]> {
  const { sinceMs, untilMs, actor, action, subject, merchantId } = filter;
  const asked = new Conditions([page.limit]);
  asked.where('r.id < ?', page.beforeId);
  asked.where('r.id >= ?', sinceMs === undefined ? undefined : firstUuidAt(sinceMs));
  asked.where('r.id < ?', untilMs === undefined ? undefined : firstUuidAt(untilMs));
  // A complete value is read along its index.
  asked.where(actor?.includes('*') ? 'r.actor LIKE ?' : 'r.actor = ?', patternOf(actor));
  asked.where(action?.includes('*') ? 'r.action LIKE ?' : 'r.action = ?', patternOf(action));
  asked.where('r.subject = ?', subject);
  asked.where('t.merchant_id = ?', merchantId);
  const text = `
SELECT ${recordColumns}, t.merchant_id AS "merchantId", t.mode
FROM audit_records r LEFT JOIN tenants t ON t.id = r.tenant_id
WHERE ${asked.text}
ORDER BY r.id DESC LIMIT $1`;
  return database.query<ListedRecord>({ text }, asked.values);
}

/** For LIKE, where the text has a `*`; else the text itself. */
export function patternOf(text: string | undefined): string | undefined {
  if (!text?.includes('*')) return text;
  return text.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%');
}

/** The key that a payment, refund or checkout session was made with; undefined where there is no such thing. */
export const findMaker = rowQuery<{ keyId: string | null; label: string | null }, [id: string]>({
  text: `
SELECT m.tenant_id AS "tenantId", m.key_id AS "keyId", k.label FROM tenants t
CROSS JOIN LATERAL (
  SELECT tenant_id, created_by_key AS key_id FROM payments WHERE tenant_id = t.id AND id = $1
  UNION ALL SELECT tenant_id, created_by_key FROM refunds WHERE tenant_id = t.id AND id = $1
  UNION ALL SELECT tenant_id, created_by_key FROM checkout_sessions WHERE tenant_id = t.id AND id = $1
) AS m
LEFT JOIN api_keys k ON k.tenant_id = m.tenant_id AND k.id = m.key_id`,
});
