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

  /** One of these values; without any given, the condition is omitted. */
  oneOf(column: string, given: string | readonly string[] | undefined): void {
    const condition = this.isOneOf(column, given);
    if (condition !== undefined) this.and(condition);
  }

  /** The condition of {@link oneOf}; undefined if none is given. */
  isOneOf(column: string, given: string | readonly string[] | undefined): string | undefined {
    if (given === undefined) return undefined;
    const values = [...new Set([given].flat())];
    return values.length === 1
      ? `${column} = ${this.value(values[0])}`
      : `${column} = ANY (${this.value(values)}::text[])`;
  }

  /** A condition for each of these values, for an index of its own each; without any given, "true". */
  each(column: string, given: string | readonly string[] | undefined): string[] {
    if (given === undefined) return ['true'];
    return [...new Set([given].flat())].map((value) => `${column} = ${this.value(value)}`);
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
