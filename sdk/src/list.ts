import { ZimboError } from './error.ts';

/** One page of a list, newest first (contract, section 4.6). */
export interface Page<Item> {
  data: Item[];
  /** Whether another page follows: ask for it with `startingAfter`, the id of the last item. */
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
    message: `The list is incomplete: the answer says that more follows${after === undefined ? '' : ` after ${after}`}, and holds nothing new.`,
  });

/**
 * What a `list` method gives: nothing is asked for until you walk it. `for await` walks all items, `pages()` all pages,
 * `page()` gets one. Each walk asks afresh, and may throw what a call may throw.
 */
export class List<Item extends { id: string }> implements AsyncIterable<Item> {
  readonly #fetchPage: (position: PageQuery) => Promise<Page<Item>>;
  readonly #query: PageQuery;

  constructor(fetchPage: (position: PageQuery) => Promise<Page<Item>>, query: PageQuery) {
    this.#fetchPage = fetchPage;
    this.#query = query;
  }

  /** The page after `startingAfter`, or the first: up to `limit` items, 20 where the query does not say. */
  page(): Promise<Page<Item>> {
    return this.#fetchPage(this.#query);
  }

  /**
   * Page after page, up to `limit` items each, 100 where the query does not say.
   * @throws ZimboError `UNEXPECTED_ANSWER` where more should follow, and nothing new does: the walk has not seen all
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
