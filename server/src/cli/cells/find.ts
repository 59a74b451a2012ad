import { pino } from 'pino';
import type { Config } from '../../platform/config/config.ts';
import { reasonOf } from '../../platform/errors/errors.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import { addressOf } from '../../platform/postgres/address.ts';
import { type Database, openDatabase, type Queryable } from '../../platform/postgres/database.ts';
import { isTransient } from '../../platform/postgres/transient-errors.ts';
import type { OpenedCell } from '../../tenants/cells/across.ts';
import { type Cell, homeName } from '../../tenants/cells/cell.ts';
import { listCells, unreadable } from '../../tenants/cells/store.ts';
import { isOfDatabase } from '../failure.ts';
import { secretBoxOf } from '../secret-box.ts';
import { chosenCell } from './option.ts';

export const secretHint =
  'Addresses of cells are kept encrypted: set the key that the gateway runs with.';

/** All cells of an installation, the home first. */
export async function cellsOf(
  config: Config,
  home: { database: Queryable; url: string },
): Promise<Cell[]> {
  const secrets = await secretBoxOf(config, secretHint);
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
export async function reaching<T>(
  url: string,
  run: () => Promise<T>,
  advice = 'Check that PostgreSQL runs there, and that the address is right.',
): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!isOfDatabase(error) && !isLate(error)) throw error;
    throw new StartError(
      `The database ${addressOf(url)} cannot be used: ${reasonOf(error)}.`,
      advice,
    );
  }
}

/** It said nothing in time, which has no code. */
const isLate = (error: unknown): error is Error =>
  error instanceof Error && !('code' in error || error instanceof StartError) && isTransient(error);

/** The same of a cell of the home. @throws StartError also where its address cannot be read */
export async function reachingCell<T>(
  { isUnreadable, name, url }: Cell,
  run: () => Promise<T>,
  advice?: string,
): Promise<T> {
  if (isUnreadable) throw unreadable(name, advice);
  return name === homeName ? run() : reaching(url, run, advice ?? awayAdvice(name));
}

/** What to do where a cell is away. */
export const awayAdvice = (name: string) =>
  `Check that PostgreSQL runs there. "zimbo cells list" shows which cells answer, and  zimbo cells set-url ${name} --url URL  changes the address.`;

/** Runs with the cell of --cell. */
export async function withChosenCell<T>(
  config: Config,
  homeUrl: string,
  run: (cell: Cell) => Promise<T>,
  advice?: string,
): Promise<T> {
  const cell = await findChosenCell(config, homeUrl);
  return reachingCell(cell, () => run(cell), advice);
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
