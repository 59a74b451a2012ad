/** One line on standard error that says what is being measured. */
export class Progress {
  #steps: string[];
  #index = 0;
  #startMs = performance.now();

  constructor(steps: string[]) {
    this.#steps = steps;
  }

  next(): void {
    const step = this.#steps[this.#index++];
    this.#write(`measuring ${step} (${this.#index} of ${this.#steps.length})`);
  }

  end(): void {
    const seconds = Math.round((performance.now() - this.#startMs) / 1_000);
    this.#write(`measured in ${seconds} s`);
    if (process.stderr.isTTY) process.stderr.write('\n');
  }

  /** On a terminal the line is written over; elsewhere each step gets its own. */
  #write(text: string): void {
    process.stderr.write(process.stderr.isTTY ? `\r\x1b[2K${text}` : `${text}\n`);
  }
}
