import type { Logger } from 'pino';
import { after, type Clock, isReliable } from '../process/clock.ts';

export interface PollerOptions {
  name: string;
  clock: Clock;
  log: Logger;
  /**
   * Claims due rows and starts their processing; returns how many it claimed. Calls never overlap. @param signal the
   * process is stopping: long work may be left to another process
   */
  claim: (signal: AbortSignal) => Promise<number>;
  /** The polling interval doubles from the shortest to the longest while nothing is due. */
  minIntervalMs?: number;
  maxIntervalMs?: number;
  /** The interval after the longest, for a poller that others wake; without it, the longest stays. */
  idleIntervalMs?: number | undefined;
}

/** Wakes are kept to this precision and for this long ahead, so that there are never many of them. */
const wakeStepMs = 20;
const wakeHorizonMs = 60_000;

/**
 * Polls for due rows: soon after it found some, rarely when idle, and exactly at the instants for which this process
 * made rows due ({@link Poller.wakeAt}).
 */
export class Poller {
  #options: Omit<Required<PollerOptions>, 'idleIntervalMs'> & { idleIntervalMs: number };
  #disarm: () => void = () => {};
  #timerAtMs = Number.POSITIVE_INFINITY;
  #wakes = new Set<number>();
  #intervalMs: number;
  #looking: Promise<void> | undefined;
  #stopped = true;
  #stopping = new AbortController();

  constructor(options: PollerOptions) {
    const { maxIntervalMs = 3_000, idleIntervalMs = maxIntervalMs } = options;
    this.#options = { minIntervalMs: 250, ...options, maxIntervalMs, idleIntervalMs };
    this.#intervalMs = this.#options.minIntervalMs;
  }

  start(): void {
    this.#stopped = false;
    this.#stopping = new AbortController();
    this.#arm(this.#options.clock.nowMs());
  }

  /** Resolves when the current claim is done; no further claim begins. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopping.abort();
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
    const { claim, clock, log, name, minIntervalMs, maxIntervalMs } = this.#options;
    // This poll finds everything due by now; a wake during the poll requests another.
    for (const atMs of this.#wakes) if (atMs <= clock.nowMs()) this.#wakes.delete(atMs);
    // Then this process cannot judge whether a row is due.
    if (!isReliable(clock)) {
      this.#intervalMs = minIntervalMs;
      return;
    }
    try {
      const taken = await claim(this.#stopping.signal);
      this.#intervalMs = taken > 0 ? 0 : this.#longerIntervalMs();
    } catch (error) {
      this.#intervalMs = maxIntervalMs;
      log.warn({ err: error, loop: name }, 'could not look for due rows');
    }
  }

  #longerIntervalMs(): number {
    const { minIntervalMs, maxIntervalMs, idleIntervalMs } = this.#options;
    if (this.#intervalMs >= maxIntervalMs) return idleIntervalMs;
    return Math.min(this.#intervalMs * 2 || minIntervalMs, maxIntervalMs);
  }

  #armNext(): void {
    if (this.#stopped) return;
    this.#arm(Math.min(this.#options.clock.nowMs() + this.#intervalMs, ...this.#wakes));
  }
}
