import type { Logger } from 'pino';
import { DomainError, reasonOf } from '../../platform/errors/errors.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { homeName } from './cell.ts';
import type { InCell, StaffCells } from './staff-cells.ts';

export interface EverywhereOptions {
  /** By their names, the home among them. Asked for with each question: they are opened after the pages are made. */
  cells: () => ReadonlyMap<string, Database>;
  clock: Clock;
  log: Pick<Logger, 'warn'>;
  /** How long a cell may take for an answer. */
  patienceMs?: number;
}

/** What the cells have said. */
export interface Told<Row> {
  rows: (Row & InCell)[];
  /** Those that did not answer. */
  away: string[];
}

/** A cell that hung is left out for so long, so that not every page waits for it. */
const restMs = 5_000;

/** Asks all cells the same at once. One that does not answer keeps nobody from what the others say. */
export class Everywhere {
  readonly #options: EverywhereOptions;
  readonly #restingUntilMs = new Map<string, number>();

  constructor(options: EverywhereOptions) {
    this.#options = options;
  }

  /** @throws what the home throws, and what says that the question itself is wrong */
  async ask<Row extends object>(ask: (database: Database) => Promise<Row[]>): Promise<Told<Row>> {
    const asked = [...this.#options.cells()];
    const answers = await Promise.all(
      asked.map(async ([cell, database]) => {
        const rows = await (cell === homeName
          ? ask(database)
          : this.#patiently(cell, database, ask));
        return { cell, rows };
      }),
    );
    return {
      rows: answers.flatMap(({ cell, rows = [] }) => rows.map((row) => ({ ...row, cell }))),
      away: answers.filter(({ rows }) => rows === undefined).map(({ cell }) => cell),
    };
  }

  /**
   * What one of the cells has, of which the others know nothing.
   * @throws UNAVAILABLE none has it that answers, and one does not answer
   */
  async find<Found extends object>(
    find: (database: Database) => Promise<Found | undefined>,
  ): Promise<(Found & InCell) | undefined> {
    const { rows, away } = await this.ask(async (database) => {
      const found = await find(database);
      return found === undefined ? [] : [found];
    });
    if (rows.length === 0 && away.length > 0) throw silent(away);
    return rows[0];
  }

  /** The database of a cell. @throws Error where there is no such cell: a mistake of ours */
  databaseOf(cell: string): Database {
    const database = this.#options.cells().get(cell);
    if (!database) throw new Error(`there is no cell ${cell}`);
    return database;
  }

  async #patiently<Row>(
    cell: string,
    database: Database,
    ask: (database: Database) => Promise<Row[]>,
  ): Promise<Row[] | undefined> {
    const { clock, log, patienceMs = 2_500 } = this.#options;
    if (clock.nowMs() < (this.#restingUntilMs.get(cell) ?? 0)) return undefined;
    const late = Promise.withResolvers<undefined>();
    const timer = setTimeout(() => {
      this.#restingUntilMs.set(cell, clock.nowMs() + restMs);
      late.resolve(undefined);
    }, patienceMs);
    try {
      return await Promise.race([ask(database), late.promise]);
    } catch (error) {
      if (error instanceof DomainError) throw error;
      // It is down, or not yet migrated.
      log.warn({ cell, reason: reasonOf(error as Error) }, 'a cell does not answer the staff');
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}

const silent = (away: readonly string[]) =>
  new DomainError(
    'UNAVAILABLE',
    `What is asked for may be in a cell that does not answer: ${away.join(', ')}. Send the same request again after the seconds in Retry-After.`,
  );

/** Where staff ask: the database of their page, and the cells, if there are several. */
interface Asked {
  database: Database;
  cells: StaffCells | undefined;
}

/**
 * Finds something by its id: on the home of several cells, in all of them.
 * @throws UNAVAILABLE it may be in a cell that does not answer
 */
export async function findAnywhere<Found extends object>(
  { database, cells }: Asked,
  find: (database: Database) => Promise<Found | undefined>,
): Promise<(Found & InCell) | undefined> {
  return cells?.everywhere ? cells.everywhere.find(find) : find(database);
}

/**
 * The last row of the page before, which is in one of the cells: the others do not know its place in the list. Undefined
 * where the one cell knows it by itself.
 * @throws UNAVAILABLE its cell does not answer
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
