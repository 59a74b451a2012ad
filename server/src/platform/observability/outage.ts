import type { Logger } from 'pino';

/** A period in which the database did not answer, or refused writes. */
export interface Outage {
  sinceMs: number;
  /** When it last failed. */
  failedMs: number;
  /** When it first answered after that. */
  answeredMs: number | undefined;
  /** How many requests were answered with it. */
  refused: number;
}

/** Errors that only report the outage, which has its own lines in the log. */
const outages = new WeakMap<object, Outage>();

/** The outage behind an error or its cause; undefined if there is none. */
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

/** While reads succeed and writes fail, the outage continues. */
const quietMs = 10_000;

/** Logs each outage of a database in two lines, regardless of the number of failures. */
export class Outages {
  readonly #options: OutagesOptions;
  #present: Outage | undefined;

  constructor(options: OutagesOptions) {
    this.#options = options;
  }

  /** @param error the error of an operation with no effect, or an unknown one */
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

  /** No further queries follow: an outage that seems over is logged as over. */
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
