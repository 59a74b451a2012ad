import type { Logger } from 'pino';
import type { Clock } from './clock.ts';

export interface DueLoopOptions {
  name: string;
  clock: Clock;
  log: Logger;
  /** Takes due rows and sets them going; gives how many it took. Not called again before it is done. */
  claim(): Promise<number>;
  /** The gap between looks doubles from the shortest to the longest while nothing is due. */
  shortestGapMs?: number;
  longestGapMs?: number;
}

/**
 * Looks for due rows: soon after something was found, rarely when idle, and at the very instant for
 * which this process itself made a row due ({@link DueLoop.wakeAt}).
 */
export class DueLoop {
  #options: Required<DueLoopOptions>;
  #timer: NodeJS.Timeout | undefined;
  #timerAtMs = Number.POSITIVE_INFINITY;
  #wakes: number[] = [];
  #gapMs: number;
  #running: Promise<void> | undefined;
  #stopped = true;

  constructor(options: DueLoopOptions) {
    this.#options = { shortestGapMs: 250, longestGapMs: 2_500, ...options };
    this.#gapMs = this.#options.shortestGapMs;
  }

  start(): void {
    this.#stopped = false;
    this.#arm(this.#options.clock.nowMs());
  }

  /** Ends when the claim under way is done; no further one begins. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  wakeAt(atMs: number): void {
    if (this.#stopped) return;
    if (atMs < this.#timerAtMs) this.#arm(atMs);
    else if (atMs < this.#timerAtMs + this.#options.longestGapMs) this.#wakes.push(atMs);
  }

  #arm(atMs: number): void {
    clearTimeout(this.#timer);
    this.#timerAtMs = atMs;
    const waitMs = Math.max(0, atMs - this.#options.clock.nowMs());
    this.#timer = setTimeout(() => {
      this.#running = this.#look();
    }, waitMs);
  }

  async #look(): Promise<void> {
    this.#timerAtMs = Number.NEGATIVE_INFINITY;
    let taken = 0;
    try {
      taken = await this.#options.claim();
    } catch (error) {
      this.#options.log.warn(
        { err: error, loop: this.#options.name },
        'could not look for due rows',
      );
    }
    if (this.#stopped) return;
    const { shortestGapMs, longestGapMs, clock } = this.#options;
    this.#gapMs = taken > 0 ? shortestGapMs : Math.min(this.#gapMs * 2, longestGapMs);
    const nowMs = clock.nowMs();
    const soonestWakeMs = Math.min(...this.#wakes.splice(0));
    this.#arm(taken > 0 ? nowMs : Math.min(nowMs + this.#gapMs, soonestWakeMs));
  }
}
