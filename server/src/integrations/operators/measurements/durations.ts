/**
 * The durations of calls to operators, in buckets: counts can be added up over any time and over all processes, and
 * suffice for a percentile. In milliseconds; the last bucket holds all longer calls. Counted rows depend on these
 * bounds (migration 0031), so they never change.
 */
export const boundsMs = [
  5, 10, 20, 35, 50, 75, 100, 150, 200, 300, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 7_500,
  10_000, 15_000, 20_000, 30_000, 60_000,
] as const;
export const bucketCount = boundsMs.length + 1;

/** The bucket of a duration, from 0: the first whose bound it does not exceed. */
export function bucketOf(durationMs: number): number {
  const index = boundsMs.findIndex((bound) => durationMs <= bound);
  return index < 0 ? boundsMs.length : index;
}

/**
 * The duration that this share of the calls did not exceed, in milliseconds: interpolated within its bucket, as if
 * its calls were spread evenly over it. Undefined without calls; a call beyond the last bound counts as equal to it.
 * @param counts how many calls are in each bucket
 * @param share from 0 to 1
 */
export function percentileMs(counts: readonly number[], share: number): number | undefined {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return undefined;
  let before = 0;
  for (const [bucket, bound] of boundsMs.entries()) {
    const count = counts[bucket] ?? 0;
    if (count > 0 && before + count >= total * share) {
      const from = boundsMs[bucket - 1] ?? 0;
      return Math.round(from + ((bound - from) * (total * share - before)) / count);
    }
    before += count;
  }
  return boundsMs.at(-1)!;
}
