import type { Queryable } from '../../platform/postgres/database.ts';

/** Where a tenant lives. */
export interface Place {
  tenantId: string;
  merchantId: string;
  cell: string;
}

/** What is looked for: a tenant, a merchant, the tenant of a key, by its hash, or of a thing that staff name. */
export type CellLookup =
  | { kind: 'TENANT'; id: string }
  | { kind: 'MERCHANT'; id: string }
  | { kind: 'KEY'; hash: Buffer }
  | { kind: 'OBJECT'; of: ObjectKind; id: string };

/** By the prefix of its id. */
export type ObjectKind = 'pi' | 're' | 'ri' | 'se' | 'ap' | 'ak' | 'reversal';

const place = `t.tenant_id AS "tenantId", t.merchant_id AS "merchantId", t.cell`;
const knownStatements = {
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

const valueIn = (lookup: CellLookup) => (lookup.kind === 'KEY' ? lookup.hash : lookup.id);

/** As the directory has it: things of merchants are in no list. */
export async function findPlace(home: Queryable, lookup: CellLookup): Promise<Place | undefined> {
  if (lookup.kind === 'OBJECT') return undefined;
  return (await home.query<Place>(knownStatements[lookup.kind], [valueIn(lookup)]))[0];
}

const placesOfKeysStatement = {
  name: 'cell_keys.find_all',
  text: `
SELECT k.key_hash AS hash, ${place} FROM cell_keys k JOIN cell_tenants t ON t.tenant_id = k.tenant_id
WHERE k.key_hash = ANY ($1::bytea[])`,
};

/** Of those keys that the directory has, in no order. */
export const findPlacesOfKeys = (
  home: Queryable,
  hashes: readonly Buffer[],
): Promise<(Place & { hash: Buffer })[]> => home.query(placesOfKeysStatement, [hashes]);

const found = `t.id AS "tenantId", t.merchant_id AS "merchantId"`;
const livingStatements = {
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
};

const tableOf: Record<ObjectKind, string> = {
  pi: 'payments',
  re: 'refunds',
  ri: 'review_items',
  se: 'settlements',
  ap: 'approvals',
  ak: 'api_keys',
  reversal: 'reversals',
};

/** Settlements and review items have an index by their id; of the rest, that of each tenant is looked at in turn. */
const thingStatement = (of: ObjectKind) => ({
  name: `${tableOf[of]}.lives_here`,
  text: `
SELECT ${found} FROM ${tableOf[of]} x JOIN tenants t ON t.id = x.tenant_id WHERE x.id = $1 LIMIT 1`,
});

/** As a cell says of itself. */
export async function findInCell(
  cell: Queryable,
  lookup: CellLookup,
): Promise<Omit<Place, 'cell'> | undefined> {
  const statement =
    lookup.kind === 'OBJECT' ? thingStatement(lookup.of) : livingStatements[lookup.kind];
  return (await cell.query<Omit<Place, 'cell'>>(statement, [valueIn(lookup)]))[0];
}

const rememberStatement = {
  name: 'cell_tenants.remember',
  text: `
WITH tenant AS (
  INSERT INTO cell_tenants (tenant_id, merchant_id, cell) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
)
INSERT INTO cell_keys (key_hash, tenant_id) SELECT $4, $1 WHERE $4::bytea IS NOT NULL ON CONFLICT DO NOTHING`,
};

/** Notes what a cell has said. A merchant never changes its cell, so what is noted stays true. */
export async function rememberPlace(
  home: Queryable,
  { tenantId, merchantId, cell }: Place,
  keyHash: Buffer | undefined,
): Promise<void> {
  await home.query(rememberStatement, [tenantId, merchantId, cell, keyHash ?? null]);
}
