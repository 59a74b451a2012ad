export interface RecentOptions {
  /** How long a text is remembered. */
  ttlMs: number;
  maxEntries: number;
}

/** Remembers texts for a while, and evicts the oldest when full. */
export class Recent {
  #options: RecentOptions;
  #seenAtMs = new Map<string, number>();

  constructor(options: RecentOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#seenAtMs.size;
  }

  has(text: string, nowMs: number): boolean {
    const seenAtMs = this.#seenAtMs.get(text);
    // A clock that was set back must not extend an entry.
    return seenAtMs !== undefined && nowMs >= seenAtMs && nowMs - seenAtMs < this.#options.ttlMs;
  }

  add(text: string, nowMs: number): void {
    // Deleted first, so that the Map is ordered by age and its first entry is the oldest.
    this.#seenAtMs.delete(text);
    this.#seenAtMs.set(text, nowMs);
    if (this.#seenAtMs.size <= this.#options.maxEntries) return;
    this.#seenAtMs.delete(this.#seenAtMs.keys().next().value!);
  }

  forget(text: string): void {
    this.#seenAtMs.delete(text);
  }
}
