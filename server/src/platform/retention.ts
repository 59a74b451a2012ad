import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { DueLoop } from '../platform/due-loop.ts';
import { firstUuidAt } from '../platform/ids.ts';
import {
  type EventRange,
  lockRetention,
  nextRange,
  removeRange,
  tenantsWithEventsBefore,
} from './retention-store.ts';

export interface EventRetentionParts {
  database: Database;
  clock: Clock;
  log: Logger;
  /** How old events must be, in milliseconds; undefined: they stay for ever. */
  retentionMs: number | undefined;
  onRemoved: (removed: { deliveries: number; events: number }) => void;
  /** Events in one transaction; fewer for tests. */
  batchSize?: number;
}

const gapMs = 3_600_000;
/** How long to rest after a batch, as a multiple of the time that it took. */
const restFactor = 4;
const firstId = firstUuidAt(0);

/**
 * Removes old events and their deliveries. An event with a PENDING delivery stays, however old it is.
 * Ids of events begin with the instant, so the old ones are the left edge of each tenant's events, and
 * no index serves this alone.
 */
export class EventRetention {
  #parts: EventRetentionParts;
  #loop: DueLoop;
  #stopping = new AbortController();

  constructor(parts: EventRetentionParts) {
    this.#parts = parts;
    const { clock, log } = parts;
    const claim = () => this.sweep().then(() => 0);
    const gaps = { shortestGapMs: gapMs, longestGapMs: gapMs };
    this.#loop = new DueLoop({ name: 'event retention', clock, log, claim, ...gaps });
  }

  start(): void {
    if (this.#parts.retentionMs !== undefined) this.#loop.start();
  }

  stop(): Promise<void> {
    this.#stopping.abort();
    return this.#loop.stop();
  }

  /** Removes what is old enough now, in batches with a rest after each, until nothing is left to remove. */
  async sweep(): Promise<void> {
    const { database, clock, retentionMs } = this.#parts;
    if (retentionMs === undefined) return;
    const beforeId = firstUuidAt(clock.nowMs() - retentionMs);
    for (const tenantId of await tenantsWithEventsBefore(database, beforeId)) {
      if (!(await this.#sweepTenant(tenantId, beforeId))) return;
    }
  }

  /** False where the sweep is to end: another process is at it, or this one stops. */
  async #sweepTenant(tenantId: string, beforeId: string): Promise<boolean> {
    const { database, batchSize = 500 } = this.#parts;
    const { signal } = this.#stopping;
    let afterId = firstId;
    while (!signal.aborted) {
      const startedMs = performance.now();
      const from = { tenantId, afterId };
      const range = await nextRange(database, from, beforeId, batchSize);
      if (!range) return true;
      if (!(await this.#remove(range))) return false;
      afterId = range.lastId;
      // Payments share the disk and the processor with this, and come first.
      const restMs = (performance.now() - startedMs) * restFactor;
      await delay(restMs, undefined, { signal }).catch(() => {});
    }
    return false;
  }

  async #remove(range: EventRange): Promise<boolean> {
    const { database, onRemoved } = this.#parts;
    const removed = await database.transaction(async (transaction) =>
      (await lockRetention(transaction)) ? removeRange(transaction, range) : undefined,
    );
    if (removed) onRemoved(removed);
    return removed !== undefined;
  }
}
