/**
 * How long payments took from their creation to the debit, in buckets: counting them is enough for a median,
 * and sums of counts can be added up over any time. Bounds lie closer together where people wait, each about a
 * third or a half above the one before. Counted rows depend on them (migration 0022), so they never change.
 */
export const boundsS = [
  0.5, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512,
];

/** In SQL, the bucket of an interval, from 1. */
export const bucketOf = (interval: string) =>
  `1 + width_bucket(extract(epoch FROM ${interval})::float8, '{${boundsS.join(',')}}'::float8[])`;

/**
 * The median, in milliseconds: interpolated within its bucket, as if its payments were spread evenly over it.
 * Undefined without payments; a payment beyond the last bound counts as equal to it.
 * @param counts how many payments are in each bucket
 */
export function medianMs(counts: ReadonlyMap<number, bigint>): number | undefined {
  const total = Number([...counts.values()].reduce((sum, count) => sum + count, 0n));
  if (total === 0) return undefined;
  let before = 0;
  for (let bucket = 1; bucket <= boundsS.length; bucket++) {
    const count = Number(counts.get(bucket) ?? 0n);
    if (count > 0 && before + count >= total / 2) {
      const fromS = boundsS[bucket - 2] ?? 0;
      const untilS = boundsS[bucket - 1]!;
      const share = (total / 2 - before) / count;
      return Math.round((fromS + (untilS - fromS) * share) * 1_000);
    }
    before += count;
  }
  return boundsS.at(-1)! * 1_000;
}
