import { Type } from '../../platform/http/type.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { InCell } from '../../tenants/cells/staff-cells.ts';
import { findMerchant } from '../../tenants/merchants/store.ts';
import type { AdminServices } from './services.ts';

/** What all cells have, where a program asks the home of several; else what the one has. */
export async function everywhere<Row extends object>(
  { database, cells }: Pick<AdminServices, 'database' | 'cells'>,
  ask: (database: Database) => Promise<Row[]>,
): Promise<(Row & InCell)[]> {
  return cells?.everywhere ? cells.everywhere.ask(ask) : ask(database);
}

/** Where a merchant is that the body of a request names: nobody has read the body before. */
export async function databaseOf(services: AdminServices, merchantId: string): Promise<Database> {
  const all = services.cells?.everywhere;
  const found = await all?.find((database) => findMerchant(database, merchantId));
  return all && found?.cell !== undefined ? all.databaseOf(found.cell) : services.database;
}

/** In which of several cells an item is. */
export const cell = Type.Optional(
  Type.String({ description: 'In which of several cells it is', examples: ['north'] }),
);

/** What an item says of its cell. */
export const cellOf = (row: InCell): InCell => (row.cell === undefined ? {} : { cell: row.cell });
