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
 * Detects whether commits complete. Nobody waits for the probe: a hanging commit is recognised by its age. It is not
 * cancelled either, which would confirm a commit that the standby does not have.
 */
export class CommitProbe {
  readonly #options: CommitProbeOptions;
  #triedMs = Number.NEGATIVE_INFINITY;
  /** The time since which no commit has succeeded. */
  #sinceMs: number | undefined;
  #isTrying = false;

  constructor(options: CommitProbeOptions) {
    this.#options = options;
  }

  /** Tries a commit if the last try is old enough, and returns the current knowledge. */
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
      // If the role may not do this, the probe proves nothing.
      if (!isTransient(error)) this.#sinceMs = undefined;
    } finally {
      this.#isTrying = false;
    }
  }
}
