import { ownersIn, type Shape } from './catalog.ts';
import type { Changes } from './changes.ts';
import type { Journey } from './finish.ts';
import { differ, sumOfNext, sumOfRange } from './sums.ts';

/** Keys of a table that changed since, as they were noted. */
interface Since {
  count: number;
  keys: string[];
}

/** A table with more changes than that is compared as a whole after all. */
const mostChanges = 200_000;

/** What was compared before writes stopped, and which rows have changed since. */
export class Compared {
  readonly #since = new Map<string, Since>();

  begin({ name }: Shape): void {
    this.#since.set(name, { count: 0, keys: [] });
  }

  giveUp({ name }: Shape): void {
    this.#since.delete(name);
  }

  note({ table, keys, count }: Changes): void {
    const since = this.#since.get(table);
    if (!since) return;
    since.count += count;
    since.keys.push(keys);
    if (since.count > mostChanges) this.#since.delete(table);
  }

  /** Undefined where the table has not been compared. */
  changedSince({ name }: Shape): readonly string[] | undefined {
    return this.#since.get(name)?.keys;
  }
}

/** From so many rows on a table is compared before writes stop. */
export const manyRows = 20_000;
const rangeRows = 10_000;
const triesOfRange = 20;

/**
 * Compares the closed rows of a table while they are written, range by range. Both cells cannot be read at one
 * instant: what differs may only be late. So the changes are copied, and the range is compared again.
 * @param catchUp copies what has changed, and notes it in `compared`
 */
export async function compareEarly(
  { from, to, owner }: Journey,
  shape: Shape,
  compared: Compared,
  catchUp: () => Promise<void>,
): Promise<void> {
  compared.begin(shape);
  for (const id of ownersIn(shape, owner)) {
    let after: string[] | undefined;
    do {
      const range = { id, after, upTo: undefined };
      let last: string[] | undefined;
      for (let tries = 1; ; tries++) {
        const here = await sumOfNext(from.database, shape, range, rangeRows);
        last = here.last;
        const there = await sumOfRange(to.database, shape, { id, after, upTo: last });
        if (!differ(here, there)) break;
        // Something is written there all the time: it is compared while nothing is.
        if (tries === triesOfRange) return compared.giveUp(shape);
        await catchUp();
      }
      after = last;
    } while (after);
  }
}
