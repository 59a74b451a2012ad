import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatId } from '../ids.ts';
import { page, parseStartingAfter, pathId } from './lists.ts';

const uuid = '0197b1e0-7c1a-7000-8000-000000000001';

test('one row more than the limit says that there is another page, and is not shown', () => {
  const show = (row: number) => `row ${row}`;
  assert.deepEqual(page([1, 2, 3], 2, show), { data: ['row 1', 'row 2'], hasMore: true });
  assert.deepEqual(page([1, 2], 2, show), { data: ['row 1', 'row 2'], hasMore: false });
  assert.deepEqual(page([], 2, show), { data: [], hasMore: false });
});

test('a cursor is the UUID of an id of the right prefix; anything else is invalid', () => {
  assert.equal(parseStartingAfter('pi', formatId('pi', uuid)), uuid);
  assert.equal(parseStartingAfter('pi', undefined), undefined);
  for (const value of ['', 'pi_', formatId('re', uuid), `${formatId('pi', uuid)}0`]) {
    assert.throws(() => parseStartingAfter('pi', value), { code: 'VALIDATION_ERROR' });
  }
});

test('an ill-formed id in a path names nothing', () => {
  assert.equal(pathId('pi', formatId('pi', uuid), 'payment'), uuid);
  assert.throws(() => pathId('pi', 'pi_1', 'payment'), {
    code: 'NOT_FOUND',
    message: 'No such payment.',
  });
});
