import type { FoundRecords } from './search.ts';

/**
 * Merges the records that several databases found. If a database has not searched all its records, records older than
 * its position wait for the next page, because it may find some in between. @param limit the page size requested from
 * each database
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
