import { outageOf } from '../platform/observability/outage.ts';
import type { Database } from '../platform/postgres/database.ts';

/** If this many consecutive writes fail within this time, the next one will too. */
const failuresInARow = 3;
const withinMs = 10_000;
const intervalMs = 1_000;

/**
 * 400 KB that vanish at the commit. Like payments, it needs new pages, while a smaller write might fit in an existing
 * page.
 */
const probe = {
  make: 'CREATE TEMPORARY TABLE zimbo_ready (filler text) ON COMMIT DROP',
  fill: `INSERT INTO zimbo_ready SELECT repeat('x', 1900) FROM generate_series(1, 200)`,
};

export interface WriteWatchOptions {
  database: Pick<Database, 'transaction'>;
  nowMs: () => number;
}

/**
 * Detects whether writes fail: on a full disk, the database still answers reads. It observes the writes of requests.
 * After a failure, each readiness check triggers a write of its own, at most one a second: once a proxy sends no more
 * requests, nothing else could prove recovery. The success of this write counts only if no request has failed for a
 * while, because requests may need more space.
 */
export class WriteWatch {
  readonly #options: WriteWatchOptions;
  #failedMs: number[] = [];
  #isFailing = false;
  #isTrying = false;
  #triedMs = Number.NEGATIVE_INFINITY;
  /** When a request last failed. */
  #refusedMs = Number.NEGATIVE_INFINITY;

  constructor(options: WriteWatchOptions) {
    this.#options = options;
  }

  /** @param error of a request that would have written; only database errors count */
  failed(error: unknown): void {
    if (!isOfDatabase(error)) return;
    const nowMs = this.#options.nowMs();
    this.#refusedMs = nowMs;
    this.#count(nowMs);
  }

  #count(nowMs: number): void {
    this.#failedMs = [...this.#failedMs, nowMs].slice(-failuresInARow);
    const isRow = this.#failedMs.length === failuresInARow;
    if (isRow && nowMs - this.#failedMs[0]! <= withinMs) this.#isFailing = true;
  }

  succeeded(): void {
    if (this.#failedMs.length === 0) return;
    this.#failedMs = [];
    this.#isFailing = false;
  }

  /** Returns whether writes fail by current knowledge, and starts a try without waiting for it. */
  fails(): boolean {
    const nowMs = this.#options.nowMs();
    const isDue = !this.#isTrying && nowMs - this.#triedMs >= intervalMs;
    if (this.#failedMs.length > 0 && isDue) void this.#try(nowMs);
    return this.#isFailing;
  }

  #seemsWell(): void {
    if (this.#options.nowMs() - this.#refusedMs >= withinMs) this.succeeded();
  }

  async #try(nowMs: number): Promise<void> {
    this.#isTrying = true;
    this.#triedMs = nowMs;
    try {
      await this.#options.database.transaction(async (transaction) => {
        await transaction.query({ text: probe.make });
        await transaction.query({ text: probe.fill });
      });
      this.#seemsWell();
    } catch (error) {
      if (isOfDatabase(error)) this.#count(this.#options.nowMs());
      // If the role may not do this, only requests reveal failing writes.
      else this.#seemsWell();
    } finally {
      this.#isTrying = false;
    }
  }
}

/** The database does not answer, is full, refuses writes, or cannot read its data. */
function isOfDatabase(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (outageOf(error) !== undefined) return true;
  if (typeof code === 'string' && /^(53|58|XX|25006)/.test(code)) return true;
  return cause !== undefined && isOfDatabase(cause);
}
