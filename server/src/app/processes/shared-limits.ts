import { RateLimiter } from '../../platform/http/rate-limit.ts';
import type { Clock } from '../../platform/process/clock.ts';
import {
  type OpenPage,
  OpenPages,
  type PageLimits,
} from '../../storefront/checkout/page/open-pages.ts';
import type { Lot, Tokens } from './messages.ts';

/** A larger lot would lie unused in one process while another lacks tokens. */
const largestLot = 64;

/** The limits of the machine, kept by the primary for its workers. */
export class SharedLimits {
  #clock: Clock;
  #processes: number;
  #limiters = new Map<string, RateLimiter>();
  #pages: OpenPages;
  /** The pages of each worker, so that they end with it. */
  #pagesOf = new Map<unknown, Map<number, OpenPage>>();

  constructor(options: { clock: Clock; processes: number; pages: PageLimits }) {
    this.#clock = options.clock;
    this.#processes = options.processes;
    this.#pages = new OpenPages(options.pages);
  }

  /** A small part of the rest, so that other processes get some too: the last tokens go out one by one. */
  take(asked: Tokens): Lot {
    const limiter = this.#limiterOf(asked);
    const nowMs = this.#clock.nowMs();
    const first = limiter.take(asked.key, nowMs);
    const fair = Math.min(largestLot, Math.floor(first.left / (4 * this.#processes)));
    const more = first.allowed ? Math.min(first.left, Math.max(asked.count - 1, fair)) : 0;
    if (more > 0) limiter.charge(asked.key, more, nowMs);
    return { first, more };
  }

  charge({ count, ...bucket }: Tokens): void {
    const limiter = this.#limiterOf(bucket);
    const nowMs = this.#clock.nowMs();
    if (count > 0) limiter.charge(bucket.key, count, nowMs);
    else limiter.giveBack(bucket.key, nowMs, -count);
  }

  enter(worker: unknown, { id, ...page }: OpenPage & { id: number }): boolean {
    if (!this.#pages.enter(page)) return false;
    const pages = this.#pagesOf.get(worker) ?? new Map<number, OpenPage>();
    this.#pagesOf.set(worker, pages.set(id, page));
    return true;
  }

  leave(worker: unknown, id: number): void {
    const pages = this.#pagesOf.get(worker);
    const page = pages?.get(id);
    if (!page) return;
    pages!.delete(id);
    this.#pages.leave(page);
  }

  /** A worker has ended, and its pages with it. */
  forget(worker: unknown): void {
    for (const id of this.#pagesOf.get(worker)?.keys() ?? []) this.leave(worker, id);
    this.#pagesOf.delete(worker);
  }

  #limiterOf({ name, limit }: Omit<Tokens, 'count'>): RateLimiter {
    const found = this.#limiters.get(name) ?? new RateLimiter(limit);
    this.#limiters.set(name, found);
    return found;
  }
}
