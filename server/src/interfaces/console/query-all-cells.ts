import type { Database } from '../../platform/postgres/database.ts';
import { type InCell, staffFolderOf } from '../../tenants/cells/staff-cells.ts';
import { addressesBelow } from './page-urls.ts';
import type { RequestContext } from './request-context.ts';

/** The result of all cells on the home's pages, otherwise of this cell. */
export async function everywhere<Row extends object>(
  { services }: Pick<RequestContext, 'services'>,
  ask: (database: Database) => Promise<Row[]>,
): Promise<(Row & InCell)[]> {
  const all = services.cells?.allCells;
  return all ? all.query(ask) : ask(services.database);
}

/** The visit as seen from a row's cell: with its links and its database. */
export function visitOf<Visiting extends RequestContext>(
  visit: Visiting,
  { cell }: InCell,
): Visiting {
  const { cells } = visit.services;
  if (cell === undefined || !cells?.allCells || cell === cells.own) return visit;
  const database = cells.allCells.databaseOf(cell);
  const to = addressesBelow(visit.address(staffFolderOf(cell)));
  return { ...visit, services: { ...visit.services, database }, to };
}
