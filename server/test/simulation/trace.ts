import { hash } from 'node:crypto';

const uuidLength = 36;

/** Short names for ids, and what happened in order: the story of a seed, for a person to read. */
export class Trace {
  #startMs: number;
  #now: () => number;
  #lines: string[] = [];
  #names = new Map<string, string>();
  #counts = new Map<string, number>();
  /** Prints each line at once. */
  isLoud = false;

  constructor(now: () => number) {
    this.#now = now;
    this.#startMs = now();
  }

  /** `P7` for the seventh payment that was heard of, the same for the same id ever after. */
  nameOf(letter: string, id: string): string {
    const known = this.#names.get(id);
    if (known) return known;
    if (id.length !== uuidLength) return id;
    const count = (this.#counts.get(letter) ?? 0) + 1;
    this.#counts.set(letter, count);
    const name = `${letter}${count}`;
    this.#names.set(id, name);
    return name;
  }

  /** Seconds since the start. */
  instant(ms: number): string {
    return ((ms - this.#startMs) / 1_000).toFixed(3);
  }

  tell(who: string, what: string): void {
    const line = `${this.instant(this.#now()).padStart(10)}  ${who.padEnd(12)} ${what}`;
    if (this.isLoud) console.log(line);
    this.#lines.push(line);
  }

  /** Of all that was told. */
  fingerprint(): string {
    return hash('sha256', this.#lines.join('\n'));
  }

  /** The lines that speak of any of these names, then the very last of all. */
  about(names: readonly string[], last = 6): string[] {
    const word = new RegExp(`(?<![\\w-])(${names.join('|')})(?![\\w-])`);
    const told = names.length === 0 ? [] : this.#lines.filter((line) => word.test(line));
    return [...told, '…', ...this.#lines.slice(-last)];
  }
}
