/**
 * A bounded cache from names to cells. An entry is evicted if it is not used while half the limit is added or used;
 * two generations implement this at the cost of one extra Map look-up.
 */
export class CellCache {
  readonly #mostOfGeneration: number;
  #young = new Map<string, string>();
  #old = new Map<string, string>();

  constructor(maxEntries: number) {
    this.#mostOfGeneration = Math.max(1, Math.floor(maxEntries / 2));
  }

  get(name: string): string | undefined {
    const young = this.#young.get(name);
    if (young !== undefined) return young;
    const old = this.#old.get(name);
    if (old !== undefined) this.set(name, old);
    return old;
  }

  set(name: string, cell: string): void {
    this.#young.set(name, cell);
    if (this.#young.size < this.#mostOfGeneration) return;
    this.#old = this.#young;
    this.#young = new Map();
  }
}
