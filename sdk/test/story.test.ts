/** The story that every library plays names each operation of the API. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { methods } from '../scripts/methods.ts';
import { routes } from '../typescript/src/generated.ts';

const file = join(import.meta.dirname, '..', 'vectors', 'story.json');
const story: { call: string }[] = JSON.parse(readFileSync(file, 'utf8'));

test('calls every operation of the API in the story of the libraries', () => {
  const called = new Set(story.map(({ call }) => call));
  assert.deepEqual(Object.keys(routes).toSorted(), Object.keys(methods).toSorted());
  assert.deepEqual([...called].toSorted(), Object.values(methods).toSorted());
});
