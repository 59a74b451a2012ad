import type { Queryable } from '../../platform/postgres/database.ts';

/** The location of a tenant. */
export interface TenantLocation {
  tenantId: string;
  merchantId: string;
  cell: string;
}

/**
 * A directory look-up: a tenant, a merchant, the tenant of a key by its hash, of a short link by its code, or of an
 * object that staff name.
 */
export type CellLookup =
  | { kind: 'TENANT'; id: string }
  | { kind: 'MERCHANT'; id: string }
  | { kind: 'KEY'; hash: Buffer }
  | { kind: 'SHORT_LINK'; id: string }
  | { kind: 'OBJECT'; of: ObjectKind; id: string };

/** The prefix of its id. */
export type ObjectKind = 'pi' | 're' | 'ri' | 'se' | 'ap' | 'ak' | 'di' | 'dib' | 'reversal';

const place = `t.tenant_id AS "tenantId", t.merchant_id AS "merchantId", t.cell`;
const directoryStatements = {
  TENANT: {
    name: 'cell_tenants.find',
    text: `SELECT ${place} FROM cell_tenants t WHERE t.tenant_id = $1`,
  },
  MERCHANT: {
    name: 'cell_tenants.of_merchant',
    text: `SELECT ${place} FROM cell_tenants t WHERE t.merchant_id = $1 LIMIT 1`,
  },
  KEY: {
    name: 'cell_keys.find',
    text: `SELECT ${place} FROM cell_keys k JOIN cell_tenants t ON t.tenant_id = k.tenant_id WHERE k.key_hash = $1`,
  },
};

const parameterOf = (lookup: CellLookup) => (lookup.kind === 'KEY' ? lookup.hash : lookup.id);

/** The location in the directory, which lists neither short links nor objects. */
export async function findLocation(
  home: Queryable,
  lookup: CellLookup,
): Promise<TenantLocation | undefined> {
  if (lookup.kind === 'OBJECT' || lookup.kind === 'SHORT_LINK') return undefined;
  return (
    await home.query<TenantLocation>(directoryStatements[lookup.kind], [parameterOf(lookup)])
  )[0];
}

const placesOfKeysStatement = {
  name: 'cell_keys.find_all',
  text: `
SELECT k.key_hash AS hash, ${place} FROM cell_keys k JOIN cell_tenants t ON t.tenant_id = k.tenant_id
WHERE k.key_hash = ANY ($1::bytea[])`,
};

/** The locations of the keys that the directory has, in no order. */
export const findLocationsOfKeys = (
  home: Queryable,
  hashes: readonly Buffer[],
): Promise<(TenantLocation & { hash: Buffer })[]> => home.query(placesOfKeysStatement, [hashes]);

const found = `t.id AS "tenantId", t.merchant_id AS "merchantId"`;
const cellStatements = {
  TENANT: {
    name: 'tenants.lives_here',
    text: `SELECT ${found} FROM tenants t WHERE t.id = $1`,
  },
  MERCHANT: {
    name: 'tenants.of_merchant_here',
    text: `SELECT ${found} FROM tenants t WHERE t.merchant_id = $1 LIMIT 1`,
  },
  KEY: {
    name: 'api_keys.lives_here',
    text: `SELECT ${found} FROM api_keys k JOIN tenants t ON t.id = k.tenant_id WHERE k.key_hash = $1`,
  },
  SHORT_LINK: {
    name: 'short_links.lives_here',
    text: `SELECT ${found} FROM short_links s JOIN tenants t ON t.id = s.tenant_id WHERE s.code = $1`,
  },
};

const tableOf: Record<ObjectKind, string> = {
  pi: 'payments',
  re: 'refunds',
  ri: 'review_items',
  se: 'settlements',
  ap: 'approvals',
  ak: 'api_keys',
  di: 'disbursements',
  dib: 'disbursement_batches',
  reversal: 'reversals',
};

/**
 * Settlements and review items have an index by id; for the others, PostgreSQL searches each tenant's index in turn.
 */
const objectStatement = (of: ObjectKind) => ({
  name: `${tableOf[of]}.lives_here`,
  text: `
SELECT ${found} FROM ${tableOf[of]} x JOIN tenants t ON t.id = x.tenant_id WHERE x.id = $1 LIMIT 1`,
});

/** The location according to the cell itself. */
export async function findInCell(
  cell: Queryable,
  lookup: CellLookup,
): Promise<Omit<TenantLocation, 'cell'> | undefined> {
  const statement =
    lookup.kind === 'OBJECT' ? objectStatement(lookup.of) : cellStatements[lookup.kind];
  return (await cell.query<Omit<TenantLocation, 'cell'>>(statement, [parameterOf(lookup)]))[0];
}

const rememberStatement = {
  name: 'cell_tenants.remember',
  text: `
WITH tenant AS (
  INSERT INTO cell_tenants (tenant_id, merchant_id, cell) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
)
INSERT INTO cell_keys (key_hash, tenant_id) SELECT $4, $1 WHERE $4::bytea IS NOT NULL ON CONFLICT DO NOTHING`,
};

/** Stores a cell's answer. A merchant never changes its cell, so it stays true. */
export async function storeLocation(
  home: Queryable,
  { tenantId, merchantId, cell }: TenantLocation,
  keyHash: Buffer | undefined,
): Promise<void> {
  await home.query(rememberStatement, [tenantId, merchantId, cell, keyHash ?? null]);
}
