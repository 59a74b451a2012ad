import { pino } from 'pino';
import { StartError } from '../../platform/errors/start-error.ts';
import { type Database, openDatabase, type Queryable } from '../../platform/postgres/database.ts';
import { type Cell, homeName } from '../../tenants/cells/cell.ts';
import type { OpenedCell } from '../../tenants/cells/duplicates.ts';
import { listCells } from '../../tenants/cells/store.ts';
import { chosenCell } from './option.ts';

/** All cells of an installation, the home first. */
export async function cellsOf(home: { database: Queryable; url: string }): Promise<Cell[]> {
  try {
    return await listCells(home.database, home.url);
  } catch (error) {
    // A home of before there were others, which this command leaves as it is.
    const undefinedTable = '42P01';
    if ((error as { code?: unknown }).code !== undefinedTable) throw error;
    return [{ name: homeName, url: home.url }];
  }
}

/** The cell of --cell. @throws StartError if there is none of this name */
export const findChosenCell = (homeUrl: string): Promise<Cell> =>
  onceIn(homeUrl, async (database) =>
    cellNamed(await cellsOf({ database, url: homeUrl }), chosenCell() ?? homeName),
  );

const statementTimeoutMs = 3_600_000;

/** Opens cells as they are; the caller reports failures. */
export const openCells = (cells: readonly Cell[]): OpenedCell[] =>
  cells.map(({ name: cell, url }) => {
    const log = pino({ level: 'silent' });
    return { cell, database: openDatabase({ url, log, maxConnections: 1, statementTimeoutMs }) };
  });

/** Asks a database that is left as it is. */
export async function onceIn<T>(url: string, ask: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase({ url, log: pino({ level: 'silent' }), maxConnections: 1 });
  try {
    return await ask(database);
  } finally {
    await database.close();
  }
}

/** @throws StartError if there is none of this name */
export function cellNamed(cells: readonly Cell[], name: string): Cell {
  const found = cells.find((cell) => cell.name === name);
  if (found) return found;
  throw new StartError(
    `There is no cell ${JSON.stringify(name)}.`,
    '"zimbo cells list" shows them all.',
  );
}
