import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { maxAttempts, nextAttemptDelayMs } from './retry.ts';

const secondMs = 1000;
const hourMs = 3600 * secondMs;
const publishedBackoffMs = [1, 5, 30, 300, 1800, 7200, 18_000, 36_000, 86_400, 86_400].map(
  (seconds) => seconds * secondMs,
);

test('uses the published intervals, then gives the delivery up', () => {
  const intervalsMs = publishedBackoffMs.map((_, index) =>
    nextAttemptDelayMs(index + 1, 0.5, null),
  );
  assert.deepEqual(intervalsMs, publishedBackoffMs);
  assert.equal(nextAttemptDelayMs(maxAttempts, 0.5, null), undefined);
  assert.equal(nextAttemptDelayMs(maxAttempts, 0.5, hourMs), undefined);
  assert.equal(nextAttemptDelayMs(maxAttempts + 1, 0.5, null), undefined);
});

test('varies an interval by 10 % at most', () => {
  assert.equal(nextAttemptDelayMs(3, 0, null), 27_000);
  assert.equal(nextAttemptDelayMs(3, 0.999999999, null), 33_000);
});

test('lets Retry-After only lengthen an interval, to 24 h at most', () => {
  const attempt = fc.integer({ min: 1, max: publishedBackoffMs.length });
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const asked = fc.integer({ min: 0, max: 100 * hourMs });
  fc.assert(
    fc.property(attempt, random, asked, (failedAttempts, chance, retryAfterMs) => {
      const plainMs = nextAttemptDelayMs(failedAttempts, chance, null) ?? 0;
      const delayMs = nextAttemptDelayMs(failedAttempts, chance, retryAfterMs);
      assert.equal(delayMs, Math.max(plainMs, Math.min(retryAfterMs, 24 * hourMs)));
    }),
  );
});
