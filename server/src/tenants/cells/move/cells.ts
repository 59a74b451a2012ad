import type { Logger } from 'pino';
import {
  type Database,
  openDatabase,
  type Queryable,
} from '../../../platform/postgres/database.ts';
import type { Cell } from '../cell.ts';
import type { Owner } from './catalog.ts';

/** A cell that is open. */
export interface OpenCell extends Cell {
  database: Database;
}

/** Who may take part in a move: the home, which is the first, and the others. */
export interface OpenCells {
  home: OpenCell;
  all: readonly OpenCell[];
}

/** Statements of a move are over thousands of rows: longer than those of a gateway. */
const limits = { statementTimeoutMs: 60_000, maxConnections: 4 };

/** Opens a cell for a move. Whoever opened it closes it. */
export const openForMove = (cell: Cell, log: Logger): OpenCell => ({
  ...cell,
  database: openDatabase({ url: cell.url, log, ...limits }),
});

/** The merchant's tenants, where the cell has it. */
export async function ownerIn(
  { database }: { database: Queryable },
  merchantId: string,
): Promise<Owner | undefined> {
  const text = `
SELECT coalesce(array_agg(t.id ORDER BY t.id) FILTER (WHERE t.id IS NOT NULL), '{}') AS "tenantIds"
FROM merchants m LEFT JOIN tenants t ON t.merchant_id = m.id WHERE m.id = $1 GROUP BY m.id`;
  const [row] = await database.query<{ tenantIds: string[] }>({ text }, [merchantId]);
  return row && { merchantId, tenantIds: row.tenantIds };
}
