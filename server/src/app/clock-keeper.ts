import type { Logger } from 'pino';
import type { ClockDoubt, DatabaseClock } from '../platform/postgres/database-clock.ts';
import type { Clock } from '../platform/process/clock.ts';

export interface ClockKeeperDependencies {
  clock: Pick<DatabaseClock, 'measure' | 'doubt'>;
  log: Logger;
  /** One that nobody sets, from any beginning. */
  monotonicClock: Clock;
  /** Hears of each measurement, when it is done. */
  onMeasured: () => Promise<void>;
  /** Between two measurements while all is well. */
  intervalMs: number;
}

const retryBackoffMs = 5_000;
/** Connections are made whenever there is more to do. */
const connectIntervalMs = 30_000;
/** However many reasons there are. */
const minIntervalMs = 1_000;

/**
 * Has the clock measured: at the start, every minute, when connections to the database were lost (it may
 * be another one now, with another clock), and when the machine's clock was set. Tells when the clock
 * cannot be relied on any more, and when it can again.
 */
export class ClockKeeper {
  #dependencies: ClockKeeperDependencies;
  #timer: NodeJS.Timeout | undefined;
  #ticking: Promise<void> | undefined;
  #triedMs = 0;
  #failure: unknown;
  #isWanted = false;
  #told: ClockDoubt['kind'] | undefined;

  constructor(dependencies: ClockKeeperDependencies) {
    this.#dependencies = dependencies;
  }

  /** @throws Error if the database does not tell its time */
  async start(): Promise<void> {
    this.#triedMs = this.#dependencies.monotonicClock.nowMs();
    await this.#dependencies.clock.measure();
    await this.#reportMeasurement();
    this.#judge();
    // Looking costs nothing: the database is asked when it is time.
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

  /** Does what there is to do now. */
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
    if (doubt?.kind === this.#told) return;
    this.#told = doubt?.kind;
    if (doubt) {
      const err = this.#failure;
      log.error(
        { ...(err !== undefined && { err }) },
        `${doubt.reason}: this process takes no work`,
      );
    } else {
      log.info('the clock can be relied on again: this process takes work');
    }
  }
}
