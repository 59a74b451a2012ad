import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergedRecords } from './merge-records.ts';
import type { FoundRecords } from './search.ts';

const found = (ids: string[], lookedThrough?: string) =>
  ({ records: ids.map((id) => ({ id })), lookedThrough }) as FoundRecords;
const idsOf = ({ records }: FoundRecords) => records.map(({ id }) => id);

test('leaves records older than a database’s search position to the next page', () => {
  const both = mergedRecords([found(['9', '5', '2']), found(['8'], '4')], 10);
  assert.deepEqual(idsOf(both), ['9', '8', '5']);
  assert.equal(both.lookedThrough, '4', 'where the next page goes on');
  const cut = mergedRecords([found(['9', '5', '2']), found(['8'], '4')], 2);
  assert.deepEqual(idsOf(cut), ['9', '8', '5'], 'one more than the limit');
  assert.equal(cut.lookedThrough, undefined, 'the last that is shown says where');
  const whole = mergedRecords([found(['7', '1']), found(['3'])], 10);
  assert.deepEqual([idsOf(whole), whole.lookedThrough], [['7', '3', '1'], undefined]);
});
