import { Type } from '../../platform/http/type.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { InCell } from '../../tenants/cells/staff-cells.ts';
import { findMerchant } from '../../tenants/merchants/store.ts';
import type { AdminServices } from './services.ts';

/** The result of all cells if the request came to the home of several, otherwise of this cell. */
export async function everywhere<Row extends object>(
  { database, cells }: Pick<AdminServices, 'database' | 'cells'>,
  ask: (database: Database) => Promise<Row[]>,
): Promise<(Row & InCell)[]> {
  return cells?.allCells ? cells.allCells.query(ask) : ask(database);
}

/** The cell of a merchant that only the body names, which the front does not read. */
export async function databaseOf(services: AdminServices, merchantId: string): Promise<Database> {
  const all = services.cells?.allCells;
  const found = await all?.find((database) => findMerchant(database, merchantId));
  return all && found?.cell !== undefined ? all.databaseOf(found.cell) : services.database;
}

/** The cell of an item, if there are several. */
export const cell = Type.Optional(
  Type.String({ description: 'Its cell, if there are several', examples: ['north'] }),
);

/** The part of an item that names its cell. */
export const cellOf = (row: InCell): InCell => (row.cell === undefined ? {} : { cell: row.cell });
