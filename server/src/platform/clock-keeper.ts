import type { Logger } from 'pino';
import type { Clock } from './clock.ts';
import type { ClockDoubt, DatabaseClock } from './database-clock.ts';

export interface ClockKeeperParts {
  clock: Pick<DatabaseClock, 'measure' | 'doubt'>;
  log: Logger;
  /** One that nobody sets, from any beginning. */
  monotonicClock: Clock;
  /** Hears of each measurement, when it is done. */
  onMeasured: () => Promise<void>;
  /** Between two measurements while all is well. */
  gapMs: number;
}

const retryGapMs = 5_000;
/** Connections are made whenever there is more to do. */
const connectGapMs = 30_000;
/** However many reasons there are. */
const shortestGapMs = 1_000;

/**
 * Has the clock measured: at the start, every minute, when connections to the database were lost (it may
 * be another one now, with another clock), and when the machine's clock was set. Tells when the clock
 * cannot be relied on any more, and when it can again.
 */
export class ClockKeeper {
  #parts: ClockKeeperParts;
  #timer: NodeJS.Timeout | undefined;
  #ticking: Promise<void> | undefined;
  #triedMs = 0;
  #failure: unknown;
  #isWanted = false;
  #told: ClockDoubt['kind'] | undefined;

  constructor(parts: ClockKeeperParts) {
    this.#parts = parts;
  }

  /** @throws Error where the database does not tell its time */
  async start(): Promise<void> {
    this.#triedMs = this.#parts.monotonicClock.nowMs();
    await this.#parts.clock.measure();
    await this.#tellOfMeasurement();
    this.#judge();
    // Looking costs nothing: the database is asked when it is time.
    const lookGapMs = Math.min(shortestGapMs, this.#parts.gapMs);
    this.#timer = setInterval(() => void this.tick(), lookGapMs).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#ticking;
  }

  /** A connection to the database was made, or has broken. */
  connection(change: 'made' | 'lost'): void {
    if (!this.#timer) return;
    const isOld = this.#parts.monotonicClock.nowMs() - this.#triedMs >= connectGapMs;
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
    const sinceMs = this.#parts.monotonicClock.nowMs() - this.#triedMs;
    const isUrgent = this.#isWanted || this.#parts.clock.doubt()?.kind === 'MOVED';
    if (isUrgent) return sinceMs >= Math.min(shortestGapMs, this.#parts.gapMs);
    return sinceMs >= (this.#failure === undefined ? this.#parts.gapMs : retryGapMs);
  }

  async #measure(): Promise<void> {
    this.#triedMs = this.#parts.monotonicClock.nowMs();
    const wasWanted = this.#isWanted;
    this.#isWanted = false;
    try {
      await this.#parts.clock.measure();
      this.#failure = undefined;
    } catch (error) {
      this.#isWanted ||= wasWanted;
      this.#failure = error;
      return;
    }
    await this.#tellOfMeasurement();
  }

  async #tellOfMeasurement(): Promise<void> {
    try {
      await this.#parts.onMeasured();
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'the running processes could not be compared');
    }
  }

  #judge(): void {
    const { clock, log } = this.#parts;
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
