import { reasonOf } from '../../../platform/errors/errors.ts';
import type { Journey } from './finish.ts';
import { limitMark } from './marks.ts';

/** The merchant may have been written to again. Its message says why, after "because". */
export class StopEnded extends Error {}

/** Nobody writes rows of the merchant: for a few seconds, which are prolonged as long as the mover lives. */
export class Stop {
  readonly #journey: Journey;
  readonly #lengthMs: number;
  readonly #maxMs: number;
  #untilMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #prolonging: Promise<unknown> = Promise.resolve();
  #ended: string | undefined;

  constructor(journey: Journey, { stopMs, maxStopMs }: { stopMs: number; maxStopMs: number }) {
    this.#journey = journey;
    this.#lengthMs = stopMs;
    this.#maxMs = maxStopMs;
  }

  /** @throws StopEnded */
  async begin(): Promise<void> {
    this.#untilMs = performance.now() + this.#maxMs;
    await this.#prolong();
    this.keep();
    this.#timer = setInterval(() => {
      this.#prolonging = Promise.all([this.#prolonging, this.#prolong()]);
    }, this.#lengthMs / 4);
  }

  /** @throws StopEnded as soon as it is known; the cell itself has the last word */
  keep(): void {
    if (performance.now() > this.#untilMs)
      this.#ended ??= `its last rows took longer than ${this.#maxMs / 1_000} s to copy`;
    if (this.#ended !== undefined) throw new StopEnded(this.#ended);
  }

  /** A prolongation that is late would stop writes in the middle of the next try. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    await this.#prolonging;
  }

  async #prolong(): Promise<void> {
    const { from, move } = this.#journey;
    if (performance.now() > this.#untilMs) return;
    try {
      if (await limitMark(from.database, move, 'STOPPED', this.#lengthMs)) return;
      this.#ended ??= 'the wait for requests to operators, or the stop of writes, had ended';
    } catch (error) {
      this.#ended ??= `the stop of writes could not be prolonged: ${reasonOf(error as Error)}`;
    }
  }
}
