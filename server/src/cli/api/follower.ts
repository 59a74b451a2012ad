import type { CallOptions, Zimbo, ZimboEvent } from './connection.ts';

/**
 * Ids are made before the rows are committed, so an event can appear below newer ones. No transaction of a gateway
 * lives nearly as long as this.
 */
const overlapMs = 60_000;
/** Every few polls read down to the floor; the others stop at the first page without news. */
const looksPerDeepLook = 10;

/** Returns each event of a tenant once, from a point in time on, regardless of the order of commits. */
export class Follower {
  #zimbo: Zimbo;
  #seen = new Map<string, number>();
  /** Older events have been returned, or are out of scope. */
  #floorMs: number;
  #looks = 0;

  constructor(zimbo: Zimbo, sinceMs: number) {
    this.#zimbo = zimbo;
    this.#floorMs = sinceMs;
  }

  /** Creates a follower of all events from now on, by the gateway's clock. */
  static async fromNow(zimbo: Zimbo): Promise<Follower> {
    const { data } = await zimbo.events.list({ limit: 1 }).page();
    const newest = data[0];
    const follower = new Follower(zimbo, newest ? instantOf(newest) - overlapMs : 0);
    await follower.look();
    return follower;
  }

  /** Returns new events, oldest first. A failed poll has no effect. */
  async look(options: CallOptions = {}): Promise<ZimboEvent[]> {
    const isDeep = this.#looks % looksPerDeepLook === 0;
    const fresh: ZimboEvent[] = [];
    for await (const { data } of this.#zimbo.events.list({ limit: 100 }, options).pages()) {
      const before = fresh.length;
      const inReach = data.filter((event) => instantOf(event) >= this.#floorMs);
      fresh.push(...inReach.filter(({ id }) => !this.#seen.has(id)));
      if (inReach.length < data.length || (!isDeep && fresh.length === before)) break;
    }
    this.#looks += 1;
    for (const event of fresh) this.#seen.set(event.id, instantOf(event));
    if (isDeep) this.#raiseFloor();
    return fresh.reverse();
  }

  /** The floor rises only after everything above it was read, or a row committed late would be missed. */
  #raiseFloor(): void {
    const newestMs = Math.max(...this.#seen.values());
    this.#floorMs = Math.max(this.#floorMs, newestMs - overlapMs);
    for (const [id, ms] of this.#seen) if (ms < this.#floorMs) this.#seen.delete(id);
  }
}

const instantOf = ({ createdAt }: ZimboEvent) => Date.parse(createdAt);
