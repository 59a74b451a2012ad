import { type Queryable, timestamp } from '../platform/database.ts';
import type { Mode, Permission } from './api-key.ts';

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

/** A key as it is stored: of the key itself, only its hash and its end. */
export interface ApiKey {
  tenantId: string;
  id: string;
  merchantId: string;
  mode: Mode;
  last4: string;
  permissions: Permission[];
  createdAtMs: number;
  revokedAtMs: number | null;
}

export async function insertMerchant(
  database: Queryable,
  merchant: Merchant,
  tenants: readonly Tenant[],
): Promise<void> {
  const createdAt = timestamp(merchant.createdAtMs);
  await database.query(
    { text: 'INSERT INTO merchants (id, name, created_at) VALUES ($1, $2, $3)' },
    [merchant.id, merchant.name, createdAt],
  );
  for (const { id, merchantId, mode } of tenants) {
    await database.query(
      { text: 'INSERT INTO tenants (id, merchant_id, mode, created_at) VALUES ($1, $2, $3, $4)' },
      [id, merchantId, mode, createdAt],
    );
  }
}

/** All merchants, oldest first. */
export function listMerchants(database: Queryable): Promise<Merchant[]> {
  return database.query<Merchant>({
    text: 'SELECT id, name, created_at AS "createdAtMs" FROM merchants ORDER BY id',
  });
}

export async function hasMerchants(database: Queryable): Promise<boolean> {
  return (await database.query({ text: 'SELECT 1 FROM merchants LIMIT 1' })).length > 0;
}

export async function findMerchant(database: Queryable, id: string): Promise<Merchant | undefined> {
  const text = 'SELECT id, name, created_at AS "createdAtMs" FROM merchants WHERE id = $1';
  return (await database.query<Merchant>({ text }, [id]))[0];
}

export async function findTenant(
  database: Queryable,
  merchantId: string,
  mode: Mode,
): Promise<Tenant | undefined> {
  const text =
    'SELECT id, merchant_id AS "merchantId", mode FROM tenants WHERE merchant_id = $1 AND mode = $2';
  return (await database.query<Tenant>({ text }, [merchantId, mode]))[0];
}

export function findTenants(database: Queryable, ids: readonly string[]): Promise<Tenant[]> {
  const text =
    'SELECT id, merchant_id AS "merchantId", mode FROM tenants WHERE id = ANY ($1::uuid[])';
  return database.query<Tenant>({ text }, [ids]);
}

export async function insertKey(
  database: Queryable,
  key: Omit<ApiKey, 'revokedAtMs'> & { hash: Buffer },
): Promise<void> {
  await database.query(
    {
      text: `INSERT INTO api_keys (tenant_id, id, key_hash, last4, permissions, created_at)
        VALUES ($1, $2, $3, $4, $5, $6)`,
    },
    [key.tenantId, key.id, key.hash, key.last4, key.permissions, timestamp(key.createdAtMs)],
  );
}

const keySelect = `
SELECT k.tenant_id AS "tenantId", k.id, t.merchant_id AS "merchantId", t.mode, k.last4, k.permissions,
  k.created_at AS "createdAtMs", k.revoked_at AS "revokedAtMs"
FROM api_keys k JOIN tenants t ON t.id = k.tenant_id`;

/** The keys of one merchant, or of all, oldest first; revoked ones too. */
export function listKeys(database: Queryable, merchantId?: string): Promise<ApiKey[]> {
  const text = `${keySelect} WHERE $1::uuid IS NULL OR t.merchant_id = $1 ORDER BY k.id`;
  return database.query<ApiKey>({ text }, [merchantId ?? null]);
}

/** By its id alone: whoever runs the command line knows no tenants. */
export async function findKey(database: Queryable, id: string): Promise<ApiKey | undefined> {
  return (await database.query<ApiKey>({ text: `${keySelect} WHERE k.id = $1` }, [id]))[0];
}

const findByHashStatement = {
  name: 'api_keys.find_by_hash',
  text: `${keySelect} WHERE k.key_hash = $1 AND k.revoked_at IS NULL`,
};

/** The key with this hash, unless it was revoked. */
export async function findKeyByHash(
  database: Queryable,
  hash: Buffer,
): Promise<ApiKey | undefined> {
  return (await database.query<ApiKey>(findByHashStatement, [hash]))[0];
}

/** False where it had been revoked before. */
export async function markRevoked(
  database: Queryable,
  { tenantId, id }: Pick<ApiKey, 'tenantId' | 'id'>,
  atMs: number,
): Promise<boolean> {
  const text = `UPDATE api_keys SET revoked_at = $3
    WHERE tenant_id = $1 AND id = $2 AND revoked_at IS NULL RETURNING id`;
  return (await database.query({ text }, [tenantId, id, timestamp(atMs)])).length > 0;
}
