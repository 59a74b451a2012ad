import type { Database, Queryable } from '../../platform/postgres/database.ts';

/** An open cell. */
export interface OpenedCell {
  cell: string;
  database: Database;
}

/** A value that must be unique over all cells, but exists in two or more. */
export interface Duplicate {
  /** The value, as the query returns it. */
  key: string;
  /** The cells, with the details from each. */
  locations: { cell: string; detail: string }[];
}

interface Row {
  key: string;
  detail: string;
}

/**
 * A query for values that must be unique over all cells: rows of `key` and `detail`, both text, ordered by key in
 * COLLATE "C".
 */
export interface UniqueValues {
  text: string;
  /** The same for some keys only, $1 as text[], with the details. */
  textForKeys: string;
}

const rowsAtOnce = 1_000;
/** More duplicates share one cause. */
const maxDuplicates = 1_000;

/**
 * Finds values that exist in several cells. It merges the ordered rows of all cells, a thousand at a time, so memory
 * stays constant. It returns at most the first thousand.
 */
export async function findDuplicates(
  cells: readonly OpenedCell[],
  unique: UniqueValues,
): Promise<Duplicate[]> {
  const candidates = await withStreams(cells, unique.text, async (streams) => {
    const shared: string[] = [];
    for await (const key of keysOfSeveral(streams)) {
      shared.push(key);
      if (shared.length === maxDuplicates) break;
    }
    return shared;
  });
  if (candidates.length === 0) return [];
  const found = new Map<string, Duplicate['locations']>();
  for (const { cell, database } of cells) {
    for (const { key, detail } of await database.query<Row>({ text: unique.textForKeys }, [
      candidates,
    ])) {
      found.set(key, [...(found.get(key) ?? []), { cell, detail }]);
    }
  }
  return [...found]
    .map(([key, where]) => ({ key, locations: where }))
    .filter(({ locations: where }) => where.length > 1);
}

class Stream {
  readonly #transaction: Queryable;
  #page: Buffer[] = [];
  #at = 0;

  constructor(transaction: Queryable) {
    this.#transaction = transaction;
  }

  /** The current key; undefined at the end. */
  get key(): Buffer | undefined {
    return this.#page[this.#at];
  }

  async next(): Promise<void> {
    this.#at += 1;
    if (this.#at < this.#page.length) return;
    const text = `FETCH ${rowsAtOnce} FROM across`;
    const rows = await this.#transaction.query<Row>({ text });
    // COLLATE "C" orders by bytes.
    this.#page = rows.map(({ key }) => Buffer.from(key));
    this.#at = 0;
  }
}

/** Runs with one cursor per cell, all open at once. */
function withStreams<T>(
  cells: readonly OpenedCell[],
  text: string,
  run: (streams: readonly Stream[]) => Promise<T>,
  opened: readonly Stream[] = [],
): Promise<T> {
  const [first, ...rest] = cells;
  if (!first) return run(opened);
  return first.database.transaction(async (transaction) => {
    await transaction.query({ text: 'SET LOCAL idle_in_transaction_session_timeout = 0' });
    await transaction.query({ text: `DECLARE across NO SCROLL CURSOR FOR ${text}` });
    return withStreams(rest, text, run, [...opened, new Stream(transaction)]);
  });
}

async function* keysOfSeveral(streams: readonly Stream[]): AsyncGenerator<string> {
  await Promise.all(streams.map((stream) => stream.next()));
  for (;;) {
    const keys = streams.flatMap(({ key }) => key ?? []);
    const [first] = keys;
    if (first === undefined) return;
    const lowest = keys.reduce((low, key) => (Buffer.compare(key, low) < 0 ? key : low), first);
    const there = streams.filter(({ key }) => key?.equals(lowest));
    if (there.length > 1) yield lowest.toString();
    for (const stream of there) await stream.next();
  }
}
