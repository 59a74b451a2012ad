import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Recent } from './expiring-set.ts';

test('remembers a text for its time, and no longer if the clock was set back', () => {
  const recent = new Recent({ ttlMs: 1_000, maxEntries: 10 });
  recent.add('a', 5_000);
  assert.equal(recent.has('a', 5_999), true);
  assert.equal(recent.has('a', 6_000), false);
  assert.equal(recent.has('a', 4_999), false);
  assert.equal(recent.has('b', 5_000), false);
  recent.forget('a');
  assert.equal(recent.has('a', 5_000), false);
});

test('evicts the oldest first, and renews texts that are seen again', () => {
  const recent = new Recent({ ttlMs: 1_000, maxEntries: 2 });
  for (const text of ['a', 'b', 'a', 'c']) recent.add(text, 0);
  assert.equal(recent.size, 2);
  assert.deepEqual(
    ['a', 'b', 'c'].map((text) => recent.has(text, 0)),
    [true, false, true],
  );
});
