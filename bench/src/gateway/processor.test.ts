import assert from 'node:assert/strict';
import { test } from 'node:test';
import { treeMs } from './processor.ts';

const stat = (id: number, name: string, parent: number, times: number[]) =>
  `${id} (${name}) S ${parent} 1 1 0 -1 0 0 0 0 0 ${times.join(' ')} 20 0 1 0 0`;

test('the processor time of a process counts all below it, and those that have ended', () => {
  const stats = [
    stat(5, 'a (strange) name', 9, [1, 2, 0, 0]),
    stat(7, 'postgres', 1, [10, 20, 30, 40]),
    stat(9, 'postgres', 7, [100, 0, 0, 0]),
    stat(8, 'another', 1, [1_000, 0, 0, 0]),
  ];
  assert.equal(treeMs(stats, 7), (10 + 20 + 30 + 40 + 100 + 1 + 2) * 10);
});
