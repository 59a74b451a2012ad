import { outageOf } from '../platform/observability/outage.ts';
import type { Database } from '../platform/postgres/database.ts';

/** So many writes in a row have failed within so long: then the next one will, too. */
const failuresInARow = 3;
const withinMs = 10_000;
const intervalMs = 1_000;

/**
 * 400 KB that vanish with the commit: it needs new pages, as payments do, where a smaller write may find room in a page
 * that is there.
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
 * Whether writes fail: on a full disk the database answers reads all the same. It hears of what requests write. Once one
 * has failed, whoever asks makes it try a write of its own, at most one a second: where a proxy sends no more requests,
 * nothing else would ever succeed again. Its success counts when no request has failed for a while: what requests write
 * may need more than it does.
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

  /** @param error of a request that would have written something; only those of the database count */
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

  /** Whether writes fail, as far as is known by now; nobody waits for the try that this begins. */
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
      // A role that may not do this says nothing about writes: requests find out.
      else this.#seemsWell();
    } finally {
      this.#isTrying = false;
    }
  }
}

/** It does not answer, has no room, takes no writes, or cannot read what it has. */
function isOfDatabase(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  if (outageOf(error) !== undefined) return true;
  if (typeof code === 'string' && /^(53|58|XX|25006)/.test(code)) return true;
  return cause !== undefined && isOfDatabase(cause);
}
