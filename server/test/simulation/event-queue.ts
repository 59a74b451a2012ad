interface Entry<Item> {
  atMs: number;
  number: number;
  item: Item;
}

/** A priority queue (binary heap) of items by instant, then by arrival. */
export class EventQueue<Item> {
  #entries: Entry<Item>[] = [];
  #count = 0;

  get first(): Entry<Item> | undefined {
    return this.#entries[0];
  }

  add(atMs: number, item: Item): void {
    const entries = this.#entries;
    entries.push({ atMs, number: this.#count++, item });
    let index = entries.length - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#isBefore(index, parent)) break;
      this.#swap(index, parent);
      index = parent;
    }
  }

  /** Removes and returns the first item. */
  take(): Item {
    const first = this.#entries[0]!;
    const last = this.#entries.pop()!;
    if (this.#entries.length > 0) {
      this.#entries[0] = last;
      this.#sink();
    }
    return first.item;
  }

  #sink(): void {
    let index = 0;
    for (;;) {
      let least = index;
      for (const child of [2 * index + 1, 2 * index + 2]) {
        if (child < this.#entries.length && this.#isBefore(child, least)) least = child;
      }
      if (least === index) return;
      this.#swap(index, least);
      index = least;
    }
  }

  #isBefore(left: number, right: number): boolean {
    const [a, b] = [this.#entries[left]!, this.#entries[right]!];
    return a.atMs < b.atMs || (a.atMs === b.atMs && a.number < b.number);
  }

  #swap(left: number, right: number): void {
    const entry = this.#entries[left]!;
    this.#entries[left] = this.#entries[right]!;
    this.#entries[right] = entry;
  }
}
