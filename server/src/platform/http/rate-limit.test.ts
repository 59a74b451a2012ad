import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RateLimiter } from './rate-limit.ts';

test('lets a burst pass at once, then as many as the rate allows', () => {
  const limiter = new RateLimiter({ perSecond: 10, burst: 5 });
  const passed = (count: number, nowMs: number) =>
    Array.from({ length: count }, () => limiter.take('a', nowMs)).filter(({ allowed }) => allowed)
      .length;
  assert.equal(passed(9, 0), 5);
  assert.equal(passed(9, 99), 0);
  assert.equal(passed(9, 300), 3);
  assert.equal(passed(9, 60_000), 5);
});

test('tells a refused client when the next request passes', () => {
  const limiter = new RateLimiter({ perSecond: 4, burst: 1 });
  assert.deepEqual(limiter.take('a', 0), { allowed: true, left: 0, fullInMs: 250, retryInMs: 0 });
  assert.deepEqual(limiter.take('a', 100), {
    allowed: false,
    left: 0,
    fullInMs: 150,
    retryInMs: 150,
  });
  assert.equal(limiter.take('a', 249).allowed, false);
  assert.equal(limiter.take('a', 250).allowed, true);
});

test('lets no more than burst plus rate pass in any window', () => {
  const intervals = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 200 });
  fc.assert(
    fc.property(
      intervals,
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 20 }),
      (steps, perSecond, burst) => {
        const limiter = new RateLimiter({ perSecond, burst });
        const passedAtMs: number[] = [];
        let nowMs = 0;
        for (const step of steps) {
          nowMs += step;
          const { allowed, left } = limiter.take('a', nowMs);
          assert.ok(left >= 0 && left < burst);
          if (allowed) passedAtMs.push(nowMs);
          for (const [index, fromMs] of passedAtMs.entries()) {
            const most = burst + ((nowMs - fromMs) / 1000) * perSecond + 1e-6;
            assert.ok(passedAtMs.length - index <= most);
          }
        }
      },
    ),
  );
});

test('forgets idle buckets, and bounds memory under a flood of keys', () => {
  const limiter = new RateLimiter({ perSecond: 1, burst: 10 });
  for (let key = 0; key < 1_000; key++) limiter.take(String(key), 0);
  assert.equal(limiter.size, 1_000);
  limiter.take('a', 10_000);
  limiter.take('a', 20_000);
  assert.ok(limiter.size <= 2);
  for (let key = 0; key < 250_000; key++) limiter.take(String(key), 20_000);
  assert.ok(limiter.size <= 100_000);
});

test('keeps a bucket in use', () => {
  const limiter = new RateLimiter({ perSecond: 1, burst: 10 });
  let passed = 0;
  for (let nowMs = 0; nowMs < 100_000; nowMs += 100) {
    if (limiter.take('a', nowMs).allowed) passed++;
  }
  assert.equal(passed, 109);
});

test('reuses returned tokens, but never exceeds the burst', () => {
  const limiter = new RateLimiter({ perSecond: 1, burst: 2 });
  limiter.take('a', 0);
  limiter.take('a', 0);
  limiter.giveBack('a', 0);
  assert.equal(limiter.take('a', 0).allowed, true);
  assert.equal(limiter.take('a', 0).allowed, false);
  for (let time = 0; time < 5; time++) limiter.giveBack('a', 0);
  assert.equal(limiter.take('a', 0).left, 1);
  limiter.giveBack('b', 0);
  assert.equal(limiter.take('b', 0).left, 1);
});

test('locks nobody out when the clock is set back', () => {
  const limiter = new RateLimiter({ perSecond: 1, burst: 2 });
  limiter.take('a', 1_000_000);
  limiter.take('a', 1_000_000);
  limiter.take('a', 0);
  assert.equal(limiter.take('a', 2_000).allowed, true);
});
