import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LearnedWeights } from './recent-row-sizes.ts';

test('remembers the largest rows of the last minutes, and forgets older ones', () => {
  let nowMs = 0;
  const weights = new LearnedWeights(() => nowMs);
  assert.equal(weights.of('a'), undefined);
  weights.note('a', 5);
  weights.note('a', 3);
  assert.equal(weights.of('a'), 5);
  nowMs = 61_000;
  assert.equal(weights.of('a'), 5, 'for at least a minute');
  weights.note('a', 2);
  assert.equal(weights.of('a'), 5);
  nowMs = 122_000;
  assert.equal(weights.of('a'), 2);
  nowMs = 500_000;
  assert.equal(weights.of('a'), undefined);
});

test('keeps at most two generations under a flood of tenants', () => {
  const weights = new LearnedWeights(() => 0);
  for (let tenant = 0; tenant < 100_000; tenant++) weights.note(String(tenant), 1);
  const known = Array.from({ length: 100_000 }, (_, tenant) => weights.of(String(tenant)));
  assert.ok(known.filter((bytes) => bytes !== undefined).length <= 40_000);
});
