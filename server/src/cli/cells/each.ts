import type { Config } from '../../platform/config/config.ts';
import { DomainError, reasonOf } from '../../platform/errors/errors.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import type { Role } from '../../platform/postgres/embedded/embedded.ts';
import { type Cell, homeName } from '../../tenants/cells/cell.ts';
import type { OpenedCell } from '../../tenants/cells/duplicates.ts';
import type { CellOutcome } from '../../tenants/cells/migrate.ts';
import { failureText } from '../failure.ts';
import {
  commandConfig,
  type Workspace,
  withHome,
  withWorkspace,
  workIn,
  workInCell,
} from '../workspace.ts';
import { chosenCell } from './option.ts';

/** @param isOnly no other cell is asked */
type Work<T> = (workspace: Workspace, cell: string, isOnly: boolean) => Promise<T>;

interface EachOptions {
  role?: Role;
  /** One after the other, for what is printed while it is found. */
  inTurn?: boolean;
}

/**
 * Runs a command in each cell, or in that of --cell alone: in the home first, then in all others at once. One that is
 * down keeps no other back. With one cell it is as `withWorkspace`.
 * @throws what went wrong in the home, or in the cell of --cell
 */
export async function inEachCell<T>(
  run: Work<T>,
  { role = 'command', inTurn = false }: EachOptions = {},
): Promise<CellOutcome<T>[]> {
  const chosen = chosenCell();
  if (chosen !== undefined) {
    return [{ cell: chosen, result: await withWorkspace((own) => run(own, chosen, true), role) }];
  }
  const config = await commandConfig();
  return withHome(config, role, async (url) => {
    const { result, further } = await workIn({ config, url }, async (home) => {
      const cells = await furtherCells(home.database, url);
      return { further: cells, result: await run(home, homeName, cells.length === 0) };
    });
    return [{ cell: homeName, result }, ...(await inFurther(config, further, run, inTurn))];
  });
}

async function allCells(database: Queryable, url: string): Promise<Cell[]> {
  const { cellsOf } = await import('./find.ts');
  return cellsOf({ database, url });
}

const furtherCells = async (database: Queryable, url: string) =>
  (await allCells(database, url)).slice(1);

/** Brought up to date one after the other, so that those of one database do not wait for each other. */
async function inFurther<T>(
  config: Config,
  cells: readonly Cell[],
  run: Work<T>,
  inTurn: boolean,
): Promise<CellOutcome<T>[]> {
  if (cells.length === 0) return [];
  const [{ migrateCells }, { workInMigrated }] = await Promise.all([
    import('../../tenants/cells/migrate.ts'),
    import('../workspace.ts'),
  ]);
  const report = (words: string) => console.error(words);
  const migrated = await migrateCells(cells, { now: new Date(), report });
  const runIn = (outcome: CellOutcome<string[]>, index: number) => {
    if ('error' in outcome) return Promise.resolve(outcome);
    const { cell, result: applied } = outcome;
    const { url } = cells[index]!;
    const work = (workspace: Workspace) => run(workspace, cell, false);
    return workInMigrated({ config, url, applied }, work).then(
      (result): CellOutcome<T> => ({ cell, result }),
      (error: Error) => ({ cell, error }),
    );
  };
  if (!inTurn) return Promise.all(migrated.map(runIn));
  const outcomes: CellOutcome<T>[] = [];
  for (const [index, outcome] of migrated.entries()) outcomes.push(await runIn(outcome, index));
  return outcomes;
}

/** Whether the installation has further cells. */
export async function hasSeveralCells(): Promise<boolean> {
  const [config, { onceIn }] = await Promise.all([commandConfig(), import('./find.ts')]);
  return withHome(config, 'command', async (url) => {
    const further = await onceIn(url, (database) => furtherCells(database, url));
    return further.length > 0;
  });
}

/** Runs with these cells open at once, and left as they are. */
export async function withCellsOpen<T>(
  names: readonly string[],
  run: (cells: OpenedCell[]) => Promise<T>,
): Promise<T> {
  const [config, { onceIn, openCells }] = await Promise.all([commandConfig(), import('./find.ts')]);
  return withHome(config, 'command', async (url) => {
    const cells = await onceIn(url, (database) => allCells(database, url));
    const opened = openCells(cells.filter(({ name }) => names.includes(name)));
    try {
      return await run(opened);
    } finally {
      await Promise.all(opened.map(({ database }) => database.close()));
    }
  });
}

/** The results of the cells. A cell without a result is reported on stderr, and the command exits with 1. */
export function resultsOf<T>(outcomes: readonly CellOutcome<T>[]): { cell: string; result: T }[] {
  return outcomes.flatMap((outcome) => {
    if ('result' in outcome) return [outcome];
    process.exitCode = 1;
    console.error(`The cell ${outcome.cell} is left out: ${failureText(outcome.error)}`);
    return [];
  });
}

/**
 * Runs a command about one thing where that thing is: in the home, or else in the first cell that knows it. Ids are
 * unique in all cells.
 * @throws StartError where a cell that could know it does not answer
 */
export async function whereItIs<T>(run: (workspace: Workspace) => Promise<T>): Promise<T> {
  if (chosenCell() !== undefined) return withWorkspace(run);
  return atHome((_home, anywhere) => anywhere(run));
}

/** Runs where the thing is that it is about. @throws NOT_FOUND no cell has it; StartError one does not answer */
export type Anywhere = <T>(run: (workspace: Workspace) => Promise<T>) => Promise<T>;

/** Runs a command of the home which asks for one thing that another cell may have. */
export async function atHome<T>(
  run: (home: Workspace, anywhere: Anywhere) => Promise<T>,
): Promise<T> {
  const config = await commandConfig();
  return withHome(config, 'command', (url) =>
    workIn({ config, url }, (home) =>
      run(home, async (ask) => {
        try {
          return await ask(home);
        } catch (error) {
          if (!isUnknown(error)) throw error;
          const further = await furtherCells(home.database, url);
          return inFirstThatKnows(config, further, ask, error);
        }
      }),
    ),
  );
}

const isUnknown = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.code === 'NOT_FOUND';

async function inFirstThatKnows<T>(
  config: Config,
  cells: readonly Cell[],
  run: (workspace: Workspace) => Promise<T>,
  unknown: DomainError,
): Promise<T> {
  const { isTransient } = await import('../../platform/postgres/transient-errors.ts');
  const silent: string[] = [];
  for (const cell of cells) {
    let isOpen = false;
    try {
      return await workInCell(config, cell, (workspace) => {
        isOpen = true;
        return run(workspace);
      });
    } catch (error) {
      if (isOpen && isUnknown(error)) continue;
      // A cell that cannot be opened, for whatever reason, says nothing of what it has.
      if (isOpen && !isTransient(error)) throw error;
      silent.push(`${cell.name} (${reasonOf(error as Error)})`);
    }
  }
  if (silent.length === 0) throw unknown;
  throw new StartError(
    `It is in no cell that answers. No answer from: ${silent.join(', ')}.`,
    'Try again when it answers: "zimbo cells list" shows which do.',
  );
}
