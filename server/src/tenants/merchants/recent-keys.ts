import type { Queryable } from '../../platform/postgres/database.ts';
import { Recent } from './expiring-set.ts';
import { hashesUsedSince } from './store.ts';

const dayMs = 86_400_000;

/** The hashes of keys that were used since then and still work. */
type UsedSince = (
  database: Queryable,
  period: { sinceMs: number; nowMs: number; limit: number },
) => Promise<Buffer[]>;

/** Keys that worked within a day, by hash: they are looked up even if their address has used up its bucket. */
export class KnownKeys {
  #recent: Recent;
  #maxEntries: number;
  #usedSince: UsedSince;

  /** @param given the kind of keys to load; by default, merchants' */
  constructor(given: { maxEntries?: number; usedSince?: UsedSince } = {}) {
    const { maxEntries = 10_000, usedSince = hashesUsedSince } = given;
    this.#usedSince = usedSince;
    this.#maxEntries = maxEntries;
    this.#recent = new Recent({ ttlMs: dayMs, maxEntries });
  }

  has(hash: Buffer, nowMs: number): boolean {
    return this.#recent.has(textOf(hash), nowMs);
  }

  add(hash: Buffer, nowMs: number): void {
    this.#recent.add(textOf(hash), nowMs);
  }

  forget(hash: Buffer): void {
    this.#recent.forget(textOf(hash));
  }

  /**
   * Loads keys from before the start. Otherwise, after a restart, somebody who guesses keys could lock out everyone
   * behind the same address.
   * @param now by the calendar, and by the clock of `has`
   */
  async load(database: Queryable, now: { calendarMs: number; ms: number }): Promise<void> {
    const sinceMs = now.calendarMs - dayMs;
    const limit = this.#maxEntries;
    const hashes = await this.#usedSince(database, { sinceMs, nowMs: now.calendarMs, limit });
    for (const hash of hashes) this.add(hash, now.ms);
  }
}

const textOf = (hash: Buffer): string => hash.toString('base64');
