/**
 * Cells by the name of what is in them, up to a limit. An entry is forgotten if nobody asks for it while half the limit is
 * added or used. Two generations do that at the cost of one look into a Map.
 */
export class Places {
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
