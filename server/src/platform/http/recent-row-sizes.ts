/** A size is remembered for at least this long, and at most twice as long. */
const generationMs = 60_000;
/** Enough for this many tenants with several lists each; forgotten sizes count as unknown. */
const mostKeys = 20_000;

/**
 * Recent row sizes by tenant and list: the largest of the last minute or two, so that the estimate falls once
 * the large rows of a list are gone. Two generations make forgetting cheap.
 */
export class LearnedWeights {
  #young = new Map<string, number>();
  #old = new Map<string, number>();
  #bornMs = Number.NEGATIVE_INFINITY;
  #nowMs: () => number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  note(key: string, bytesPerRow: number): void {
    this.#renew();
    this.#young.set(key, Math.max(bytesPerRow, this.#young.get(key) ?? 0));
  }

  /** Undefined if the list has no recent rows. */
  of(key: string): number | undefined {
    this.#renew();
    const young = this.#young.get(key);
    const old = this.#old.get(key);
    return young === undefined || old === undefined ? (young ?? old) : Math.max(young, old);
  }

  #renew(): void {
    const nowMs = this.#nowMs();
    if (nowMs - this.#bornMs < generationMs && this.#young.size < mostKeys) return;
    // Both generations are too old.
    this.#old = nowMs - this.#bornMs < 2 * generationMs ? this.#young : new Map();
    this.#young = new Map();
    this.#bornMs = nowMs;
  }
}
