import type { Logger } from 'pino';

/** A time in which the database did not answer, or took no writes. */
export interface Outage {
  sinceMs: number;
  /** When it last failed. */
  failedMs: number;
  /** When it first answered after that. */
  answeredMs: number | undefined;
  /** Of how many requests the answer said so. */
  refused: number;
}

/** Errors that say nothing but that: their outage has its own lines in the log. */
const outages = new WeakMap<object, Outage>();

/** The outage that an error is of, or what caused the error; undefined if it is of none. */
export function outageOf(error: unknown): Outage | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  return outages.get(error) ?? outageOf((error as { cause?: unknown }).cause);
}

export interface OutagesOptions {
  log: Logger;
  nowMs: () => number;
  /** The host in use. */
  host: () => string;
}

/** Where reads succeed and writes fail, it is still the same outage. */
const quietMs = 10_000;

/** Tells of each outage of a database in two lines, however much fails meanwhile. */
export class Outages {
  readonly #options: OutagesOptions;
  #present: Outage | undefined;

  constructor(options: OutagesOptions) {
    this.#options = options;
  }

  /** @param error because of which nothing was done, or nobody knows whether it was */
  failed(error: unknown): void {
    const { log, nowMs, host } = this.#options;
    const failedMs = nowMs();
    if (!this.#present) {
      this.#present = { sinceMs: failedMs, failedMs, answeredMs: undefined, refused: 0 };
      const { code, message: reason } = error as { code?: string; message?: string };
      const words = 'the database does not answer, or takes no writes';
      log.warn({ host: host(), ...(code && { code }), reason }, words);
    }
    Object.assign(this.#present, { failedMs, answeredMs: undefined });
    if (typeof error === 'object' && error !== null) outages.set(error, this.#present);
  }

  /** Something has succeeded: after a while without any failure the outage is over. */
  answered(): void {
    if (!this.#present) return;
    const now = this.#options.nowMs();
    this.#present.answeredMs ??= now;
    if (now - this.#present.failedMs >= quietMs) this.close();
  }

  /** Nothing is asked any more: an outage that seems over is told as such. */
  close(): void {
    const { log, host } = this.#options;
    const outage = this.#present;
    this.#present = undefined;
    if (outage?.answeredMs === undefined) return;
    const { answeredMs, sinceMs, refused } = outage;
    const words = 'the database answers again';
    log.warn({ host: host(), outageMs: Math.round(answeredMs - sinceMs), refused }, words);
  }
}
