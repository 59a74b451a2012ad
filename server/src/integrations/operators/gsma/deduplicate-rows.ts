import { hash } from 'node:crypto';
import { canonicalJson } from '../../../platform/formats/canonical-json.ts';
import { isTransaction } from './answers.ts';

/**
 * The distinct rows of a list so far, in its order. Two rows are the same only if all of their fields are: an
 * operator may list one transaction in two states, or two under one id.
 */
export class RowsSeen {
  /** How many distinct rows there are. */
  count = 0;
  readonly #rows = new Set<string>();
  readonly #names: string[] = [];
  /** The position of a name in the list; the last, if there are several. */
  readonly #places = new Map<string, number>();

  /**
   * Adds a page. Rows that it repeats must be the end of the rows so far, compared by their names alone, since a
   * transaction may change during the walk.
   * @returns the new rows, and whether the page continues where the others ended
   */
  take(rows: readonly unknown[]): { news: unknown[]; goesOn: boolean } {
    const names = rows.map(nameOf);
    const place = this.#places.get(names[0] ?? '');
    const end = this.#names.slice(place, (place ?? 0) + rows.length);
    const goesOn = place !== undefined && end.every((name, index) => name === names[index]);
    const repeated = goesOn ? end.length : 0;
    const news: unknown[] = [];
    for (const [index, row] of rows.entries()) {
      const isNew = this.#isNew(row);
      if (isNew) news.push(row);
      if (index < repeated) continue;
      if (isNew) this.count += 1;
      this.#places.set(names[index]!, this.#names.length);
      this.#names.push(names[index]!);
    }
    return { news, goesOn };
  }

  #isNew(row: unknown): boolean {
    const key = hash('sha256', canonicalJson(row), 'base64');
    if (this.#rows.has(key)) return false;
    this.#rows.add(key);
    return true;
  }
}

/** All of its names, since an operator may use a transaction's id twice. */
function nameOf(row: unknown): string {
  const { transactionReference, requestingOrganisationTransactionReference, type } = (row ??
    {}) as Record<string, unknown>;
  const isReadable = isTransaction(row);
  const named = [transactionReference, requestingOrganisationTransactionReference, type];
  return JSON.stringify(isReadable ? named : row);
}
