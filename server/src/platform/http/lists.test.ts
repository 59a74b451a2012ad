import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageBytes } from '../postgres/page-bytes.ts';
import { formatId } from '../values/ids.ts';
import { pageOf, pathId, sendPage } from './lists.ts';

const uuid = '0197b1e0-7c1a-7000-8000-000000000001';

/** The page as a client receives it. */
async function page<Row>(rows: Row[], limit: number, show: (row: Row) => unknown) {
  let sent: Iterable<string> | AsyncIterable<string> = '';
  const reply = { header: () => reply, send: (text: typeof sent) => (sent = text) };
  sendPage(reply as never, rows, { limit }, (row) => JSON.stringify(show(row)));
  return JSON.parse((await Array.fromAsync(sent)).join(''));
}

test('uses one row beyond the limit only to detect another page', async () => {
  const show = (row: number) => `row ${row}`;
  assert.deepEqual(await page([1, 2, 3], 2, show), { data: ['row 1', 'row 2'], hasMore: true });
  assert.deepEqual(await page([1, 2], 2, show), { data: ['row 1', 'row 2'], hasMore: false });
  assert.deepEqual(await page([], 2, show), { data: [], hasMore: false });
});

test('ends a page before it has too many bytes, but with at least one row, and announces another page', async () => {
  const ofHalf = (row: number) => String(row).repeat(pageBytes / 2 - 2);
  const { data, hasMore } = await page([1, 2, 3], 3, ofHalf);
  assert.deepEqual([data.map((text: string) => text[0]), hasMore], [['1', '2'], true]);
  const huge = await page([1, 2], 2, (row) => String(row).repeat(pageBytes));
  assert.deepEqual([huge.data.length, huge.hasMore], [1, true]);
  const cut = await page([{ rowsFound: 3 }, { rowsFound: 3 }], 20, () => 'a row');
  assert.deepEqual(cut, { data: ['a row', 'a row'], hasMore: true });
});

test('accepts as a cursor only an id with the right prefix', () => {
  const afterOf = (starting_after?: string) =>
    pageOf('pi', { limit: 20, ...(starting_after !== undefined && { starting_after }) })
      .startingAfter;
  assert.equal(afterOf(formatId('pi', uuid)), uuid);
  assert.equal(afterOf(), undefined);
  for (const value of ['', 'pi_', formatId('re', uuid), `${formatId('pi', uuid)}0`]) {
    assert.throws(() => afterOf(value), { code: 'VALIDATION_ERROR' });
  }
});

test('answers an ill-formed id in a path with 404', () => {
  assert.equal(pathId('pi', formatId('pi', uuid), 'payment'), uuid);
  assert.throws(() => pathId('pi', 'pi_1', 'payment'), {
    code: 'NOT_FOUND',
    message: 'No such payment.',
  });
});
