import type { Database } from '../platform/postgres/database.ts';
import { isTransient } from '../platform/postgres/transient-errors.ts';

/** It changes nothing, but its commit waits for a synchronous standby as any other does. */
const commitStatement = {
  name: 'ready.commit',
  text: `SELECT pg_logical_emit_message(true, 'zimbo', '')`,
};
const intervalMs = 1_000;
const limitMs = 5_000;

export interface CommitProbeOptions {
  database: Database;
  nowMs: () => number;
}

/**
 * Whether commits come to an end. Nobody waits for one here: what hangs is found by its age. Nor is it cancelled, which
 * would confirm a commit that the standby does not have.
 */
export class CommitProbe {
  readonly #options: CommitProbeOptions;
  #triedMs = Number.NEGATIVE_INFINITY;
  /** Since when none has succeeded. */
  #sinceMs: number | undefined;
  #isTrying = false;

  constructor(options: CommitProbeOptions) {
    this.#options = options;
  }

  /** Tries a commit, if the last try was a while ago, and says what is known by now. */
  hangs(): boolean {
    const nowMs = this.#options.nowMs();
    const hangs = this.#sinceMs !== undefined && nowMs - this.#sinceMs > limitMs;
    if (!this.#isTrying && nowMs - this.#triedMs >= intervalMs) void this.#try(nowMs);
    return hangs;
  }

  async #try(nowMs: number): Promise<void> {
    this.#isTrying = true;
    this.#triedMs = nowMs;
    this.#sinceMs ??= nowMs;
    try {
      await this.#options.database.query(commitStatement);
      this.#sinceMs = undefined;
    } catch (error) {
      // A role that may not do this says nothing about commits.
      if (!isTransient(error)) this.#sinceMs = undefined;
    } finally {
      this.#isTrying = false;
    }
  }
}
