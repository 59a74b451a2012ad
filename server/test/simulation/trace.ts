import { hash } from 'node:crypto';

const uuidLength = 36;

/** The story of a seed for a person to read: its events in order, with short names for ids. */
export class Trace {
  #startMs: number;
  #now: () => number;
  #lines: string[] = [];
  #names = new Map<string, string>();
  #counts = new Map<string, number>();
  /** Prints each line at once. */
  printsAtOnce = false;

  constructor(now: () => number) {
    this.#now = now;
    this.#startMs = now();
  }

  /** `P7` for the seventh payment mentioned; an id keeps its name. */
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

  /** The same name for another id. */
  nameAlso(alias: string, id: string): void {
    const name = this.#names.get(id);
    if (name) this.#names.set(alias, name);
  }

  /** Seconds since the start. */
  instant(ms: number): string {
    return ((ms - this.#startMs) / 1_000).toFixed(3);
  }

  add(who: string, what: string): void {
    const line = `${this.instant(this.#now()).padStart(10)}  ${who.padEnd(12)} ${what}`;
    if (this.printsAtOnce) console.log(line);
    this.#lines.push(line);
  }

  /** A hash of the whole story. */
  fingerprint(): string {
    return hash('sha256', this.#lines.join('\n'));
  }

  /** The lines that mention any of these names, then the last few lines. */
  about(names: readonly string[], last = 6): string[] {
    const word = new RegExp(`(?<![\\w-])(${names.join('|')})(?![\\w-])`);
    const matching = names.length === 0 ? [] : this.#lines.filter((line) => word.test(line));
    return [...matching, '…', ...this.#lines.slice(-last)];
  }
}
