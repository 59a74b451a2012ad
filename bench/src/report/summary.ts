import type { Figures } from '../figures.ts';

/** One figure over all runs. */
export interface Spread {
  median: number;
  min: number;
  max: number;
}

export type Summary = Map<string, Spread>;

/** The median and the range of each figure over the runs. */
export function summarize(runs: readonly Figures[]): Summary {
  const names = new Set(runs.flatMap((run) => [...run.keys()]));
  return new Map(
    [...names].map((name) => [name, spreadOf(runs.flatMap((run) => run.get(name) ?? []))]),
  );
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const median = (sorted[Math.floor(middle)]! + sorted[Math.ceil(middle)]!) / 2;
  return { median, min: sorted[0]!, max: sorted.at(-1)! };
}
