import assert from 'node:assert/strict';
import { test } from 'node:test';
import { binsOf, hitRate, keysSeen, triedHitRate, unseenAfter } from './keys.ts';

const sizes = { merchants: 100_000, exponent: 1, shift: 0 };
const bins = binsOf(sizes);

test('a cache of the last used finds as many keys as the formula says', () => {
  for (const room of [100, 1_000, 20_000]) {
    const [computed, tried] = [hitRate(bins, room), triedHitRate(sizes, room, 200_000, 7)];
    assert.ok(Math.abs(computed - tried) < 0.005, `${room}: ${computed}, not ${tried}`);
  }
  assert.equal(hitRate(bins, sizes.merchants), 1);
});

test('bins have all keys and all requests, the first key with its own share', () => {
  assert.equal(
    bins.reduce((sum, { keys }) => sum + keys, 0),
    sizes.merchants,
  );
  const shares = bins.reduce((sum, { keys, share }) => sum + keys * share, 0);
  assert.ok(Math.abs(shares - 1) < 1e-9);
  // The sum of 1 ÷ r up to 100,000 is 12.09.
  assert.ok(Math.abs(bins[0]!.share * 12.09 - 1) < 1e-3);
});

test('of no requests nothing is known, of very many everything', () => {
  assert.ok(Math.abs(unseenAfter(bins, 0) - 1) < 1e-9);
  assert.equal(Math.round(keysSeen(bins, 1e9)), sizes.merchants);
  // Each request that is unseen brings one more key.
  const more = keysSeen(bins, 50_001) - keysSeen(bins, 50_000);
  assert.ok(Math.abs(more - unseenAfter(bins, 50_000)) < 1e-4);
});
