import { DomainError } from '../../platform/errors/errors.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { isTransient } from '../../platform/postgres/transient-errors.ts';
import type { InCell, StaffCells } from './staff-cells.ts';

/** Queries all cells concurrently. */
export class AllCells {
  readonly #cells: () => ReadonlyMap<string, Database>;

  /** @param cells by name, including the home; called for each query, because cells open after the pages */
  constructor(cells: () => ReadonlyMap<string, Database>) {
    this.#cells = cells;
  }

  /** @throws UNAVAILABLE a cell does not answer */
  async query<Row extends object>(
    ask: (database: Database) => Promise<Row[]>,
  ): Promise<(Row & InCell)[]> {
    const answers = await Promise.all(this.#each(ask));
    return answers.flat();
  }

  /** Finds a row that only one cell can have. @throws UNAVAILABLE no cell has it, and one does not answer */
  async find<Found extends object>(
    find: (database: Database) => Promise<Found | undefined>,
  ): Promise<(Found & InCell) | undefined> {
    const asked = this.#each(async (database) => {
      const row = await find(database);
      return row === undefined ? [] : [row];
    });
    // The first hit decides, whether the other cells answer or not.
    const hits = asked.map(async (one) => (await one)[0] ?? Promise.reject(new Error()));
    const hit = await Promise.any(hits).catch(() => undefined);
    return hit ?? (await Promise.all(asked)).flat()[0];
  }

  #each<Row extends object>(ask: (database: Database) => Promise<Row[]>) {
    return [...this.#cells()].map(async ([cell, database]): Promise<(Row & InCell)[]> => {
      const rows = await ask(database).catch((error) => {
        throw isTransient(error) ? unavailable(cell) : error;
      });
      return rows.map((row) => ({ ...row, cell }));
    });
  }

  /** The database of a cell. @throws Error for an unknown cell, which is a bug */
  databaseOf(cell: string): Database {
    const database = this.#cells().get(cell);
    if (database === undefined) throw new Error(`there is no cell ${cell}`);
    return database;
  }
}

const unavailable = (cell: string) =>
  new DomainError(
    'UNAVAILABLE',
    `The cell ${cell} does not answer. Send the same request again after the seconds in Retry-After.`,
  );

/** The database of a staff page, and the cells, if there are several. */
interface StaffDatabase {
  database: Database;
  cells: StaffCells | undefined;
}

/** Finds an object by its id; from the home, in all cells. */
export async function findInAnyCell<Found extends object>(
  { database, cells }: StaffDatabase,
  find: (database: Database) => Promise<Found | undefined>,
): Promise<(Found & InCell) | undefined> {
  return cells?.allCells ? cells.allCells.find(find) : find(database);
}

/**
 * The last row of the previous page, which is in one cell: the other cells do not know its position in the list.
 * Undefined if there is one cell, which finds the row itself.
 */
export async function lastOfPage<Found extends object>(
  { cells }: Pick<StaffDatabase, 'cells'>,
  id: string | null | undefined,
  find: (database: Database, id: string) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  if (id == null) return undefined;
  return cells?.allCells?.find((database) => find(database, id));
}

/** The sort key over several cells, such as an instant and an id. */
export type OrderKey = readonly (number | string | bigint)[];

/** Merges rows of several cells into one order; rows of one cell keep theirs. */
export function mergeRows<Row extends InCell>(
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
