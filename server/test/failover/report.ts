import type { Outage } from './failover.ts';

/** A row for each kind of fail-over, and a total: the count, and the seconds without service. */
export function tableOf(outages: readonly Outage[]): string[] {
  const kinds = [...Map.groupBy(outages, ({ strike }) => strike)];
  const rows = [...kinds, ['all', outages] as const].map(([name, some]) => {
    const seconds = some.map((one) => one.seconds).toSorted((one, other) => one - other);
    return [name, `${some.length}`, medianOf(seconds).toFixed(2), seconds.at(-1)!.toFixed(2)];
  });
  const table = [['what', 'rounds', 'median s', 'worst s'], ...rows];
  return table.map(([name, ...figures]) =>
    [name!.padEnd(12), ...figures.map((figure) => figure.padStart(9))].join(''),
  );
}

/** The median of sorted numbers. */
export function medianOf(sorted: readonly number[]): number {
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2;
}
