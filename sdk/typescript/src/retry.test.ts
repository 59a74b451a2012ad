import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ZimboError, type ZimboErrorDetails } from './error.ts';
import { retryGapMs } from './retry.ts';

const failed = (details: Partial<ZimboErrorDetails>) =>
  new ZimboError({ code: 'INTERNAL_ERROR', message: '', ...details });
const attempt = { failedBefore: 0, isRepeatable: true, random: 0 };
const once = { ...attempt, isRepeatable: false };

test('repeats a request that may have arrived only if it cannot take effect twice', () => {
  const outages = [
    failed({ status: 500 }),
    failed({ status: 503, code: 'UNEXPECTED_ANSWER' }),
    failed({ code: 'CONNECTION_FAILED' }),
    failed({ code: 'TIMEOUT' }),
  ];
  for (const error of outages) {
    assert.equal(retryGapMs(error, attempt), 500, error.code);
    assert.equal(retryGapMs(error, once), undefined, error.code);
  }
});

test('repeats a rejected request only if it exceeded the rate limit', () => {
  for (const status of [400, 401, 403, 404, 409]) {
    assert.equal(retryGapMs(failed({ status }), attempt), undefined);
  }
  assert.equal(retryGapMs(failed({ status: 200, code: 'UNEXPECTED_ANSWER' }), attempt), undefined);
  assert.equal(retryGapMs(failed({ status: 429, code: 'RATE_LIMITED' }), once), 500);
});

test('doubles the pauses up to 8 s, each shortened by up to a half', () => {
  const gaps = (random: number) =>
    [0, 1, 2, 3, 4, 5, 40].map((failedBefore) =>
      retryGapMs(failed({ status: 500 }), { ...attempt, failedBefore, random }),
    );
  assert.deepEqual(gaps(0), [500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  assert.deepEqual(gaps(0.5), [375, 750, 1_500, 3_000, 6_000, 6_000, 6_000]);
});

test('follows Retry-After, but fails if it exceeds a minute', () => {
  const limited = (retryAfterSeconds: number) => failed({ status: 429, retryAfterSeconds });
  assert.equal(retryGapMs(limited(3), attempt), 3_500);
  assert.equal(retryGapMs(limited(60), attempt), 60_500);
  assert.equal(retryGapMs(limited(61), attempt), undefined);
});
