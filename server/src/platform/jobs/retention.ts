import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database, Queryable } from '../postgres/database.ts';
import type { Clock } from '../process/clock.ts';
import { firstUuidAt, instantOf } from '../values/ids.ts';
import { Poller } from './poller.ts';

/** Some of a tenant's rows: those with an id after the first bound, up to and with the last. */
export interface IdRange {
  tenantId: string;
  afterId: string;
  lastId: string;
}

/** Rows with a maximum age, found by ids that begin with their instant. */
export interface OldRows {
  /** The tenants that have such rows with ids before this one. */
  tenants(database: Queryable, beforeId: string): Promise<string[]>;
  /** The tenant's next row after one id and before another; undefined if there is none. */
  next(
    database: Queryable,
    from: Pick<IdRange, 'tenantId' | 'afterId'>,
    beforeId: string,
    limit: number,
  ): Promise<IdRange | undefined>;
  /**
   * Removes the rows of a range that are no longer needed. @param beforeMs rows before this instant are old @returns
   * the number of removed rows of each kind
   */
  remove(transaction: Queryable, range: IdRange, beforeMs: number): Promise<Record<string, number>>;
}

export interface RetentionDependencies {
  database: Database;
  clock: Clock;
  log: Logger;
  /** How old rows must be, in milliseconds; undefined: they stay forever. */
  retentionMs: number | undefined;
  /** In the order of removal. */
  oldRows: readonly OldRows[];
  onRemoved: (kind: string, count: number) => void;
  /** Ids in one transaction; fewer for tests. */
  batchSize?: number;
  /** The lock that admits one process at a time. */
  lock?: number;
}

const intervalMs = 3_600_000;
/** The pause after a batch, as a multiple of its duration: when on time, and at least. */
const restFactors = { inTime: 4, least: 0.25 };
const firstId = firstUuidAt(0);

/** Removes old rows. They are the left edge of each tenant's rows, so no index serves this alone. */
export class Retention {
  #dependencies: RetentionDependencies;
  #loop: Poller;
  #stopping = new AbortController();

  constructor(dependencies: RetentionDependencies) {
    this.#dependencies = dependencies;
    const { clock, log } = dependencies;
    const claim = () => this.sweep().then(() => 0);
    const intervals = { minIntervalMs: intervalMs, maxIntervalMs: intervalMs };
    this.#loop = new Poller({ name: 'retention', clock, log, claim, ...intervals });
  }

  start(): void {
    if (this.#dependencies.retentionMs !== undefined) this.#loop.start();
  }

  stop(): Promise<void> {
    this.#stopping.abort();
    return this.#loop.stop();
  }

  /** Removes rows that are old enough now, in batches with pauses, until none is left. */
  async sweep(): Promise<void> {
    const { database, clock, retentionMs, oldRows } = this.#dependencies;
    if (retentionMs === undefined) return;
    const beforeMs = clock.nowMs() - retentionMs;
    for (const rows of oldRows) {
      for (const tenantId of await rows.tenants(database, firstUuidAt(beforeMs))) {
        if (!(await this.#sweepTenant(rows, tenantId, beforeMs))) return;
      }
    }
  }

  /** False if the sweep must end: another process is sweeping, or this one is stopping. */
  async #sweepTenant(rows: OldRows, tenantId: string, beforeMs: number): Promise<boolean> {
    const { database, batchSize = 500 } = this.#dependencies;
    const { signal } = this.#stopping;
    const beforeId = firstUuidAt(beforeMs);
    let afterId = firstId;
    while (!signal.aborted) {
      const startedMs = performance.now();
      const range = await rows.next(database, { tenantId, afterId }, beforeId, batchSize);
      if (!range) return true;
      const removed = await this.#remove(rows, range, beforeMs);
      if (removed === undefined) return false;
      afterId = range.lastId;
      // Old rows that must stay are no reason to hurry.
      const lateMs = removed === 0 ? 0 : beforeMs - instantOf(range.lastId);
      const restMs = restAfter(performance.now() - startedMs, lateMs);
      await delay(restMs, undefined, { signal }).catch(() => {});
    }
    return false;
  }

  /** How many rows it removed; undefined if another process is sweeping. */
  async #remove(rows: OldRows, range: IdRange, beforeMs: number): Promise<number | undefined> {
    const { database, onRemoved, lock } = this.#dependencies;
    const removed = await database.transaction(async (transaction) =>
      (await lockRetention(transaction, lock))
        ? rows.remove(transaction, range, beforeMs)
        : undefined,
    );
    if (removed === undefined) return undefined;
    for (const [kind, count] of Object.entries(removed)) onRemoved(kind, count);
    return Object.values(removed).reduce((sum, count) => sum + count, 0);
  }
}

/**
 * The pause in milliseconds. Payments share the disk and the processor with the sweep, and come first. But a sweep that lags behind pauses less, or at a full rate the rows would grow forever.
 * @param tookMs how long the batch took
 * @param lateMs for how long its rows could have been removed
 */
export function restAfter(tookMs: number, lateMs: number): number {
  const { inTime, least } = restFactors;
  // A periodic sweep naturally finds rows up to one interval late.
  return tookMs * Math.max(least, Math.min(inTime, (inTime * intervalMs) / lateMs));
}

/** The lock that lets one process at a time remove rows. */
const lockStatement = { text: 'SELECT pg_try_advisory_xact_lock(2053729634, $1) AS locked' };
const eventsLock = 4;
export const personalDataLock = 7;

/** Takes the lock until the transaction ends; false if another process has it. */
export async function lockRetention(transaction: Queryable, lock = eventsLock): Promise<boolean> {
  const [row] = await transaction.query<{ locked: boolean }>(lockStatement, [lock]);
  return row?.locked ?? false;
}
