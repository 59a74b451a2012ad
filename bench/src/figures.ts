import type { LoadResult } from './load/job.ts';

/** The figures of one run, by name: `creates.real.64.perSecond`. The last part of a name is its unit. */
export type Figures = Map<string, number>;

/** Records a load under a name: rate, latencies, and the load generator's own CPU use. */
export function recordLoad(figures: Figures, name: string, result: LoadResult): void {
  figures.set(`${name}.perSecond`, result.perSecond);
  figures.set(`${name}.p50Ms`, result.done.p50Ms);
  figures.set(`${name}.p99Ms`, result.done.p99Ms);
  figures.set(`${name}.loadCores`, result.cores);
  if (result.unfinished > 0) figures.set(`${name}.unfinished`, result.unfinished);
}

/** The rate of a load, or the highest of its sweep; undefined if it was not measured. */
export function bestRate(figures: Figures, name: string): number | undefined {
  const rates = [...figures].filter(
    ([figure]) =>
      figure.startsWith(`${name}.`) && /^(\d+\.)?perSecond$/.test(figure.slice(name.length + 1)),
  );
  return rates.length === 0 ? undefined : Math.max(...rates.map(([, rate]) => rate));
}
