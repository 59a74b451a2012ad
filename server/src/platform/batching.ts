import { setTimeout as delay } from 'node:timers/promises';
import { isTransient } from './database.ts';

export interface BatcherOptions<Item, Result> {
  maxItems: number;
  /** How many batches may be under way at once. */
  maxInFlight: number;
  /**
   * What a batch may hold only once, since `UPDATE … FROM unnest` applies only one of two rows with
   * one target. Batches are sorted by it, so that two in flight lock rows in one order.
   */
  keyOf(item: Item): string;
  /**
   * Writes all items with one statement and gives each its own result, in their order.
   * `repeated` says that an earlier try may have been committed although its answer was lost.
   */
  write(items: Item[], repeated: boolean): Promise<Result[]>;
}

interface Waiting<Item, Result> {
  item: Item;
  key: string;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

const retryGapMs = 50;

/**
 * Group commit: what arrives while a batch is in flight goes out together with the next one. Alone,
 * an item waits for nobody; under load hundreds share one round trip and one commit.
 */
export class Batcher<Item, Result> {
  #options: BatcherOptions<Item, Result>;
  #waiting: Waiting<Item, Result>[] = [];
  #inFlight = 0;
  #scheduled = false;

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
  }

  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, key: this.#options.keyOf(item), resolve, reject });
      this.#schedule();
    });
  }

  /** One turn of the event loop gathers the requests that the kernel handed over together. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#dispatch();
    });
  }

  #dispatch(): void {
    while (this.#inFlight < this.#options.maxInFlight && this.#waiting.length > 0) {
      const batch = this.#take();
      this.#inFlight += 1;
      void this.#run(batch, false).finally(() => {
        this.#inFlight -= 1;
        this.#dispatch();
      });
    }
  }

  #take(): Waiting<Item, Result>[] {
    const batch = new Map<string, Waiting<Item, Result>>();
    const later: Waiting<Item, Result>[] = [];
    let index = 0;
    for (; index < this.#waiting.length && batch.size < this.#options.maxItems; index++) {
      const entry = this.#waiting[index]!;
      if (batch.has(entry.key)) later.push(entry);
      else batch.set(entry.key, entry);
    }
    this.#waiting = later.concat(this.#waiting.slice(index));
    return [...batch.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  async #run(batch: Waiting<Item, Result>[], repeated: boolean): Promise<void> {
    try {
      const results = await this.#write(batch, repeated);
      for (const [index, entry] of batch.entries()) entry.resolve(results[index]!);
    } catch (error) {
      // Once more only: callers of a database that is gone must hear so soon.
      if (isTransient(error) && !repeated) {
        await delay(retryGapMs);
        return this.#run(batch, true);
      }
      if (batch.length === 1 || isTransient(error)) {
        for (const entry of batch) entry.reject(error);
        return;
      }
      // One poisoned row must not fail the others: halving finds it.
      const middle = batch.length >> 1;
      await this.#run(batch.slice(0, middle), repeated);
      await this.#run(batch.slice(middle), repeated);
    }
  }

  async #write(batch: Waiting<Item, Result>[], repeated: boolean): Promise<Result[]> {
    const items = batch.map((entry) => entry.item);
    const results = await this.#options.write(items, repeated);
    if (results.length !== items.length) throw new Error('a batch lost the result of a row');
    return results;
  }
}
