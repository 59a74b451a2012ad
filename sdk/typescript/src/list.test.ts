import assert from 'node:assert/strict';
import { test } from 'node:test';
import { List, type PageQuery } from './list.ts';

const stored = Array.from({ length: 250 }, (_, index) => ({ id: `pi_${250 - index}` }));

/** A list as the gateway stores it, and the received requests. */
function fixture(query: PageQuery) {
  const asked: PageQuery[] = [];
  const list = new List(async ({ limit = 20, startingAfter }: PageQuery) => {
    asked.push({ limit, startingAfter });
    const start = stored.findIndex(({ id }) => id === startingAfter) + 1;
    const data = stored.slice(start, start + limit);
    return { data, hasMore: start + limit < stored.length };
  }, query);
  return { list, asked };
}

test('iterates over each item once, in pages of 100 or the given size', async () => {
  for (const [query, calls] of [
    [{}, 3],
    [{ limit: 50 }, 5],
    [{ limit: 100 }, 3],
  ] as const) {
    const { list, asked } = fixture(query);
    const seen: { id: string }[] = [];
    for await (const item of list) seen.push(item);
    assert.equal(seen.length, stored.length);
    assert.deepEqual(seen, stored);
    assert.equal(asked.length, calls);
  }
});

test('collects at most so many items, and asks for no further page', async () => {
  const { list, asked } = fixture({ limit: 2 });
  assert.deepEqual(await list.toArray(3), stored.slice(0, 3));
  assert.equal(asked.length, 2);
  assert.deepEqual(await list.toArray(0), []);
  assert.equal(asked.length, 2);
});

test('walks towards newer items, page by page, each newest first', async () => {
  const asked: PageQuery[] = [];
  const list = new List(
    async (query: PageQuery) => {
      asked.push(query);
      const end = stored.findIndex(({ id }) => id === query.endingBefore);
      const start = Math.max(0, end - query.limit!);
      return { data: stored.slice(start, end), hasMore: start > 0 };
    },
    { endingBefore: 'pi_245', limit: 2 },
  );
  // Node 20 has no Array.fromAsync.
  const pages = [];
  for await (const page of list.pages()) pages.push(page);
  assert.deepEqual(
    pages.map(({ data }) => data.map(({ id }) => id)),
    [['pi_247', 'pi_246'], ['pi_249', 'pi_248'], ['pi_250']],
  );
  assert.deepEqual(
    asked.map(({ endingBefore, startingAfter }) => [endingBefore, startingAfter]),
    [
      ['pi_245', undefined],
      ['pi_247', undefined],
      ['pi_249', undefined],
    ],
  );
});

test('starts anywhere, ends early, and can be repeated', async () => {
  const { list, asked } = fixture({ startingAfter: 'pi_241', limit: 2 });
  for (let round = 0; round < 2; round++) {
    for await (const item of list) {
      assert.equal(item.id, 'pi_240');
      break;
    }
  }
  assert.deepEqual(asked, [
    { limit: 2, startingAfter: 'pi_241' },
    { limit: 2, startingAfter: 'pi_241' },
  ]);
});

test('fetches one page at a time', async () => {
  const { list, asked } = fixture({});
  assert.equal((await list.page()).data.length, 20);
  const sizes: number[] = [];
  for await (const { data } of list.pages()) sizes.push(data.length);
  assert.deepEqual(sizes, [100, 100, 50]);
  assert.equal(asked.length, 4);
});

test('fails on a page that announces more but has nothing new', async () => {
  for (const data of [[], [{ id: 'pi_1' }]]) {
    const list = new List(async () => ({ data, hasMore: true }), {});
    const walk = async () => {
      for await (const item of list) assert.equal(item.id, 'pi_1');
    };
    await assert.rejects(walk, { code: 'UNEXPECTED_ANSWER', message: /The list is incomplete/ });
  }
});
