import { pino } from 'pino';
import { type Database, openDatabase } from '../../platform/postgres/database.ts';
import { type MigrateOptions, migrate } from '../../platform/postgres/migrations.ts';
import type { Cell } from './cell.ts';
import { expectCell } from './schema.ts';

/** What came of something in one cell. */
export type CellOutcome<Result> = { cell: string } & ({ result: Result } | { error: Error });

const connectTimeoutMs = 10_000;

/**
 * Brings a cell up to date, after a look whether it is that cell.
 * @param database the cell, where it is open already
 * @returns the migrations that were applied now
 * @throws StartError where something else lies at its address, which is left as it is
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
    await expectCell(cell, opened);
  } finally {
    if (!database) await opened.close();
  }
  return (await migrate(cell.url, options)).applied;
}

/**
 * Brings cells up to date, one after the other: two of one database would wait for each other. One that is down, or
 * refuses, keeps no other back.
 * @param options report is called with the cell as well
 * @returns for each the migrations that were applied now, or why it is as it was
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
