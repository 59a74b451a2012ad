import { pino } from 'pino';
import type { OpenedCell } from '../../cells/across.ts';
import { type Cell, homeName } from '../../cells/cell.ts';
import type { Config } from '../../config/config.ts';
import { reasonOf } from '../../errors.ts';
import { addressOf } from '../../postgres/address.ts';
import { type Database, openDatabase, type Queryable } from '../../postgres/database.ts';
import { StartError } from '../../start-error.ts';
import { isOfDatabase } from '../failure.ts';
import { secretBoxOf } from '../secret-box.ts';
import { chosenCell } from './option.ts';

const secretHint = 'Addresses of cells are kept encrypted: set the key that the gateway runs with.';

/** All cells of an installation, the home first. */
export async function cellsOf(
  config: Config,
  home: { database: Queryable; url: string },
): Promise<Cell[]> {
  const [{ listCells }, secrets] = await Promise.all([
    import('../../cells/store.ts'),
    secretBoxOf(config, secretHint),
  ]);
  try {
    return await listCells(home.database, home.url, secrets);
  } catch (error) {
    // A home of before there were others, which this command leaves as it is.
    const undefinedTable = '42P01';
    if ((error as { code?: unknown }).code !== undefinedTable) throw error;
    return [{ name: homeName, engine: 'POSTGRESQL', url: home.url }];
  }
}

/** The cell of --cell. @throws StartError if there is none of this name */
export const findChosenCell = (config: Config, homeUrl: string): Promise<Cell> =>
  onceIn(homeUrl, async (database) =>
    cellNamed(await cellsOf(config, { database, url: homeUrl }), chosenCell() ?? homeName),
  );

const statementTimeoutMs = 3_600_000;

/** Opens cells as they are; what goes wrong is told by the caller. */
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

/**
 * Runs with the database of a cell, which is not that of DATABASE_URL.
 * @throws StartError that names it, where it does not answer
 */
export async function reaching<T>(url: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!isOfDatabase(error)) throw error;
    throw new StartError(
      `The database ${addressOf(url)} cannot be used: ${reasonOf(error)}.`,
      'Check that PostgreSQL runs there, and that the address is right.',
    );
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
