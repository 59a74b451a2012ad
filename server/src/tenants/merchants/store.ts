import { type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { rowQuery, rowsQuery } from '../../platform/postgres/query.ts';
import { prepare, rowsOf } from '../../platform/postgres/statement.ts';
import type { Mode, Permission } from './api-key.ts';
import { type StoredTerms, termsColumns } from './change-terms.ts';
import type { KeyTerms } from './key-restrictions.ts';
import { type StoredTimeZone, timeZoneColumns } from './time-zone.ts';

export interface Merchant {
  id: string;
  name: string;
  createdAtMs: number;
}

export interface Tenant {
  id: string;
  merchantId: string;
  mode: Mode;
}

/** A key as stored: of the key itself, only its hash and its end. */
export interface ApiKey extends KeyTerms {
  tenantId: string;
  id: string;
  merchantId: string;
  mode: Mode;
  last4: string;
  permissions: Permission[];
  createdAtMs: number;
  revokedAtMs: number | null;
  /** May lag behind its last use by a minute or so. */
  lastUsedAtMs: number | null;
  /** The key that replaced it. */
  rolledTo: string | null;
}

/** A new key. */
export type NewApiKey = Omit<ApiKey, 'revokedAtMs' | 'lastUsedAtMs' | 'rolledTo'>;

/** False if a merchant with this id exists. */
export async function insertMerchant(
  database: Queryable,
  merchant: Merchant,
  tenants: readonly Tenant[],
): Promise<boolean> {
  const createdAt = timestamp(merchant.createdAtMs);
  const inserted = await database.query(
    {
      text: `INSERT INTO merchants (id, name, created_at) VALUES ($1, $2, $3)
        ON CONFLICT DO NOTHING RETURNING id`,
    },
    [merchant.id, merchant.name, createdAt],
  );
  if (inserted.length === 0) return false;
  for (const { id, merchantId, mode } of tenants) {
    await database.query(
      { text: 'INSERT INTO tenants (id, merchant_id, mode, created_at) VALUES ($1, $2, $3, $4)' },
      [id, merchantId, mode, createdAt],
    );
  }
  return true;
}

/** All merchants, oldest first. */
export const listMerchants = rowsQuery<Merchant, []>({
  text: `SELECT id, name, created_at AS "createdAtMs" FROM merchants
ORDER BY created_at, id`,
});

/**
 * Newest first, after this merchant if given. Ordered by instants, since ids derived from an order contain none. If
 * the merchant is in another database, its instant must be passed.
 */
export const merchantPage = rowsQuery<
  Merchant,
  [limit: number, after: string | null, afterInstant: string | null]
>({
  text: `SELECT id, name, created_at AS "createdAtMs" FROM merchants
WHERE ($2::uuid IS NULL
  OR (created_at, id) < (coalesce($3::timestamptz, (SELECT created_at FROM merchants WHERE id = $2)), $2))
ORDER BY created_at DESC, id DESC LIMIT $1`,
});

const searchStatement = prepare({
  name: 'merchants.search',
  given: { id: 'uuid', name: 'text', afterId: 'uuid', limit: 'integer' },
  text: ({ id, name, afterId, limit }) => `
SELECT id, name, created_at AS "createdAtMs" FROM merchants
WHERE (id = ${id} OR strpos(lower(name), lower(${name})) > 0) AND (${afterId} IS NULL OR id < ${afterId})
ORDER BY id DESC LIMIT ${limit}`,
});

/** Merchants with this id, or with this text in their name; newest first, after an id. */
export function searchMerchants(
  database: Queryable,
  filter: { id: string | undefined; name: string; afterId: string | undefined; limit: number },
): Promise<Merchant[]> {
  const { id = null, afterId = null } = filter;
  return searchStatement.run<Merchant>(database, { ...filter, id, afterId });
}

export async function hasMerchants(database: Queryable): Promise<boolean> {
  return (await database.query({ text: 'SELECT 1 FROM merchants LIMIT 1' })).length > 0;
}

export const findMerchant = rowQuery<Merchant, [id: string]>({
  text: 'SELECT id, name, created_at AS "createdAtMs" FROM merchants WHERE id = $1',
});

/** The existing merchants among these ids. */
export const findMerchants = rowsQuery<Merchant, [ids: readonly string[]]>({
  text: 'SELECT id, name, created_at AS "createdAtMs" FROM merchants WHERE id = ANY ($1::uuid[])',
});

export const findTenant = rowQuery<Tenant & StoredTerms, [merchantId: string, mode: Mode]>({
  text: `SELECT t.id, t.merchant_id AS "merchantId", t.mode, ${termsColumns}
FROM tenants t JOIN merchants m ON m.id = t.merchant_id WHERE t.merchant_id = $1 AND t.mode = $2`,
});

/** The tenant of a console's visit, with what its pages need of the merchant. */
export const findVisitedTenant = rowQuery<
  Tenant & StoredTerms & StoredTimeZone,
  [merchantId: string, mode: Mode]
>({
  name: 'tenants.find_visited',
  text: `SELECT t.id, t.merchant_id AS "merchantId", t.mode, ${termsColumns}, ${timeZoneColumns}
FROM tenants t JOIN merchants m ON m.id = t.merchant_id WHERE t.merchant_id = $1 AND t.mode = $2`,
});

export const findTenants = rowsQuery<Tenant, [ids: readonly string[]]>({
  text: 'SELECT id, merchant_id AS "merchantId", mode FROM tenants WHERE id = ANY ($1::uuid[])',
});

/** False if a key with this id exists. */
export async function insertKey(
  database: Queryable,
  key: NewApiKey & { hash: Buffer },
): Promise<boolean> {
  const inserted = await database.query(
    {
      text: `INSERT INTO api_keys (tenant_id, id, key_hash, last4, permissions, created_at, label, expires_at,
          allowed_addresses, max_payment_minor, max_refunded_per_day_minor, max_disbursement_minor,
          max_disbursed_per_day_minor)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
        ON CONFLICT (tenant_id, id) DO NOTHING RETURNING id`,
    },
    [
      key.tenantId,
      key.id,
      key.hash,
      key.last4,
      key.permissions,
      timestamp(key.createdAtMs),
      key.label,
      timestamp(key.expiresAtMs),
      key.allowedAddresses,
      key.maxPaymentMinor?.toString() ?? null,
      key.maxRefundedPerDayMinor?.toString() ?? null,
      key.maxDisbursementMinor?.toString() ?? null,
      key.maxDisbursedPerDayMinor?.toString() ?? null,
    ],
  );
  return inserted.length > 0;
}

const keyColumns = `
SELECT k.tenant_id AS "tenantId", k.id, t.merchant_id AS "merchantId", t.mode, k.last4, k.permissions,
  k.label, k.allowed_addresses AS "allowedAddresses", k.max_payment_minor AS "maxPaymentMinor",
  k.max_refunded_per_day_minor AS "maxRefundedPerDayMinor",
  k.max_disbursement_minor AS "maxDisbursementMinor",
  k.max_disbursed_per_day_minor AS "maxDisbursedPerDayMinor", k.created_at AS "createdAtMs",
  k.expires_at AS "expiresAtMs", k.revoked_at AS "revokedAtMs", k.last_used_at AS "lastUsedAtMs",
  k.rolled_to AS "rolledTo"`;
const keySource = 'FROM api_keys k JOIN tenants t ON t.id = k.tenant_id';
const keySelect = `${keyColumns}
${keySource}`;

/** The keys of one merchant, or of all, oldest first, including revoked ones. */
export function listKeys(database: Queryable, merchantId?: string): Promise<ApiKey[]> {
  const text = `${keySelect} WHERE ($1::uuid IS NULL OR t.merchant_id = $1) ORDER BY k.created_at, k.id`;
  return database.query<ApiKey>({ text }, [merchantId ?? null]);
}

/** Selects keys, newest first, of one merchant or of all. */
export interface KeyPage {
  merchantId: string | undefined;
  limit: number;
  startingAfter: string | undefined;
  /** Its creation time, if it is in another database. */
  afterMs?: number | undefined;
}

export function keyPage(database: Queryable, page: KeyPage): Promise<ApiKey[]> {
  const text = `${keySelect}
WHERE ($1::uuid IS NULL OR t.merchant_id = $1) AND ($2::uuid IS NULL OR (k.created_at, k.id) < (
  coalesce($4::timestamptz, (
    SELECT last.created_at FROM tenants o JOIN api_keys last ON last.tenant_id = o.id AND last.id = $2)), $2))
ORDER BY k.created_at DESC, k.id DESC LIMIT $3`;
  const { merchantId = null, limit, startingAfter = null, afterMs = null } = page;
  const values = [merchantId, startingAfter, limit, timestamp(afterMs)];
  return database.query<ApiKey>({ text }, values);
}

/** Finds a key by id alone: the command line knows no tenants. */
export const findKey = rowQuery<ApiKey, [id: string]>({ text: `${keySelect} WHERE k.id = $1` });

/** The existing keys among these ids. */
export const findKeys = rowsQuery<ApiKey, [ids: readonly string[]]>({
  text: `${keySelect} WHERE k.id = ANY ($1::uuid[])`,
});

/** Finds a key of this tenant only. */
export const findTenantKey = rowQuery<ApiKey, [tenantId: string, id: string]>({
  text: `${keySelect} WHERE k.tenant_id = $1 AND k.id = $2`,
});

/** The keys of one tenant, newest first, including revoked ones. */
export const listTenantKeys = rowsQuery<ApiKey, [tenantId: string]>({
  text: `${keySelect} WHERE k.tenant_id = $1 ORDER BY k.created_at DESC, k.id`,
});

/** The key with this hash and its merchant's terms, unless revoked; it may have expired. */
export const findKeyByHash = rowQuery<ApiKey & StoredTerms, [hash: Buffer]>({
  name: 'api_keys.find_by_hash',
  text: `${keyColumns}, ${termsColumns}
${keySource} JOIN merchants m ON m.id = t.merchant_id
WHERE k.key_hash = $1 AND k.revoked_at IS NULL`,
});

const usedSinceStatement = {
  name: 'api_keys.used_since',
  text: `
SELECT key_hash AS hash FROM api_keys
WHERE last_used_at > $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)
ORDER BY last_used_at DESC LIMIT $3`,
};

/** The hashes of the latest used keys since then that still work; the oldest of them first. */
export async function hashesUsedSince(
  database: Queryable,
  { sinceMs, nowMs, limit }: { sinceMs: number; nowMs: number; limit: number },
): Promise<Buffer[]> {
  const values = [timestamp(sinceMs), timestamp(nowMs), limit];
  const rows = await database.query<{ hash: Buffer }>(usedSinceStatement, values);
  return rows.map(({ hash }) => hash).reverse();
}

/** False if it was already revoked. */
export async function markRevoked(
  database: Queryable,
  { tenantId, id }: Pick<ApiKey, 'tenantId' | 'id'>,
  atMs: number,
): Promise<boolean> {
  const text = `UPDATE api_keys SET revoked_at = $3
    WHERE tenant_id = $1 AND id = $2 AND revoked_at IS NULL RETURNING id`;
  return (await database.query({ text }, [tenantId, id, timestamp(atMs)])).length > 0;
}

/** Locks the key to be replaced: nobody can use or roll it meanwhile. */
export const lockKey = rowQuery<ApiKey, [id: string]>({
  text: `${keySelect} WHERE k.id = $1 FOR UPDATE OF k`,
});

export async function markRolled(
  database: Queryable,
  { tenantId, id }: Pick<ApiKey, 'tenantId' | 'id'>,
  { to, expiresAtMs }: { to: string; expiresAtMs: number },
): Promise<void> {
  const text = `UPDATE api_keys SET rolled_to = $3, expires_at = $4 WHERE tenant_id = $1 AND id = $2`;
  await database.query({ text }, [tenantId, id, to, timestamp(expiresAtMs)]);
}

const keyUses = rowsOf<{ tenantId: string; id: string; atMs: number }>({
  tenant_id: ['uuid', ({ tenantId }) => tenantId],
  id: ['uuid', ({ id }) => id],
  at: ['timestamptz', ({ atMs }) => atMs],
});

/** Stores when keys were used, unless another process has stored a later use. */
export const { run: noteUse } = prepare({
  name: 'api_keys.note_use',
  given: { uses: keyUses },
  text: ({ uses }) => `
UPDATE api_keys k SET last_used_at = given.at
FROM ${uses}
WHERE k.tenant_id = given.tenant_id AND k.id = given.id
  AND (k.last_used_at IS NULL OR k.last_used_at < given.at)`,
});
