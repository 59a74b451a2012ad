import { pino } from 'pino';
import type { Config } from '../../platform/config/config.ts';
import { reasonOf } from '../../platform/errors/errors.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import { openDatabase, type Queryable } from '../../platform/postgres/database.ts';
import { schemaOf } from '../../platform/postgres/url-options.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { formatId, randomIds } from '../../platform/values/ids.ts';
import type { OpenedCell } from '../../tenants/cells/across.ts';
import { type Cell, homeName } from '../../tenants/cells/cell.ts';
import { lookAtCells } from '../../tenants/cells/look.ts';
import { settleRestored, type Unsettled } from '../../tenants/cells/restored.ts';
import { makeSchema } from '../../tenants/cells/schema.ts';
import { changeCellUrl, changeOf } from '../../tenants/cells/set-url.ts';
import { cellOf } from '../../tenants/cells/store.ts';
import { formatCount } from '../output.ts';
import { secretBoxOf } from '../secret-box.ts';
import { whoRuns } from '../workspace.ts';
import { refuseNoUrl } from './create.ts';
import { cellsOf, onceIn, openCells, reaching, secretHint, withChosenCell } from './find.ts';
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

/** With the names of cells that could not be asked. */
export type SettledCell = Unsettled & { silent: string[] };

/** Part of the transaction of a restore: see {@link settleRestored}. */
export async function settleCells(
  transaction: Queryable,
  config: Config,
  homeUrl: string,
): Promise<SettledCell> {
  const cell = chosenCell() ?? homeName;
  const cells = await cellsBeside(transaction, config, homeUrl);
  const { result, silent } = await askOthers(cells, cell, (others) =>
    settleRestored(transaction, cell, others),
  );
  return { ...result, silent };
}

/** Tells of what no restore can put right, and has the command exit with 1. */
export function tellUnsettled(cell: string, { lost, silent }: SettledCell): void {
  if (lost.length + silent.length > 0) process.exitCode = 1;
  if (lost.length > 0) {
    const are = lost.length === 1 ? '1 merchant is' : `${formatCount(lost.length)} merchants are`;
    console.error(`
${are} in ${cell} by the directory, and in no cell${silent.length > 0 ? ' that answers' : ''}: they came to ${cell}, or were made in it, after it was backed up.
${lost.map((id) => formatId('me', id)).join('\n')}
Who came from another cell is in the last backup of that one: restore it into an empty database of its own, to look (docs/backup.md).`);
  }
  if (silent.length === 0) return;
  console.error(`
These cells do not answer, so a merchant may be in them and in ${cell}: ${silent.join(', ')}.
When they do, run  zimbo cells settle ${cell}  before a gateway starts (docs/backup.md).`);
}

interface Place {
  config: Config;
  homeUrl: string;
  /** Of --url: where the cell of --cell is from now on. */
  newUrl: string | undefined;
}

/**
 * Runs with where a backup goes: the home, the cell of --cell, or where that cell is to be from now on. Then the home has
 * its new address once that is done.
 */
export async function withPlace<T>(
  { config, homeUrl, newUrl }: Place,
  run: (url: string) => Promise<T>,
): Promise<T> {
  const name = chosenCell();
  if (newUrl === undefined) {
    if (name === undefined) return run(homeUrl);
    const advice = `If it is to be in another database from now on, say where:  --cell ${name} --url URL`;
    return withChosenCell(config, homeUrl, ({ url }) => run(url), advice);
  }
  refuseNoUrl(newUrl);
  if (name === undefined || name === homeName)
    throw new StartError('--url is for a further cell: the home is where DATABASE_URL leads.');
  const secrets = await secretBoxOf(config, secretHint);
  const change = await onceIn(homeUrl, (home) =>
    changeOf(home, { name, databaseUrl: newUrl, secrets }),
  );
  const cell = cellOf(change.after, homeUrl);
  const result = await reaching(cell.url, () => run(cell.url));
  const by = { clock: systemClock, ids: randomIds(), ...whoRuns() };
  await onceIn(homeUrl, (home) =>
    home.transaction((transaction) =>
      changeCellUrl(transaction, { ...by, homeUrl, secrets }, change),
    ),
  ).catch((error: Error) => {
    throw new StartError(
      `The backup was restored, and the home still has the old address of ${name}: ${reasonOf(error)}.`,
      `Change it with the same URL:  zimbo cells set-url ${name} --url URL`,
    );
  });
  return result;
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
