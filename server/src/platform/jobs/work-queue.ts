import { after, type Clock, systemClock } from '../process/clock.ts';

export interface WorkQueueOptions<Item> {
  maxRunning: number;
  /** `work` must not throw. */
  work: (item: Item) => Promise<void>;
  /** The owner of an item: owners take turns; without it, first come, first served. */
  ownerOf?: (item: Item) => string;
  /** The least time between two starts; without it, items start as soon as there is room. */
  startIntervalMs?: number | undefined;
  /** Measures that time; by default, the machine's clock. */
  clock?: Clock;
}

/** How much of a late timer the next starts make up for. */
const longestDelayMs = 1_000;

/**
 * Processes items in memory, a limited number at once. Owners take turns, so that many items of one owner delay nobody.
 */
export class WorkQueue<Item> {
  #options: WorkQueueOptions<Item>;
  #clock: Clock;
  /** By owner; the owner served last is at the end. */
  #lines = new Map<string, Item[]>();
  #waiting = 0;
  #running = new Set<Promise<void>>();
  #stopped = false;
  /** When the next item may start. */
  #nextStartMs = 0;
  /** A timer waits for that instant. */
  #isPaused = false;

  constructor(options: WorkQueueOptions<Item>) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  get waiting(): number {
    return this.#waiting;
  }

  add(item: Item): void {
    const owner = this.#options.ownerOf?.(item) ?? '';
    const line = this.#lines.get(owner);
    if (line) line.push(item);
    else this.#lines.set(owner, [item]);
    // Idle time adds up to nothing.
    if (this.#waiting === 0) this.#delayStart(this.#clock.nowMs());
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
    while (!this.#stopped && this.#running.size < maxRunning && this.#waiting > 0) {
      if (this.#mustPause()) return;
      const run = work(this.#next()).finally(() => {
        this.#running.delete(run);
        this.#fill();
      });
      this.#running.add(run);
    }
  }

  /** After a late timer, as many items start as if it had been in time. */
  #mustPause(): boolean {
    const { startIntervalMs } = this.#options;
    if (startIntervalMs === undefined) return false;
    const nowMs = this.#clock.nowMs();
    this.#delayStart(nowMs - longestDelayMs);
    // The clock may have been set back.
    const waitMs = Math.min(this.#nextStartMs - nowMs, startIntervalMs);
    if (waitMs <= 0) {
      this.#nextStartMs += startIntervalMs;
      return false;
    }
    this.#nextStartMs = nowMs + waitMs;
    if (!this.#isPaused) this.#pause(waitMs);
    return true;
  }

  #delayStart(earliestMs: number): void {
    this.#nextStartMs = Math.max(this.#nextStartMs, earliestMs);
  }

  #pause(waitMs: number): void {
    this.#isPaused = true;
    after(this.#clock, waitMs, () => {
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
