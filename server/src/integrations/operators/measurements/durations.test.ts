import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundsMs, bucketCount, bucketOf, percentileMs } from './durations.ts';

const countsOf = (durations: readonly number[]) => {
  const counts = Array.from({ length: bucketCount }, () => 0);
  for (const each of durations) counts[bucketOf(each)]! += 1;
  return counts;
};

test('finds a percentile within the bucket of its call', () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  for (let round = 0; round < 50; round++) {
    const durations = Array.from({ length: 400 }, () => Math.exp(random() * 10.5));
    const sorted = durations.toSorted((left, right) => left - right);
    for (const share of [0.5, 0.95, 0.99]) {
      const exact = sorted[Math.ceil(sorted.length * share) - 1]!;
      const bucket = bucketOf(exact);
      const reported = percentileMs(countsOf(durations), share)!;
      const [from, until] = [boundsMs[bucket - 1] ?? 0, boundsMs[bucket]!];
      assert.ok(reported >= from && reported <= until, `${reported} of ${from} to ${until}`);
    }
  }
});

test('counts durations beyond the last bound as that bound, and returns no percentile without calls', () => {
  assert.equal(percentileMs(countsOf([90_000, 90_000]), 0.5), 60_000);
  assert.equal(percentileMs(countsOf([]), 0.95), undefined);
  assert.equal(bucketOf(5), 0);
  assert.equal(bucketOf(5.01), 1);
});
