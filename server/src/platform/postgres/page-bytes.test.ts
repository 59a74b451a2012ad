import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupByBytes, pageBytes } from './page-bytes.ts';

test('groups rows by bytes in their order, with an oversized row alone', () => {
  const sizes = [pageBytes - 1, 1, 1, pageBytes + 1, 5, 6];
  const groups = groupByBytes(sizes.map((bytes) => ({ bytes })));
  assert.deepEqual(
    groups.map((group) => group.map(({ bytes }) => bytes)),
    [[pageBytes - 1, 1], [1], [pageBytes + 1], [5, 6]],
  );
  assert.deepEqual(groupByBytes([]), []);
});
