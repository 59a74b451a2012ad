/** How long what was seen counts at least; at most twice as long. */
const generationMs = 60_000;
/** So many tenants with several lists each; beyond, what is forgotten counts as unknown. */
const mostKeys = 20_000;

/**
 * What rows weighed lately, by the tenant and the list: the heaviest of the last minute or two, so that a list whose
 * heavy rows have gone becomes light again. Two generations forget without searching for what is old.
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

  /** Undefined where nothing was seen lately. */
  of(key: string): number | undefined {
    this.#renew();
    const young = this.#young.get(key);
    const old = this.#old.get(key);
    return young === undefined || old === undefined ? (young ?? old) : Math.max(young, old);
  }

  #renew(): void {
    const nowMs = this.#nowMs();
    if (nowMs - this.#bornMs < generationMs && this.#young.size < mostKeys) return;
    // Of a time that is over: nothing of it is remembered.
    this.#old = nowMs - this.#bornMs < 2 * generationMs ? this.#young : new Map();
    this.#young = new Map();
    this.#bornMs = nowMs;
  }
}
