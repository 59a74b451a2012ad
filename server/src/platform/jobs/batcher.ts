import { setTimeout as delay } from 'node:timers/promises';
import { isTransient } from '../postgres/transient-errors.ts';

export interface BatcherOptions<Item, Result> {
  maxItems: number;
  /** How many batches may be in flight at once. */
  maxInFlight: number;
  /**
   * How far apart batches begin at least, in milliseconds, while several items come at once: fewer and fuller batches
   * cost less for each item, and cause less garbage. A single item, or a full batch, goes out at once.
   */
  spacingMs?: number;
  /**
   * The key that a batch may contain only once, since `UPDATE … FROM unnest` applies only one of two rows with one
   * target. Batches are sorted by key, so that two in flight lock rows in the same order. Reads have no key, and keep
   * their order.
   */
  keyOf?(item: Item): string;
  /**
   * The item's owner. After repeated failures, that owner's items are batched separately, so that other owners do not
   * wait for them.
   */
  ownerOf?(item: Item): string;
  /**
   * Writes or reads all items with one statement, and returns each item's result, in order. `repeated` says that an
   * earlier try may have been committed although its response was lost.
   */
  write(items: Item[], repeated: boolean): Promise<Result[]>;
}

interface Waiting<Item, Result> {
  item: Item;
  key: string;
  owner: string | undefined;
  /** An earlier attempt may have been committed. */
  repeated: boolean;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Waiting items, and the number of their batches in flight. */
interface Queue<Item, Result> {
  waiting: Waiting<Item, Result>[];
  inFlight: number;
}

/** The separate queue of an owner whose items were refused. */
interface ApartQueue<Item, Result> extends Queue<Item, Result> {
  refusedAtMs: number;
}

const retryBackoffMs = 50;
/** If the previous batch had this many items, more are about to arrive. */
const several = 3;
/** How long an owner is batched separately after a refusal: longer than the delay until a row is retried. */
const apartMs = 120_000;
/** How many separate batches are in flight at once; the connections are shared. */
const maxApartInFlight = 2;

/**
 * Group commit: items that arrive while a batch is in flight go out together in the next batch. A single item does not
 * wait; under load, hundreds share one round trip and one commit.
 */
export class Batcher<Item, Result> {
  #options: BatcherOptions<Item, Result>;
  #common: Queue<Item, Result> = { waiting: [], inFlight: 0 };
  /** By owner; the owner of the latest batch is last. */
  #apart = new Map<string, ApartQueue<Item, Result>>();
  #scheduled = false;
  /** The start and the number of items of the last shared batch. */
  #last = { beganAtMs: Number.NEGATIVE_INFINITY, size: 0 };
  #spacing: NodeJS.Timeout | undefined;

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
  }

  submit(item: Item): Promise<Result> {
    const key = this.#options.keyOf?.(item) ?? '';
    const owner = this.#options.ownerOf?.(item);
    return new Promise((resolve, reject) => {
      const queue = this.#apartQueue(owner) ?? this.#common;
      queue.waiting.push({ item, key, owner, repeated: false, resolve, reject });
      this.#schedule();
    });
  }

  /** Undefined if the owner is not batched separately, or its last refusal is long enough ago. */
  #apartQueue(owner: string | undefined): ApartQueue<Item, Result> | undefined {
    const queue = owner === undefined ? undefined : this.#apart.get(owner);
    if (!queue) return undefined;
    const isBusy = queue.inFlight > 0 || queue.waiting.length > 0;
    if (isBusy || performance.now() < queue.refusedAtMs + apartMs) return queue;
    this.#apart.delete(owner!);
    return undefined;
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
    const common = this.#common;
    while (common.inFlight < this.#options.maxInFlight && common.waiting.length > 0) {
      if (this.#isTooSoon()) break;
      this.#send(common);
    }
    if (this.#apart.size > 0) this.#dispatchApart();
  }

  /** Whether the next batch should wait for more items; a timer then sends it after the maximum delay. */
  #isTooSoon(): boolean {
    const { spacingMs = 0, maxItems } = this.#options;
    if (this.#last.size < several || this.#common.waiting.length >= maxItems) return false;
    const leftMs = this.#last.beganAtMs + spacingMs - performance.now();
    if (leftMs <= 0) return false;
    this.#spacing ??= setTimeout(() => {
      this.#spacing = undefined;
      this.#dispatch();
    }, leftMs);
    return true;
  }

  #dispatchApart(): void {
    let free = maxApartInFlight;
    for (const queue of this.#apart.values()) free -= queue.inFlight;
    for (const [owner, queue] of this.#apart) {
      if (free === 0) return;
      if (queue.inFlight > 0 || queue.waiting.length === 0) continue;
      free -= 1;
      // Moves the owner to the end, so that each has its turn.
      this.#apart.delete(owner);
      this.#apart.set(owner, queue);
      this.#send(queue);
    }
  }

  #send(queue: Queue<Item, Result>): void {
    const batch = this.#take(queue);
    if (queue === this.#common) {
      this.#last = { beganAtMs: performance.now(), size: batch.length };
      clearTimeout(this.#spacing);
      this.#spacing = undefined;
    }
    queue.inFlight += 1;
    void this.#run(batch, queue).finally(() => {
      queue.inFlight -= 1;
      this.#dispatch();
    });
  }

  #take(queue: Queue<Item, Result>): Waiting<Item, Result>[] {
    const { maxItems } = this.#options;
    if (this.#options.keyOf === undefined) return queue.waiting.splice(0, maxItems);
    const batch = new Map<string, Waiting<Item, Result>>();
    const later: Waiting<Item, Result>[] = [];
    const { waiting } = queue;
    const repeated = waiting[0]?.repeated;
    let index = 0;
    for (; index < waiting.length && batch.size < maxItems; index++) {
      const entry = waiting[index]!;
      // Nothing may join a batch that may be committed already.
      if (entry.repeated !== repeated) break;
      if (batch.has(entry.key)) later.push(entry);
      else batch.set(entry.key, entry);
    }
    queue.waiting = later.concat(waiting.slice(index));
    return [...batch.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  async #run(batch: Waiting<Item, Result>[], queue: Queue<Item, Result>): Promise<void> {
    try {
      const results = await this.#write(batch);
      for (const [index, entry] of batch.entries()) entry.resolve(results[index]!);
    } catch (error) {
      if (!isTransient(error)) return this.#divide(batch, queue, error);
      if (batch[0]!.repeated) {
        // Retries only once: callers must soon learn that the database is gone.
        for (const entry of batch) entry.reject(error);
        return;
      }
      for (const entry of batch) entry.repeated = true;
      await delay(retryBackoffMs);
      return this.#run(batch, queue);
    }
  }

  /** One poisoned row must not fail the others: halving finds its owner, and then, batched separately, the row. */
  async #divide(
    batch: Waiting<Item, Result>[],
    queue: Queue<Item, Result>,
    error: unknown,
  ): Promise<void> {
    const owners = [...new Set(batch.map(({ owner }) => owner))];
    const [owner] = owners;
    if (owners.length === 1 && owner !== undefined) {
      this.#setApart(owner, queue === this.#common && batch.length > 1 ? batch : []);
    }
    if (batch.length === 1) {
      batch[0]!.reject(error);
    } else if (owners.length > 1) {
      const first = new Set(owners.slice(0, owners.length >> 1));
      await this.#run(
        batch.filter((entry) => first.has(entry.owner)),
        queue,
      );
      await this.#run(
        batch.filter((entry) => !first.has(entry.owner)),
        queue,
      );
    } else if (queue !== this.#common || owner === undefined) {
      const middle = batch.length >> 1;
      await this.#run(batch.slice(0, middle), queue);
      await this.#run(batch.slice(middle), queue);
    }
  }

  /** From now on, the owner's items, including waiting ones, are batched separately; `batch` goes first. */
  #setApart(owner: string, batch: Waiting<Item, Result>[]): void {
    const queue = this.#apart.get(owner) ?? { waiting: [], inFlight: 0, refusedAtMs: 0 };
    const isTheirs = (entry: Waiting<Item, Result>) => entry.owner === owner;
    queue.refusedAtMs = performance.now();
    queue.waiting = [...batch, ...this.#common.waiting.filter(isTheirs), ...queue.waiting];
    this.#common.waiting = this.#common.waiting.filter((entry) => !isTheirs(entry));
    this.#apart.set(owner, queue);
    this.#dispatch();
  }

  async #write(batch: Waiting<Item, Result>[]): Promise<Result[]> {
    const items = batch.map((entry) => entry.item);
    const results = await this.#options.write(items, batch[0]!.repeated);
    if (results.length !== items.length) throw new Error('a batch lost the result of a row');
    return results;
  }
}
