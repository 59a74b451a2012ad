import type { Logger } from 'pino';
import type { Database } from '../postgres/database.ts';
import type { Clock } from '../process/clock.ts';

/** The progress of a run that takes longer than a request may. */
export interface Run<State> {
  startedAtMs: number;
  /** Undefined while it is running. */
  endedAtMs: number | undefined;
  /** What has been found so far; it grows until the end. */
  state: State;
  /** The run failed; its findings until then stand. */
  isBroken: boolean;
}

export interface LongRunOptions {
  /** For the log: `doctor`. */
  name: string;
  clock: Clock;
  log: Logger;
  /** Separate connections, closed at the end: the pool is for requests. */
  open: () => Database;
}

const closeLimitMs = 2_000;

/** Background runs, one at a time in this process. Requests during a run share it. */
export class LongRun<State> {
  readonly #options: LongRunOptions;
  #last: Run<State> | undefined;
  #ended: Promise<void> = Promise.resolve();
  #database: Database | undefined;
  #isStopped = false;

  constructor(options: LongRunOptions) {
    this.#options = options;
  }

  /** The current run, or else the latest finished one. */
  get last(): Run<State> | undefined {
    return this.#last;
  }

  /** Starts a run, or returns the current one. @param work fills the state; it may throw */
  begin(state: State, work: (database: Database, run: Run<State>) => Promise<void>): Run<State> {
    if (this.#last !== undefined && this.#last.endedAtMs === undefined) return this.#last;
    const startedAtMs = this.#options.clock.nowMs();
    const run: Run<State> = { startedAtMs, endedAtMs: undefined, state, isBroken: false };
    this.#last = run;
    this.#ended = this.#work(run, work);
    return run;
  }

  /** Resolves when the current run has ended. */
  ended(): Promise<void> {
    return this.#ended;
  }

  async #work(
    run: Run<State>,
    work: (database: Database, run: Run<State>) => Promise<void>,
  ): Promise<void> {
    const { name, clock, log, open } = this.#options;
    const database = open();
    this.#database = database;
    try {
      await work(database, run);
    } catch (error) {
      run.isBroken = true;
      if (!this.#isStopped) log.warn({ err: error, run: name }, 'a long run broke off');
    } finally {
      run.endedAtMs = clock.nowMs();
      await soon(database.close());
    }
  }

  /** Closes the connections of the current run. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#last?.endedAtMs === undefined && this.#database) await soon(this.#database.close());
    await soon(this.#ended);
  }
}

/** An abandoned statement may still hold its connection. */
async function soon(closed: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, closeLimitMs);
  });
  await Promise.race([closed.catch(() => {}), limit]);
  clearTimeout(timer);
}
