import type { Database, Queryable } from '../../platform/postgres/database.ts';

/** A cell that is open. */
export interface OpenedCell {
  cell: string;
  database: Database;
}

/** Something that no two cells may have, and two or more do. */
export interface Shared {
  /** What it is, as the query gives it. */
  key: string;
  /** In which cells, with what each says of it. */
  found: { cell: string; detail: string }[];
}

interface Row {
  key: string;
  detail: string;
}

/** What no two cells may have: rows of `key` and `detail`, both text, in the order of key in COLLATE "C". */
export interface Unique {
  text: string;
  /** The same of some keys alone, $1 as text[]: with what each cell says of them. */
  again: string;
}

const rowsAtOnce = 1_000;
/** More of them have one reason. */
const mostFound = 1_000;

/**
 * Finds what several cells have at once. Each is read in its order, a thousand rows at a time, so that it does not
 * matter how many there are. The first thousand that are found are told of.
 */
export async function sharedBy(cells: readonly OpenedCell[], unique: Unique): Promise<Shared[]> {
  const candidates = await withStreams(cells, unique.text, async (streams) => {
    const shared: string[] = [];
    for await (const key of keysOfSeveral(streams)) {
      shared.push(key);
      if (shared.length === mostFound) break;
    }
    return shared;
  });
  if (candidates.length === 0) return [];
  const found = new Map<string, Shared['found']>();
  for (const { cell, database } of cells) {
    for (const { key, detail } of await database.query<Row>({ text: unique.again }, [candidates])) {
      found.set(key, [...(found.get(key) ?? []), { cell, detail }]);
    }
  }
  return [...found]
    .map(([key, where]) => ({ key, found: where }))
    .filter(({ found: where }) => where.length > 1);
}

class Stream {
  readonly #transaction: Queryable;
  #page: Buffer[] = [];
  #at = 0;

  constructor(transaction: Queryable) {
    this.#transaction = transaction;
  }

  /** The key that it stands at; undefined at its end. */
  get key(): Buffer | undefined {
    return this.#page[this.#at];
  }

  async next(): Promise<void> {
    this.#at += 1;
    if (this.#at < this.#page.length) return;
    const text = `FETCH ${rowsAtOnce} FROM across`;
    const rows = await this.#transaction.query<Row>({ text });
    // COLLATE "C" is the order of the bytes.
    this.#page = rows.map(({ key }) => Buffer.from(key));
    this.#at = 0;
  }
}

/** Runs with a cursor of each cell, all of them open at once. */
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
