import type { Queryable } from '../../platform/postgres/database.ts';

/** Where a tenant lives. */
export interface Place {
  tenantId: string;
  merchantId: string;
  cell: string;
}

/** What is looked for: a tenant, a merchant, the tenant of a key, by its hash, or of a thing that staff name. */
export type Sought =
  | { kind: 'TENANT'; id: string }
  | { kind: 'MERCHANT'; id: string }
  | { kind: 'KEY'; hash: Buffer }
  | { kind: 'THING'; of: ThingKind; id: string };

/** By the prefix of its id. */
export type ThingKind = 'pi' | 're' | 'ri' | 'se' | 'ap' | 'ak' | 'reversal';

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

const valueIn = (sought: Sought) => (sought.kind === 'KEY' ? sought.hash : sought.id);

/** As the directory has it: things of merchants are in no list. */
export async function findPlace(home: Queryable, sought: Sought): Promise<Place | undefined> {
  if (sought.kind === 'THING') return undefined;
  return (await home.query<Place>(knownStatements[sought.kind], [valueIn(sought)]))[0];
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

/** Whose it is, as a cell has it. */
export interface FoundInCell extends Omit<Place, 'cell'> {
  /** False where the merchant has left, or has not yet arrived. */
  isHere: boolean;
}

const found = `t.id AS "tenantId", t.merchant_id AS "merchantId", NOT EXISTS (
    SELECT FROM moving_merchants m
    WHERE m.merchant_id = t.merchant_id AND m.state IN ('ARRIVING', 'GONE')) AS "isHere"`;
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

const tableOf: Record<ThingKind, string> = {
  pi: 'payments',
  re: 'refunds',
  ri: 'review_items',
  se: 'settlements',
  ap: 'approvals',
  ak: 'api_keys',
  reversal: 'reversals',
};

/** Settlements and review items have an index by their id; of the rest, that of each tenant is looked at in turn. */
const thingStatement = (of: ThingKind) => ({
  name: `${tableOf[of]}.lives_here`,
  text: `
SELECT ${found} FROM ${tableOf[of]} x JOIN tenants t ON t.id = x.tenant_id WHERE x.id = $1 LIMIT 1`,
});

/** As a cell says of itself. */
export async function findInCell(
  cell: Queryable,
  sought: Sought,
): Promise<FoundInCell | undefined> {
  const statement =
    sought.kind === 'THING' ? thingStatement(sought.of) : livingStatements[sought.kind];
  return (await cell.query<FoundInCell>(statement, [valueIn(sought)]))[0];
}

const rememberStatement = {
  name: 'cell_tenants.remember',
  text: `
WITH tenant AS (
  INSERT INTO cell_tenants (tenant_id, merchant_id, cell) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING
)
INSERT INTO cell_keys (key_hash, tenant_id) SELECT $4, $1 WHERE $4::bytea IS NOT NULL ON CONFLICT DO NOTHING`,
};

/** Notes what a cell has said, unless somebody knows better: whoever has moved a merchant says where it is. */
export async function rememberPlace(
  home: Queryable,
  { tenantId, merchantId, cell }: Place,
  keyHash: Buffer | undefined,
): Promise<void> {
  await home.query(rememberStatement, [tenantId, merchantId, cell, keyHash ?? null]);
}

export interface Move {
  merchantId: string;
  /** Of this run of the mover. */
  moveId: string;
  /** Where the merchant is served. */
  cell: string;
  /** For how much longer its requests wait, by the clock of the home. */
  holdsForMs: number;
}

const movesStatement = {
  name: 'cell_moves.since',
  text: `
SELECT (extract(epoch FROM now()) * 1000)::float8 AS "asOfMs", m.merchant_id AS "merchantId", m.move_id AS "moveId",
  CASE WHEN m.state IN ('SWITCHED', 'DONE') THEN m.to_cell ELSE m.from_cell END AS cell,
  CASE WHEN m.state = 'HOLDING'
    THEN greatest(0, extract(epoch FROM m.holds_until - clock_timestamp()) * 1000) ELSE 0 END::float8 AS "holdsForMs"
FROM (VALUES (1)) AS once (row) LEFT JOIN cell_moves m
  ON m.changed_at > coalesce(to_timestamp($1::float8 / 1000), now()) - make_interval(secs => $2)`,
};

/**
 * What has moved, or moves.
 * @param since an instant that an earlier answer named, or undefined: now; and how much before that
 * @returns as of which instant, by the clock of the home
 */
export async function findMoves(
  home: Queryable,
  since: { sinceMs: number | undefined; marginSeconds: number },
): Promise<{ asOfMs: number; moves: Move[] }> {
  const values = [since.sinceMs ?? null, since.marginSeconds];
  type Row = { asOfMs: number } & (Move | { merchantId: null });
  const rows = await home.query<Row>(movesStatement, values);
  const moves = rows.filter((row): row is Row & Move => row.merchantId !== null);
  return { asOfMs: rows[0]!.asOfMs, moves };
}
