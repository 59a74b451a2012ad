import { DomainError } from '../../platform/errors/errors.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { isTransient } from '../../platform/postgres/transient-errors.ts';
import type { InCell, StaffCells } from './staff-cells.ts';

/** Asks all cells the same question at once. */
export class Everywhere {
  readonly #cells: () => ReadonlyMap<string, Database>;

  /** @param cells by their names, the home among them; called with each question, since they are opened after the pages */
  constructor(cells: () => ReadonlyMap<string, Database>) {
    this.#cells = cells;
  }

  /** @throws UNAVAILABLE a cell does not answer */
  async ask<Row extends object>(
    ask: (database: Database) => Promise<Row[]>,
  ): Promise<(Row & InCell)[]> {
    const answers = await Promise.all(this.#each(ask));
    return answers.flat();
  }

  /** What one of the cells has, and no other. @throws UNAVAILABLE no cell has it, and one does not answer */
  async find<Found extends object>(
    find: (database: Database) => Promise<Found | undefined>,
  ): Promise<(Found & InCell) | undefined> {
    const asked = this.#each(async (database) => {
      const row = await find(database);
      return row === undefined ? [] : [row];
    });
    // The first that has it decides, whether the others answer or not.
    const hits = asked.map(async (one) => (await one)[0] ?? Promise.reject(new Error()));
    const hit = await Promise.any(hits).catch(() => undefined);
    return hit ?? (await Promise.all(asked)).flat()[0];
  }

  #each<Row extends object>(ask: (database: Database) => Promise<Row[]>) {
    return [...this.#cells()].map(async ([cell, database]): Promise<(Row & InCell)[]> => {
      const rows = await ask(database).catch((error) => {
        throw isTransient(error) ? silent(cell) : error;
      });
      return rows.map((row) => ({ ...row, cell }));
    });
  }

  /** The database of a cell. @throws Error where there is no such cell: a mistake of ours */
  databaseOf(cell: string): Database {
    const database = this.#cells().get(cell);
    if (database === undefined) throw new Error(`there is no cell ${cell}`);
    return database;
  }
}

const silent = (cell: string) =>
  new DomainError(
    'UNAVAILABLE',
    `The cell ${cell} does not answer. Send the same request again after the seconds in Retry-After.`,
  );

/** Where staff ask: the database of their page, and the cells, if there are several. */
interface Asked {
  database: Database;
  cells: StaffCells | undefined;
}

/** Finds something by its id: on the home of several cells, in all of them. */
export async function findAnywhere<Found extends object>(
  { database, cells }: Asked,
  find: (database: Database) => Promise<Found | undefined>,
): Promise<(Found & InCell) | undefined> {
  return cells?.everywhere ? cells.everywhere.find(find) : find(database);
}

/**
 * The last row of the page before, which is in one of the cells: the others do not know its place in the list. Undefined
 * where the one cell knows it by itself.
 */
export async function lastOfPage<Found extends object>(
  { cells }: Pick<Asked, 'cells'>,
  id: string | null | undefined,
  find: (database: Database, id: string) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  if (id == null) return undefined;
  return cells?.everywhere?.find((database) => find(database, id));
}

/** By what rows of several cells are put into one order, such as an instant and an id. */
export type OrderKey = readonly (number | string | bigint)[];

/** Puts rows of several cells into one order; those of one cell are in theirs. */
export function merged<Row extends InCell>(
  rows: readonly Row[],
  keyOf: (row: Row) => OrderKey,
  { isNewestFirst = true } = {},
): Row[] {
  const first = rows[0]?.cell;
  if (rows.every(({ cell }) => cell === first)) return [...rows];
  const sign = isNewestFirst ? -1 : 1;
  return rows.toSorted((one, other) => sign * compare(keyOf(one), keyOf(other)));
}

function compare(one: OrderKey, other: OrderKey): number {
  for (const [index, part] of one.entries()) {
    const against = other[index]!;
    if (part !== against) return part < against ? -1 : 1;
  }
  return 0;
}
