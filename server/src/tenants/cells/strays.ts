import type { Queryable } from '../../platform/postgres/database.ts';
import { type OpenedCell, type Shared, sharedBy } from './across.ts';
import { homeName } from './cell.ts';
import { oneCellPerMerchant } from './uniques.ts';

/** A merchant that is not where it should be, in words without its id. */
export interface Stray {
  merchantId: string;
  cells: string[];
  message: string;
}

const tenantsAtOnce = 10_000;

/**
 * Merchants that are in two cells, or not in the cell in which the directory has them: a cell, or the home, was restored
 * from before they moved.
 * @param cells those that answer, the home among them
 */
export async function findStrays(cells: readonly OpenedCell[]): Promise<Stray[]> {
  const twice = (await sharedBy(cells, oneCellPerMerchant)).map(strayOf);
  const home = cells.find(({ cell }) => cell === homeName);
  if (!home) return twice;
  const missing = [];
  for (const { cell, database } of cells)
    missing.push(...(await missingIn(home.database, cell, database)));
  return [...twice, ...missing];
}

function strayOf({ key: merchantId, found }: Shared): Stray {
  const cells = found.map(({ cell }) => cell);
  const message = `(${found[0]!.detail}) is in ${cells.join(' and in ')}; a merchant lives in one cell`;
  return { merchantId, cells, message };
}

const directoryText = `
SELECT t.tenant_id AS id, t.merchant_id AS "merchantId" FROM cell_tenants t
WHERE t.cell = $1 AND t.tenant_id > $2
  AND NOT EXISTS (SELECT FROM cell_moves m WHERE m.merchant_id = t.merchant_id AND m.state <> 'DONE')
ORDER BY t.tenant_id LIMIT ${tenantsAtOnce}`;
const lackingText = `
SELECT id FROM unnest($1::uuid[]) AS id WHERE NOT EXISTS (SELECT FROM tenants t WHERE t.id = id.id)`;

/** What the directory has there, and the cell has not. */
export async function missingIn(
  home: Queryable,
  cell: string,
  database: Queryable,
): Promise<Stray[]> {
  const found = new Set<string>();
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await home.query<{ id: string; merchantId: string }>({ text: directoryText }, [
      cell,
      after,
    ]);
    const ids = rows.map(({ id }) => id);
    const lacking = await database.query<{ id: string }>({ text: lackingText }, [ids]);
    const isLacking = new Set(lacking.map(({ id }) => id));
    for (const { id, merchantId } of rows) if (isLacking.has(id)) found.add(merchantId);
    if (rows.length < tenantsAtOnce) break;
    after = rows.at(-1)!.id;
  }
  const message = `is in ${cell} by the directory, and is not there`;
  return [...found].map((merchantId) => ({ merchantId, cells: [cell], message }));
}
