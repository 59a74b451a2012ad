import type { Logger } from 'pino';
import type { ClockDoubt, DatabaseClock } from '../platform/postgres/database-clock.ts';
import type { Clock } from '../platform/process/clock.ts';

export interface ClockKeeperDependencies {
  clock: Pick<DatabaseClock, 'measure' | 'doubt'>;
  log: Logger;
  /** A monotonic clock with any origin. */
  monotonicClock: Clock;
  /** Called after each measurement. */
  onMeasured: () => Promise<void>;
  /** The interval between measurements while they succeed. */
  intervalMs: number;
}

const retryBackoffMs = 5_000;
/** The pool opens connections whenever the load rises. */
const connectIntervalMs = 30_000;
/** Regardless of the number of triggers. */
const minIntervalMs = 1_000;

/**
 * Measures the clock: at the start, every minute, after lost connections to the database (which may now be another
 * server, with another clock), and after the machine's clock was set. Logs when the clock becomes unreliable, and
 * reliable again.
 */
export class ClockKeeper {
  #dependencies: ClockKeeperDependencies;
  #timer: NodeJS.Timeout | undefined;
  #ticking: Promise<void> | undefined;
  #triedMs = 0;
  #failure: unknown;
  #isWanted = false;
  #reported: ClockDoubt['kind'] | undefined;

  constructor(dependencies: ClockKeeperDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws Error if the database does not tell its time */
  async start(): Promise<void> {
    this.#triedMs = this.#dependencies.monotonicClock.nowMs();
    await this.#dependencies.clock.measure();
    await this.#reportMeasurement();
    this.#judge();
    // This check is cheap: the database is queried only when due.
    const pollIntervalMs = Math.min(minIntervalMs, this.#dependencies.intervalMs);
    this.#timer = setInterval(() => void this.tick(), pollIntervalMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#ticking;
  }

  /** A connection to the database was made, or has broken. */
  connection(change: 'made' | 'lost'): void {
    if (!this.#timer) return;
    const isOld = this.#dependencies.monotonicClock.nowMs() - this.#triedMs >= connectIntervalMs;
    if (change === 'made' && !isOld && this.#failure === undefined) return;
    this.#isWanted = true;
    void this.tick();
  }

  /** Measures if due, and reports changes. */
  tick(): Promise<void> {
    this.#ticking ??= this.#tick().finally(() => {
      this.#ticking = undefined;
    });
    return this.#ticking;
  }

  async #tick(): Promise<void> {
    if (this.#isDue()) await this.#measure();
    this.#judge();
  }

  #isDue(): boolean {
    const sinceMs = this.#dependencies.monotonicClock.nowMs() - this.#triedMs;
    const isUrgent = this.#isWanted || this.#dependencies.clock.doubt()?.kind === 'MOVED';
    if (isUrgent) return sinceMs >= Math.min(minIntervalMs, this.#dependencies.intervalMs);
    return (
      sinceMs >= (this.#failure === undefined ? this.#dependencies.intervalMs : retryBackoffMs)
    );
  }

  async #measure(): Promise<void> {
    this.#triedMs = this.#dependencies.monotonicClock.nowMs();
    const wasWanted = this.#isWanted;
    this.#isWanted = false;
    try {
      await this.#dependencies.clock.measure();
      this.#failure = undefined;
    } catch (error) {
      this.#isWanted ||= wasWanted;
      this.#failure = error;
      return;
    }
    await this.#reportMeasurement();
  }

  async #reportMeasurement(): Promise<void> {
    try {
      await this.#dependencies.onMeasured();
    } catch (error) {
      this.#dependencies.log.warn({ err: error }, 'the running processes could not be compared');
    }
  }

  #judge(): void {
    const { clock, log } = this.#dependencies;
    const doubt = clock.doubt();
    if (doubt?.kind === this.#reported) return;
    this.#reported = doubt?.kind;
    if (doubt) {
      const err = this.#failure;
      log.error(
        { ...(err !== undefined && { err }) },
        `${doubt.reason}: this process takes no work`,
      );
    } else {
      log.info('the clock is reliable again: this process takes work');
    }
  }
}
