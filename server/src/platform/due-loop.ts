import type { Logger } from 'pino';
import { after, type Clock, isReliable } from './clock.ts';

export interface DueLoopOptions {
  name: string;
  clock: Clock;
  log: Logger;
  /** Takes due rows and sets them going; gives how many it took. Not called again before it is done. */
  claim: () => Promise<number>;
  /** The gap between looks doubles from the shortest to the longest while nothing is due. */
  shortestGapMs?: number;
  longestGapMs?: number;
}

/** Wakes are kept to this precision and for this long ahead, so that there are never many of them. */
const wakeStepMs = 20;
const wakeHorizonMs = 60_000;

/**
 * Looks for due rows: soon after something was found, rarely when idle, and at the very instant for
 * which this process itself made a row due ({@link DueLoop.wakeAt}).
 */
export class DueLoop {
  #options: Required<DueLoopOptions>;
  #disarm: () => void = () => {};
  #timerAtMs = Number.POSITIVE_INFINITY;
  #wakes = new Set<number>();
  #gapMs: number;
  #looking: Promise<void> | undefined;
  #stopped = true;

  constructor(options: DueLoopOptions) {
    this.#options = { shortestGapMs: 250, longestGapMs: 3_000, ...options };
    this.#gapMs = this.#options.shortestGapMs;
  }

  start(): void {
    this.#stopped = false;
    this.#arm(this.#options.clock.nowMs());
  }

  /** Ends when the claim under way is done; no further one begins. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#disarm();
    await this.#looking;
  }

  wakeAt(atMs: number): void {
    if (this.#stopped || atMs > this.#options.clock.nowMs() + wakeHorizonMs) return;
    const stepAtMs = Math.ceil(atMs / wakeStepMs) * wakeStepMs;
    this.#wakes.add(stepAtMs);
    if (!this.#looking && stepAtMs < this.#timerAtMs) this.#arm(stepAtMs);
  }

  #arm(atMs: number): void {
    this.#disarm();
    this.#timerAtMs = atMs;
    const waitMs = Math.max(0, atMs - this.#options.clock.nowMs());
    this.#disarm = after(this.#options.clock, waitMs, () => {
      this.#looking = this.#look().finally(() => {
        this.#looking = undefined;
        this.#armNext();
      });
    });
  }

  async #look(): Promise<void> {
    const { claim, clock, log, name, shortestGapMs, longestGapMs } = this.#options;
    // What is due by now is found by this look; a wake that comes during it asks for another.
    for (const atMs of this.#wakes) if (atMs <= clock.nowMs()) this.#wakes.delete(atMs);
    // Whether a row is due is not for this process to say then.
    if (!isReliable(clock)) {
      this.#gapMs = shortestGapMs;
      return;
    }
    try {
      const taken = await claim();
      this.#gapMs = taken > 0 ? 0 : Math.min(this.#gapMs * 2 || shortestGapMs, longestGapMs);
    } catch (error) {
      this.#gapMs = longestGapMs;
      log.warn({ err: error, loop: name }, 'could not look for due rows');
    }
  }

  #armNext(): void {
    if (this.#stopped) return;
    this.#arm(Math.min(this.#options.clock.nowMs() + this.#gapMs, ...this.#wakes));
  }
}
