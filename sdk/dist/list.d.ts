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
/**
 * Returned by `list` methods; sends no request until you iterate. `for await` iterates over all
 * items, `pages()` over all pages, `page()` fetches one,
 * `toArray` a number of items. Each iteration starts over, and may throw
 * like any call.
 */
export declare class List<Item extends {
    id: string;
}> implements AsyncIterable<Item> {
    #private;
    constructor(fetchPage: (position: PageQuery) => Promise<Page<Item>>, query: PageQuery);
    /**
     * The page after `startingAfter`, the one before `endingBefore`, or the first: up to `limit`
     * items, by default 20.
     */
    page(): Promise<Page<Item>>;
    /**
     * Page after page, up to `limit` items each, by default 100. With `endingBefore`, each page is
     * newer than the one before; in a page, the newest item comes first. @throws ZimboError
     * `UNEXPECTED_ANSWER` if a page announces more but has nothing new: the iteration is then
     * incomplete
     */
    pages(): AsyncGenerator<Page<Item>, void, undefined>;
    /** At most so many items. */
    toArray(most: number): Promise<Item[]>;
    [Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined>;
}
