/** Works on items in memory, a limited number at once. `work` must not throw. */
export class WorkQueue<Item> {
  #work: (item: Item) => Promise<void>;
  #maxRunning: number;
  #waiting: Item[] = [];
  #head = 0;
  #running = new Set<Promise<void>>();
  #stopped = false;

  constructor(options: { maxRunning: number; work: (item: Item) => Promise<void> }) {
    this.#work = options.work;
    this.#maxRunning = options.maxRunning;
  }

  get waiting(): number {
    return this.#waiting.length - this.#head;
  }

  add(item: Item): void {
    this.#waiting.push(item);
    this.#fill();
  }

  /** Finishes what runs and forgets what waits. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#running);
  }

  #fill(): void {
    while (!this.#stopped && this.#running.size < this.#maxRunning && this.waiting > 0) {
      const item = this.#waiting[this.#head++]!;
      if (this.#head > 1_000 && this.#head * 2 > this.#waiting.length) {
        this.#waiting = this.#waiting.slice(this.#head);
        this.#head = 0;
      }
      const run = this.#work(item).finally(() => {
        this.#running.delete(run);
        this.#fill();
      });
      this.#running.add(run);
    }
  }
}
