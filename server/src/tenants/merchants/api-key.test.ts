import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allPermissions, hashApiKey, newApiKey, parsePermissions } from './api-key.ts';

test('a key is sk_, its mode and 32 letters and digits', () => {
  assert.match(newApiKey('test'), /^sk_test_[0-9A-Za-z]{32}$/);
  assert.match(newApiKey('live'), /^sk_live_[0-9A-Za-z]{32}$/);
});

test('draws all characters with equal probability', () => {
  const counts = new Map<string, number>();
  const keys = Array.from({ length: 5_000 }, () => newApiKey('test'));
  for (const character of keys.flatMap((key) => key.slice(8).split(''))) {
    counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  assert.equal(counts.size, 62);
  const expected = (5_000 * 32) / 62;
  const chiSquare = [...counts.values()].reduce(
    (sum, count) => sum + (count - expected) ** 2 / expected,
    0,
  );
  // 61 degrees of freedom: chance exceeds it once in 10^9 runs; bytes modulo 62 give about 1,700.
  assert.ok(chiSquare < 150, `${chiSquare}`);
});

test('stores the SHA-256', () => {
  const hex = hashApiKey('abc').toString('hex');
  assert.equal(hex, 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test('accepts only known permissions, each once', () => {
  assert.equal(allPermissions.length, 16);
  const repeated = ['payments:write', 'payments:read', 'payments:write'];
  assert.deepEqual(parsePermissions(repeated), ['payments:read', 'payments:write']);
  const former = ['events:write', 'events:read'];
  assert.deepEqual(parsePermissions(former), ['events:read', 'events:write']);
  assert.throws(
    () => parsePermissions(['payments:delete']),
    /"payments:delete" is not a permission/,
  );
  assert.throws(() => parsePermissions([]), /must be some of/);
});
