import type { Random } from '../torture/random.ts';
import type { Answer } from './operator-records.ts';
import { between } from './random-values.ts';

/** What can be wrong with an operator's list of transactions. */
export const listFaults = [
  'ends early',
  'breaks off',
  'repeats rows',
  'skips rows',
  'takes the offset for a page number',
  'counts the page only',
  'counts too many',
  'counts too few',
  'counts nothing',
] as const;
export type ListFault = (typeof listFaults)[number];

export interface PageRequest {
  offset: number;
  limit: number;
}

/** One read through a list, with the faults of this operator. */
export class TransactionList {
  readonly fault: ListFault | undefined;
  /** The largest page that the operator returns. */
  readonly longestPage: number;
  /** The rows returned so far. */
  readonly returned = new Set<unknown>();
  #random: Random;
  #pages = 0;

  constructor(random: Random, fault: ListFault | undefined) {
    this.#random = random;
    this.fault = fault;
    this.longestPage = random.pick([7, 20, 50, 1_000]);
  }

  /** @param rows all rows, the newest first */
  page<Row extends object>(rows: readonly Row[], request: PageRequest): Answer & { body: Row[] } {
    const { fault } = this;
    const limit = Math.min(request.limit, this.longestPage);
    const [from, to] = this.#range(rows.length, { offset: request.offset, limit });
    const isLater = this.#pages++ > 0;
    if (fault === 'breaks off' && isLater) return { status: 503, body: [] };
    const isSkipped = (index: number) => fault === 'skips rows' && (from + index) % 13 === 12;
    const isOver = fault === 'ends early' && isLater;
    const body = isOver ? [] : rows.slice(from, to).filter((_, index) => !isSkipped(index));
    for (const row of body) this.returned.add(row);
    const available = this.#count(rows.length, body.length, request.offset);
    return {
      status: 200,
      body,
      ...(available !== undefined && {
        headers: { 'x-records-available-count': String(available) },
      }),
    };
  }

  #range(length: number, { offset, limit }: PageRequest): [from: number, to: number] {
    if (this.fault === 'takes the offset for a page number') {
      return [offset * limit, (offset + 1) * limit];
    }
    const isRepeated = this.fault === 'repeats rows' && offset > 0 && offset < length;
    const from = isRepeated ? Math.max(offset - between(this.#random, 1, 3), 0) : offset;
    return [from, from + limit];
  }

  #count(all: number, page: number, offset: number): number | undefined {
    if (this.fault === 'counts the page only') return page;
    if (this.fault === 'counts too many') return all + 5;
    if (this.fault === 'counts too few') return Math.min(all, offset + page, all >> 1);
    return this.fault === 'counts nothing' ? undefined : all;
  }
}
