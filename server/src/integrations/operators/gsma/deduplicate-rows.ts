import { hash } from 'node:crypto';
import { canonicalJson } from '../../../platform/formats/canonical-json.ts';
import { isTransaction } from './answers.ts';

/**
 * The rows of a list that were given, in its order. A row is the same only if all of it is: an operator may list one
 * transaction in two states, or two under one id.
 */
export class RowsSeen {
  /** How many different ones there are. */
  count = 0;
  readonly #rows = new Set<string>();
  readonly #names: string[] = [];
  /** Where in the list a name stands; the last place, if in several. */
  readonly #places = new Map<string, number>();

  /**
   * Takes a page in. What it repeats must be the end of what was given before, by the names alone, since a transaction
   * may change while the list is walked.
   * @returns the rows that were not given yet, and whether the page goes on where the others ended
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

/** All that names it, since an operator may use the id of a transaction twice. */
function nameOf(row: unknown): string {
  const { transactionReference, requestingOrganisationTransactionReference, type } = (row ??
    {}) as Record<string, unknown>;
  const isReadable = isTransaction(row);
  const named = [transactionReference, requestingOrganisationTransactionReference, type];
  return JSON.stringify(isReadable ? named : row);
}
