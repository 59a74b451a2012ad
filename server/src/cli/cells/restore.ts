import { pino } from 'pino';
import type { OpenedCell } from '../../cells/across.ts';
import { type Cell, homeName } from '../../cells/cell.ts';
import { lookAtCells } from '../../cells/look.ts';
import { settleRestored } from '../../cells/restored.ts';
import { makeSchema } from '../../cells/schema.ts';
import type { Config } from '../../config/config.ts';
import { openDatabase, type Queryable } from '../../postgres/database.ts';
import { schemaOf } from '../../postgres/url-options.ts';
import { cellsOf, onceIn, openCells } from './find.ts';
import { chosenCell } from './option.ts';

/** Of --cell, the schema is made if it is lost as well. */
export async function makeSchemaOfCell(url: string): Promise<void> {
  const schema = schemaOf(url);
  if (chosenCell() === undefined || schema === undefined) return;
  const database = openDatabase({ url, log: pino({ level: 'silent' }), maxConnections: 1 });
  try {
    await makeSchema(database, schema);
  } finally {
    await database.close();
  }
}

/**
 * Part of the transaction of a restore: see {@link settleRestored}.
 * @returns how many merchants live in another cell by now, and which cells could not be asked
 */
export async function settleCells(
  transaction: Queryable,
  config: Config,
  homeUrl: string,
): Promise<{ moved: number; silent: string[] }> {
  const cell = chosenCell() ?? homeName;
  const cells = await cellsBeside(transaction, config, homeUrl);
  const { result: moved, silent } = await askOthers(cells, cell, (others) =>
    settleRestored(transaction, cell, others),
  );
  return { moved, silent };
}

/** Opens the other cells that answer. @returns which do not, too */
export async function askOthers<T>(
  cells: readonly Cell[],
  cell: string,
  ask: (others: readonly OpenedCell[]) => Promise<T>,
): Promise<{ result: T; silent: string[] }> {
  const seen = await lookAtCells(cells.filter(({ name }) => name !== cell));
  const answering = seen.filter(({ state }) => typeof state !== 'string');
  const silent = seen.filter(({ state }) => typeof state === 'string').map(({ name }) => name);
  const opened = openCells(answering);
  try {
    return { result: await ask(opened), silent };
  } finally {
    await Promise.all(opened.map(({ database }) => database.close()));
  }
}

/** Of the home, the list is what is restored; nobody else sees it yet. */
async function cellsBeside(
  transaction: Queryable,
  config: Config,
  homeUrl: string,
): Promise<Cell[]> {
  if (chosenCell() === undefined || chosenCell() === homeName)
    return cellsOf(config, { database: transaction, url: homeUrl });
  return onceIn(homeUrl, (database) => cellsOf(config, { database, url: homeUrl }));
}
