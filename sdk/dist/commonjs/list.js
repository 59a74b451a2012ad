"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.List = void 0;
const error_ts_1 = require("./error.js");
const largestLimit = 100;
const incomplete = (cursor) => new error_ts_1.ZimboError({
    code: 'UNEXPECTED_ANSWER',
    message: `The list is incomplete: the answer says that more follows${cursor === undefined ? '' : ` after ${cursor}`}, but has nothing new.`,
});
/**
 * Returned by `list` methods; sends no request until you iterate. `for await` iterates over all
 * items, `pages()` over all pages, `page()` fetches one,
 * `toArray` a number of items. Each iteration starts over, and may throw
 * like any call.
 */
class List {
    #fetchPage;
    #query;
    constructor(fetchPage, query) {
        this.#fetchPage = fetchPage;
        this.#query = query;
    }
    /**
     * The page after `startingAfter`, the one before `endingBefore`, or the first: up to `limit`
     * items, by default 20.
     */
    page() {
        return this.#fetchPage(this.#query);
    }
    /**
     * Page after page, up to `limit` items each, by default 100. With `endingBefore`, each page is
     * newer than the one before; in a page, the newest item comes first. @throws ZimboError
     * `UNEXPECTED_ANSWER` if a page announces more but has nothing new: the iteration is then
     * incomplete
     */
    async *pages() {
        const limit = this.#query.limit ?? largestLimit;
        const { startingAfter, endingBefore } = this.#query;
        const isUpward = endingBefore !== undefined;
        let cursor = endingBefore ?? startingAfter;
        for (;;) {
            const place = isUpward ? { endingBefore: cursor } : { startingAfter: cursor };
            const page = await this.#fetchPage({ limit, ...place });
            yield page;
            if (!page.hasMore)
                return;
            const next = page.data.at(isUpward ? 0 : -1);
            if (next === undefined || next.id === cursor)
                throw incomplete(cursor);
            cursor = next.id;
        }
    }
    /** At most so many items. */
    async toArray(most) {
        const items = [];
        if (most <= 0)
            return items;
        for await (const item of this) {
            if (items.push(item) >= most)
                break;
        }
        return items;
    }
    async *[Symbol.asyncIterator]() {
        for await (const page of this.pages())
            yield* page.data;
    }
}
exports.List = List;
