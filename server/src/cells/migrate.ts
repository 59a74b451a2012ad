import { type MigrateOptions, migrate } from '../postgres/migrations.ts';
import type { Cell } from './cell.ts';

/** What came of something in one cell. */
export type CellOutcome<Result> = { cell: string } & ({ result: Result } | { error: Error });

/**
 * Brings cells up to date, one after the other: two of one database would wait for each other. One that is down, or
 * refuses, keeps no other back.
 * @param options tell is called with the cell as well
 * @returns for each the migrations that were applied now, or why it is as it was
 */
export async function migrateCells(
  cells: readonly Cell[],
  { tell, ...options }: Omit<MigrateOptions, 'tell'> & CellTold,
): Promise<CellOutcome<string[]>[]> {
  const outcomes: CellOutcome<string[]>[] = [];
  for (const { name: cell, url } of cells) {
    const told = { ...options, tell: (words: string) => tell?.(`${cell}: ${words}`) };
    const outcome = await migrate(url, told).then(
      ({ applied }) => ({ cell, result: applied }),
      (error: Error) => ({ cell, error }),
    );
    outcomes.push(outcome);
  }
  return outcomes;
}

interface CellTold {
  tell?: ((words: string) => void) | undefined;
}
