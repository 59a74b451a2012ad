/** The conditions of a statement and their values, if both depend on the request. */
export class Conditions {
  readonly values: unknown[];
  readonly #texts: string[];

  /** @param values the values that the statement always has: `$1` and on */
  constructor(values: unknown[], ...always: string[]) {
    this.values = values;
    this.#texts = always;
  }

  /** @param condition with `?` in place of the value; without a value, the condition is omitted. */
  where(condition: string, value: unknown): void {
    if (value === undefined) return;
    this.and(condition.replace('?', this.value(value)));
  }

  /** Adds a value and returns its placeholder, such as `$3`. */
  value(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  and(condition: string): void {
    this.#texts.push(condition);
  }

  get text(): string {
    return this.#texts.length === 0 ? 'true' : this.#texts.join(' AND ');
  }
}
