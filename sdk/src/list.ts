import { ZimboError } from './error.ts';

/** One page of a list, newest first (contract, section 4.6). */
export interface Page<Item> {
  data: Item[];
  /** Whether another page follows: request it with `startingAfter`, the id of the last item. */
  hasMore: boolean;
}

export interface PageQuery {
  limit?: number | undefined;
  startingAfter?: string | undefined;
}

const largestLimit = 100;

const incomplete = (after: string | undefined) =>
  new ZimboError({
    code: 'UNEXPECTED_ANSWER',
    message: `The list is incomplete: the answer says that more follows${after === undefined ? '' : ` after ${after}`}, but has nothing new.`,
  });

/**
 * Returned by `list` methods; sends no request until you iterate. `for await` iterates over all
 * items, `pages()` over all pages, `page()` fetches one. Each iteration starts over, and may throw
 * like any call.
 */
export class List<Item extends { id: string }> implements AsyncIterable<Item> {
  readonly #fetchPage: (position: PageQuery) => Promise<Page<Item>>;
  readonly #query: PageQuery;

  constructor(fetchPage: (position: PageQuery) => Promise<Page<Item>>, query: PageQuery) {
    this.#fetchPage = fetchPage;
    this.#query = query;
  }

  /** The page after `startingAfter`, or the first: up to `limit` items, by default 20. */
  page(): Promise<Page<Item>> {
    return this.#fetchPage(this.#query);
  }

  /**
   * Page after page, up to `limit` items each, by default 100. @throws ZimboError
   * `UNEXPECTED_ANSWER` if a page announces more but has nothing new: the iteration is then
   * incomplete
   */
  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    const limit = this.#query.limit ?? largestLimit;
    let { startingAfter } = this.#query;
    for (;;) {
      const page = await this.#fetchPage({ limit, startingAfter });
      yield page;
      if (!page.hasMore) return;
      const last = page.data.at(-1);
      if (last === undefined || last.id === startingAfter) throw incomplete(startingAfter);
      startingAfter = last.id;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }
}
