import type { Queryable } from '../../platform/postgres/database.ts';
import type { OpenedCell } from './across.ts';
import { merchantsServedElsewhere } from './store.ts';
import { type MovingTable, movingTables } from './tables.ts';

/** Rows of a merchant in a cell that does not have it: how many, by table. */
export interface LeftRows {
  /** Null where no cell has it. */
  merchantId: string | null;
  cell: string;
  counts: Record<string, number>;
}

interface Row {
  table: string;
  ownerId: string;
  count: number;
}

const ownerTable = ({ owner }: MovingTable) => (owner.of === 'TENANT' ? 'tenants' : 'merchants');

const leftText = movingTables
  .filter(({ name }) => name !== 'merchants')
  .map((table) => {
    const owner = `t.${table.owner.column}`;
    return `
SELECT '${table.name}' AS "table", ${owner} AS "ownerId", count(*)::integer AS count FROM ${table.name} t
WHERE ${owner} IS NOT NULL AND NOT EXISTS (SELECT FROM ${ownerTable(table)} o WHERE o.id = ${owner})
GROUP BY 2`;
  })
  .join(' UNION ALL ');

const merchantsText = `
SELECT id, merchant_id AS "merchantId" FROM tenants WHERE id = ANY ($1::uuid[])
UNION ALL SELECT id, id FROM merchants WHERE id = ANY ($1::uuid[])`;

/**
 * Rows that were written in a cell after their merchant had left it, by a program of before it was refused, or that came
 * with a backup. What joins tenants does not see them, and nobody works on them.
 * @param cells those that answer, one of which has the merchant
 */
export async function findLeftRows(cells: readonly OpenedCell[]): Promise<LeftRows[]> {
  const left: LeftRows[] = [];
  for (const { cell, database } of cells) {
    const rows = await database.query<Row>({ text: leftText });
    if (rows.length === 0) continue;
    const merchants = await merchantsOf(cells, rows);
    // A merchant that arrives has its rows here first.
    const elsewhere = await merchantsServedElsewhere(database);
    // Of one that has arrived meanwhile, or was taken back, nothing is found again.
    const again = new Set((await database.query<Row>({ text: leftText })).map(keyOf));
    for (const row of rows.filter((each) => again.has(keyOf(each)))) {
      const merchantId = merchants.get(row.ownerId) ?? null;
      if (merchantId === null || !elsewhere.has(merchantId)) add(left, cell, merchantId, row);
    }
  }
  return left;
}

const keyOf = ({ table, ownerId }: Row) => `${table} ${ownerId}`;

function add(left: LeftRows[], cell: string, merchantId: string | null, row: Row): void {
  const before = left.find((each) => each.cell === cell && each.merchantId === merchantId);
  const found = before ?? { merchantId, cell, counts: {} };
  if (!before) left.push(found);
  found.counts[row.table] = (found.counts[row.table] ?? 0) + row.count;
}

/** By the ids of tenants and merchants, as the cells that have them say. */
async function merchantsOf(cells: readonly OpenedCell[], rows: readonly Row[]) {
  const found = new Map<string, string>();
  const values = [[...new Set(rows.map(({ ownerId }) => ownerId))]];
  for (const { database } of cells) {
    const known = await database.query<{ id: string; merchantId: string }>(
      { text: merchantsText },
      values,
    );
    for (const { id, merchantId } of known) found.set(id, merchantId);
  }
  return found;
}

/** How many rows, in words: `1 of payments, 2 of events`. */
export const wordsOfCounts = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([table, count]) => `${count} of ${table}`)
    .join(', ');

/** What a cell has of these owners, by table, whether it has them or not. */
export async function countRows(
  cell: Queryable,
  owner: { merchantId: string; tenantIds: readonly string[] },
): Promise<Record<string, number>> {
  const text = movingTables
    .map(
      ({ name, owner: { column } }) => `
SELECT '${name}' AS "table", count(*)::integer AS count FROM ${name} t WHERE t.${column} = ANY ($1::uuid[])`,
    )
    .join(' UNION ALL ');
  const values = [[owner.merchantId, ...owner.tenantIds]];
  const rows = await cell.query<Pick<Row, 'table' | 'count'>>({ text }, values);
  return Object.fromEntries(
    rows.flatMap(({ table, count }) => (count > 0 ? [[table, count]] : [])),
  );
}
