import { after, type Clock, systemClock } from '../process/clock.ts';

export interface WorkQueueOptions<Item> {
  maxRunning: number;
  /** `work` must not throw. */
  work: (item: Item) => Promise<void>;
  /** The owner of an item: owners take turns; without it, first come, first served. */
  ownerOf?: (item: Item) => string;
  /** The least time between two starts; without it, items start as soon as there is room. */
  startIntervalMs?: number | undefined;
  /** Measures that time. */
  clock?: Clock;
}

/**
 * Processes items in memory, a limited number at once. Owners take turns, so that many items of one owner delay nobody.
 */
export class WorkQueue<Item> {
  #options: WorkQueueOptions<Item>;
  /** By owner; the owner served last is at the end. */
  #lines = new Map<string, Item[]>();
  #waiting = 0;
  #running = new Set<Promise<void>>();
  #stopped = false;
  /** The last start is too recent for another. */
  #isPaused = false;

  constructor(options: WorkQueueOptions<Item>) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting;
  }

  add(item: Item): void {
    const owner = this.#options.ownerOf?.(item) ?? '';
    const line = this.#lines.get(owner);
    if (line) line.push(item);
    else this.#lines.set(owner, [item]);
    this.#waiting += 1;
    this.#fill();
  }

  /** Finishes running items and drops waiting ones. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running);
  }

  #fill(): void {
    const { maxRunning, work } = this.#options;
    while (
      !this.#stopped &&
      !this.#isPaused &&
      this.#running.size < maxRunning &&
      this.#waiting > 0
    ) {
      const run = work(this.#next()).finally(() => {
        this.#running.delete(run);
        this.#fill();
      });
      this.#running.add(run);
      this.#pause();
    }
  }

  #pause(): void {
    const { startIntervalMs, clock = systemClock } = this.#options;
    if (startIntervalMs === undefined) return;
    this.#isPaused = true;
    after(clock, startIntervalMs, () => {
      this.#isPaused = false;
      this.#fill();
    });
  }

  #next(): Item {
    const [owner, line] = this.#lines.entries().next().value!;
    const item = line.shift()!;
    this.#lines.delete(owner);
    if (line.length > 0) this.#lines.set(owner, line);
    this.#waiting -= 1;
    return item;
  }
}
