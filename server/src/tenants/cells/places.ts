/** Where something was found. */
export interface KnownPlace {
  cell: string;
  merchantId: string;
}

/**
 * Places by name, so many at most. Whatever nobody has asked for while half of them were found or used is forgotten:
 * two generations do that, and asking costs no more than the look into a Map.
 */
export class Places {
  readonly #mostOfGeneration: number;
  #young = new Map<string, KnownPlace>();
  #old = new Map<string, KnownPlace>();

  constructor(maxEntries: number) {
    this.#mostOfGeneration = Math.max(1, Math.floor(maxEntries / 2));
  }

  get(name: string): KnownPlace | undefined {
    const young = this.#young.get(name);
    if (young !== undefined) return young;
    const old = this.#old.get(name);
    if (old !== undefined) this.set(name, old);
    return old;
  }

  set(name: string, place: KnownPlace): void {
    this.#young.set(name, place);
    if (this.#young.size < this.#mostOfGeneration) return;
    this.#old = this.#young;
    this.#young = new Map();
  }

  /** Looks at all of them. @param cells in which merchants are from now on, by their ids */
  follow(cells: ReadonlyMap<string, string>): void {
    for (const places of [this.#young, this.#old]) {
      for (const place of places.values()) place.cell = cells.get(place.merchantId) ?? place.cell;
    }
  }
}
