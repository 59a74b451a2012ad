import { type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { rowQuery, rowsQuery } from '../../platform/postgres/query.ts';
import { prepare, rowsOf } from '../../platform/postgres/statement.ts';
import type { StaffPermission } from './staff-permissions.ts';

/** A key of `/admin/v1` as stored: of the key itself, only its hash and its end. */
export interface AdminKey {
  id: string;
  label: string;
  last4: string;
  permissions: StaffPermission[];
  /** Addresses and networks (CIDR); if empty, any address. */
  allowedAddresses: string[];
  /** Its author, as named in the audit log. */
  createdBy: string;
  createdAtMs: number;
  expiresAtMs: number | null;
  revokedAtMs: number | null;
  /** May lag behind its last use by a minute or so. */
  lastUsedAtMs: number | null;
}

export type NewAdminKey = Omit<AdminKey, 'revokedAtMs' | 'lastUsedAtMs'>;

/** False if a key with this id exists. */
export async function insertAdminKey(
  database: Queryable,
  key: NewAdminKey & { hash: Buffer },
): Promise<boolean> {
  const inserted = await database.query(
    {
      text: `INSERT INTO admin_keys (id, label, key_hash, last4, permissions, allowed_addresses, created_by,
          created_at, expires_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (id) DO NOTHING RETURNING id`,
    },
    [
      key.id,
      key.label,
      key.hash,
      key.last4,
      key.permissions,
      key.allowedAddresses,
      key.createdBy,
      timestamp(key.createdAtMs),
      timestamp(key.expiresAtMs),
    ],
  );
  return inserted.length > 0;
}

const keySelect = `
SELECT id, label, last4, permissions, allowed_addresses AS "allowedAddresses", created_by AS "createdBy",
  created_at AS "createdAtMs", expires_at AS "expiresAtMs", revoked_at AS "revokedAtMs",
  last_used_at AS "lastUsedAtMs"
FROM admin_keys`;

/** Newest first, after this id if given, including expired and revoked ones. */
export const listAdminKeys = rowsQuery<AdminKey, [limit: number, after: string | null]>({
  text: `${keySelect} WHERE $2::uuid IS NULL OR id < $2 ORDER BY id DESC LIMIT $1`,
});

export const findAdminKey = rowQuery<AdminKey, [id: string]>({
  text: `${keySelect} WHERE id = $1`,
});

/** The existing keys among these ids. */
export const findAdminKeys = rowsQuery<AdminKey, [ids: readonly string[]]>({
  text: `${keySelect} WHERE id = ANY ($1::uuid[])`,
});

/** The key with this hash, unless revoked; it may have expired. */
export const findAdminKeyByHash = rowQuery<AdminKey, [hash: Buffer]>({
  name: 'admin_keys.find_by_hash',
  text: `${keySelect} WHERE key_hash = $1 AND revoked_at IS NULL`,
});

/** False if it was already revoked. */
export async function markAdminKeyRevoked(
  database: Queryable,
  id: string,
  atMs: number,
): Promise<boolean> {
  const text = `UPDATE admin_keys SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING id`;
  return (await database.query({ text }, [id, timestamp(atMs)])).length > 0;
}

/** The hashes of the latest used keys since then that still work; the oldest of them first. */
export async function adminHashesUsedSince(
  database: Queryable,
  { sinceMs, nowMs, limit }: { sinceMs: number; nowMs: number; limit: number },
): Promise<Buffer[]> {
  const text = `
SELECT key_hash AS hash FROM admin_keys
WHERE last_used_at > $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)
ORDER BY last_used_at DESC LIMIT $3`;
  const values = [timestamp(sinceMs), timestamp(nowMs), limit];
  const rows = await database.query<{ hash: Buffer }>({ text }, values);
  return rows.map(({ hash }) => hash).reverse();
}

const keyUses = rowsOf<{ id: string; atMs: number }>({
  id: ['uuid', ({ id }) => id],
  at: ['timestamptz', ({ atMs }) => atMs],
});

/** Stores when keys were used, unless another process has stored a later use. */
export const { run: noteAdminUse } = prepare({
  name: 'admin_keys.note_use',
  given: { uses: keyUses },
  text: ({ uses }) => `
UPDATE admin_keys k SET last_used_at = given.at
FROM ${uses}
WHERE k.id = given.id AND (k.last_used_at IS NULL OR k.last_used_at < given.at)`,
});
