import type { Logger } from 'pino';
import type { Database } from '../postgres/database.ts';
import type { Clock } from '../process/clock.ts';

/** Something that takes longer than a request may, as far as it has come. */
export interface Run<State> {
  startedAtMs: number;
  /** Undefined while it is under way. */
  endedAtMs: number | undefined;
  /** What has been found so far; it grows until the end. */
  state: State;
  /** It could not go on; what it has found until then stands. */
  isBroken: boolean;
}

export interface LongRunOptions {
  /** For the log: `doctor`. */
  name: string;
  clock: Clock;
  log: Logger;
  /** Connections of its own, which are closed when it ends: the pool is for requests. */
  open: () => Database;
}

const closeLimitMs = 2_000;

/**
 * Runs of which one at a time is under way in this process, beside the requests that ask for it. Whoever asks
 * meanwhile looks at the same one.
 */
export class LongRun<State> {
  readonly #options: LongRunOptions;
  #last: Run<State> | undefined;
  #ended: Promise<void> = Promise.resolve();
  #database: Database | undefined;
  #isStopped = false;

  constructor(options: LongRunOptions) {
    this.#options = options;
  }

  /** The one under way, or else the latest that has ended. */
  get last(): Run<State> | undefined {
    return this.#last;
  }

  /**
   * Begins a run, unless one is under way: then that one is given.
   * @param work what fills the state; it may throw
   */
  begin(state: State, work: (database: Database, run: Run<State>) => Promise<void>): Run<State> {
    if (this.#last !== undefined && this.#last.endedAtMs === undefined) return this.#last;
    const startedAtMs = this.#options.clock.nowMs();
    const run: Run<State> = { startedAtMs, endedAtMs: undefined, state, isBroken: false };
    this.#last = run;
    this.#ended = this.#work(run, work);
    return run;
  }

  /** When the run that is under way has ended. */
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

  /** Takes the connections away from a run that is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#last?.endedAtMs === undefined && this.#database) await soon(this.#database.close());
    await soon(this.#ended);
  }
}

/** A statement that was given up may still hold its connection. */
async function soon(closed: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, closeLimitMs);
  });
  await Promise.race([closed.catch(() => {}), limit]);
  clearTimeout(timer);
}
