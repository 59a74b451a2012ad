import type { TSchema } from 'typebox';
import { listOf } from '../../platform/http/lists.ts';
import { Type } from '../../platform/http/type.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Told } from '../../tenants/cells/everywhere.ts';
import type { InCell } from '../../tenants/cells/staff-cells.ts';
import { findServedMerchant } from '../../tenants/merchants/store.ts';
import type { AdminServices } from './services.ts';

/** What all cells have, where a program asks the home of several; else what the one has. */
export async function everywhere<Row extends object>(
  { database, cells }: Pick<AdminServices, 'database' | 'cells'>,
  ask: (database: Database) => Promise<Row[]>,
): Promise<Told<Row>> {
  return cells?.everywhere ? cells.everywhere.ask(ask) : { rows: await ask(database), away: [] };
}

/**
 * Where a merchant is served that the body of a request names: nobody has read it before.
 * @throws UNAVAILABLE it may be in a cell that does not answer
 */
export async function databaseOf(services: AdminServices, merchantId: string): Promise<Database> {
  const all = services.cells?.everywhere;
  const found = await all?.find((database) => findServedMerchant(database, merchantId));
  return all && found?.cell !== undefined ? all.databaseOf(found.cell) : services.database;
}

/** The envelope of a list of all cells. */
export const listOfCells = <Item extends TSchema>(item: Item) => {
  const { properties, ...rest } = listOf(item);
  const cellsAway = Type.Optional(
    Type.Array(Type.String(), {
      description: 'Cells that did not answer, so that the list lacks what they hold',
    }),
  );
  return Type.Object({ ...properties, cellsAway }, rest);
};

/** In which of several cells an item is. */
export const cell = Type.Optional(
  Type.String({ description: 'In which of several cells it is', examples: ['north'] }),
);

/** What an item says of its cell. */
export const cellOf = (row: InCell): InCell => (row.cell === undefined ? {} : { cell: row.cell });
