import type { Database } from '../../platform/postgres/database.ts';
import { type InCell, staffFolderOf } from '../../tenants/cells/staff-cells.ts';
import { addressesBelow } from './page-urls.ts';
import type { RequestContext } from './request-context.ts';

/** What all cells have, on pages of the home of several; elsewhere what the one has. */
export async function everywhere<Row extends object>(
  { services }: Pick<RequestContext, 'services'>,
  ask: (database: Database) => Promise<Row[]>,
): Promise<(Row & InCell)[]> {
  const all = services.cells?.allCells;
  return all ? all.query(ask) : ask(services.database);
}

/** The visit as of the cell that a row is in: its links lead there, and its database is that one. */
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
