import { pino } from 'pino';
import { type Database, openDatabase } from '../../platform/postgres/database.ts';
import { type MigrateOptions, migrate } from '../../platform/postgres/migrations.ts';
import type { Cell } from './cell.ts';
import { verifyCell } from './schema.ts';

/** The outcome of an operation in one cell. */
export type CellOutcome<Result> = { cell: string } & ({ result: Result } | { error: Error });

const connectTimeoutMs = 10_000;

/**
 * Migrates a cell, after checking that it is the expected one.
 * @param database of the cell, if open
 * @returns the migrations applied now
 * @throws StartError if the URL leads to something else, which stays unchanged
 */
export async function migrateCell(
  cell: Cell,
  { database, ...options }: MigrateOptions & { database?: Database },
): Promise<string[]> {
  const opened =
    database ??
    openDatabase({
      url: cell.url,
      log: pino({ level: 'silent' }),
      maxConnections: 1,
      connectTimeoutMs,
    });
  try {
    await verifyCell(cell, opened);
  } finally {
    if (!database) await opened.close();
  }
  return (await migrate(cell.url, options)).applied;
}

/**
 * Migrates cells one after the other, since two in one database would wait for each other. An unreachable or refusing
 * cell does not stop the others.
 * @param options report also receives the cell
 * @returns for each cell, the migrations applied now, or the error
 */
export async function migrateCells(
  cells: readonly Cell[],
  { report, ...options }: MigrateOptions,
): Promise<CellOutcome<string[]>[]> {
  const outcomes: CellOutcome<string[]>[] = [];
  for (const each of cells) {
    const { name: cell } = each;
    const cellOptions = { ...options, report: (words: string) => report?.(`${cell}: ${words}`) };
    const outcome = await migrateCell(each, cellOptions).then(
      (result) => ({ cell, result }),
      (error: Error) => ({ cell, error }),
    );
    outcomes.push(outcome);
  }
  return outcomes;
}
