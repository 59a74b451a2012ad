import type { FoundRecords } from './search.ts';

/**
 * Records that several databases have found, in one order. Where one has not looked through all of its own, what is
 * older than that is left for the next page: it may have something in between.
 * @param limit of the page that each was asked for
 */
export function mergedRecords(found: readonly FoundRecords[], limit: number): FoundRecords {
  if (found.length === 1) return found[0]!;
  const ends = found.flatMap(({ lookedThrough }) => lookedThrough ?? []);
  const end = ends.toSorted().at(-1);
  const records = found
    .flatMap((each) => each.records)
    .filter(({ id }) => end === undefined || id >= end)
    .toSorted((one, other) => (one.id < other.id ? 1 : -1));
  return { records, lookedThrough: records.length > limit ? undefined : end };
}
