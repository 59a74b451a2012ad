import {
  type Allowance,
  type Buckets,
  type RateLimit,
  RateLimiter,
} from '../../platform/http/rate-limit.ts';
import type { PrimaryLink } from './primary-link.ts';

/** Tokens unused for this long go back. */
export const leaseMs = 1_000;

interface Lease {
  /** Tokens held by this process. */
  tokens: number;
  /** The bucket's tokens after the last lot was taken, plus the tokens held here. */
  left: number;
  sinceMs: number;
  refusedUntilMs: number;
  waiting: ((allowance: Allowance) => void)[];
}

/**
 * The buckets of one limit, which the primary keeps for all processes of the machine: this process takes tokens in
 * lots. If the primary is silent, it decides alone, by its share of the limit.
 */
export class LeasedBuckets implements Buckets {
  #name: string;
  #limit: RateLimit;
  #link: PrimaryLink;
  #own: RateLimiter;
  #leases = new Map<string, Lease>();
  #sweeper: NodeJS.Timeout | undefined;

  constructor(name: string, limit: RateLimit, link: PrimaryLink, processes: number) {
    this.#name = name;
    this.#limit = limit;
    this.#link = link;
    this.#own = new RateLimiter({
      perSecond: limit.perSecond / processes,
      burst: Math.max(1, Math.floor(limit.burst / processes)),
    });
  }

  take(key: string, nowMs: number): Allowance | Promise<Allowance> {
    const lease = this.#leases.get(key) ?? this.#begin(key, nowMs);
    if (lease.waiting.length === 0) {
      if (lease.tokens > 0) return this.#use(lease);
      if (nowMs < lease.refusedUntilMs) return this.#refusal(lease.refusedUntilMs - nowMs);
    }
    return new Promise((resolve) => {
      lease.waiting.push(resolve);
      if (lease.waiting.length === 1) void this.#refill(key, lease, nowMs);
    });
  }

  charge(key: string, tokens: number): void {
    const lease = this.#leases.get(key);
    const here = Math.min(lease?.tokens ?? 0, tokens);
    if (lease) {
      lease.tokens -= here;
      lease.left -= here;
    }
    if (tokens > here) this.#tell(key, tokens - here);
  }

  giveBack(key: string): void {
    const lease = this.#leases.get(key);
    if (!lease) this.#tell(key, -1);
    else {
      lease.tokens += 1;
      lease.left += 1;
    }
  }

  /** Returns unused tokens to the primary. */
  sweep(nowMs: number): void {
    for (const [key, lease] of this.#leases) {
      if (lease.waiting.length > 0 || nowMs - lease.sinceMs < leaseMs) continue;
      this.#leases.delete(key);
      if (lease.tokens > 0) this.#tell(key, -lease.tokens);
    }
    if (this.#leases.size > 0) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }

  #begin(key: string, nowMs: number): Lease {
    const lease = { tokens: 0, left: 0, sinceMs: nowMs, refusedUntilMs: 0, waiting: [] };
    this.#leases.set(key, lease);
    this.#sweeper ??= setInterval(() => this.sweep(performance.now()), leaseMs).unref();
    return lease;
  }

  #use(lease: Lease): Allowance {
    lease.tokens -= 1;
    lease.left -= 1;
    return this.#allowance(lease.left, true, 0);
  }

  /** One request to the primary for all waiters; later waiters share the next. */
  async #refill(key: string, lease: Lease, nowMs: number): Promise<void> {
    const { waiting } = lease;
    while (waiting.length > 0) {
      const asked = { name: this.#name, limit: this.#limit, key, count: waiting.length };
      const lot = await this.#link.ask('TOKENS', asked, ({ first, more }) => {
        if (first.allowed) this.#tell(key, -(1 + more));
      });
      if (!lot) {
        for (const hear of waiting.splice(0)) hear(this.#own.take(key, nowMs));
        return;
      }
      const { first, more } = lot;
      lease.sinceMs = nowMs;
      if (!first.allowed) {
        lease.refusedUntilMs = nowMs + Math.min(first.retryInMs, leaseMs);
        for (const hear of waiting.splice(0)) hear(first);
        return;
      }
      lease.tokens += 1 + more;
      lease.left = first.left + 1;
      const served = waiting.splice(0, lease.tokens);
      for (const hear of served) hear(this.#use(lease));
    }
  }

  #refusal = (retryInMs: number) => this.#allowance(0, false, retryInMs);

  #allowance(left: number, allowed: boolean, retryInMs: number): Allowance {
    const { burst, perSecond } = this.#limit;
    return { allowed, left, fullInMs: ((burst - left) / perSecond) * 1_000, retryInMs };
  }

  #tell(key: string, count: number): void {
    const tokens = { name: this.#name, limit: this.#limit, key, count };
    this.#link.tell({ type: 'CHARGE', tokens });
  }
}
