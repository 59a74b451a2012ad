import { ZimboError } from './error.ts';

/** One page of a list, newest first (contract, section 4.6). */
export interface Page<Item> {
  data: Item[];
  /**
   * Whether another page follows: request it with `startingAfter`, the id of the last item; or,
   * after a request with `endingBefore`, with that of the first.
   */
  hasMore: boolean;
}

export interface PageQuery {
  limit?: number | undefined;
  startingAfter?: string | undefined;
  endingBefore?: string | undefined;
}

const largestLimit = 100;

const incomplete = (cursor: string | undefined) =>
  new ZimboError({
    code: 'UNEXPECTED_ANSWER',
    message: `The list is incomplete: the answer says that more follows${cursor === undefined ? '' : ` after ${cursor}`}, but has nothing new.`,
  });

/**
 * Returned by `list` methods; sends no request until you iterate. `for await` iterates over all
 * items, `pages()` over all pages, `page()` fetches one,
 * `toArray` a number of items. Each iteration starts over, and may throw
 * like any call.
 */
export class List<Item extends { id: string }> implements AsyncIterable<Item> {
  readonly #fetchPage: (position: PageQuery) => Promise<Page<Item>>;
  readonly #query: PageQuery;

  constructor(fetchPage: (position: PageQuery) => Promise<Page<Item>>, query: PageQuery) {
    this.#fetchPage = fetchPage;
    this.#query = query;
  }

  /**
   * The page after `startingAfter`, the one before `endingBefore`, or the first: up to `limit`
   * items, by default 20.
   */
  page(): Promise<Page<Item>> {
    return this.#fetchPage(this.#query);
  }

  /**
   * Page after page, up to `limit` items each, by default 100. With `endingBefore`, each page is
   * newer than the one before; in a page, the newest item comes first. @throws ZimboError
   * `UNEXPECTED_ANSWER` if a page announces more but has nothing new: the iteration is then
   * incomplete
   */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    const limit = this.#query.limit ?? largestLimit;
    const { startingAfter, endingBefore } = this.#query;
    const isUpward = endingBefore !== undefined;
    let cursor = endingBefore ?? startingAfter;
    for (;;) {
      const place = isUpward ? { endingBefore: cursor } : { startingAfter: cursor };
      const page = await this.#fetchPage({ limit, ...place });
      yield page;
      if (!page.hasMore) return;
      const next = page.data.at(isUpward ? 0 : -1);
      if (next === undefined || next.id === cursor) throw incomplete(cursor);
      cursor = next.id;
    }
  }

  /** At most so many items. */
  async toArray(most: number): Promise<Item[]> {
    const items: Item[] = [];
    if (most <= 0) return items;
    for await (const item of this) {
      if (items.push(item) >= most) break;
    }
    return items;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }
}
