import type { LoadResult } from './load/job.ts';

/** The figures of one run, by name: `creates.64.perSecond`. The last part of a name is its unit. */
export type Figures = Map<string, number>;

/** Writes down a load under a name: rate, latencies, and what the load itself took of the processor. */
export function recordLoad(figures: Figures, name: string, result: LoadResult): void {
  figures.set(`${name}.perSecond`, result.perSecond);
  figures.set(`${name}.p50Ms`, result.done.p50Ms);
  figures.set(`${name}.p99Ms`, result.done.p99Ms);
  figures.set(`${name}.loadCores`, result.cores);
  if (result.unfinished > 0) figures.set(`${name}.unfinished`, result.unfinished);
}

/** The highest rate of a sweep. */
export function saturation(figures: Figures, sweep: string, connections: number[]): number {
  return Math.max(...connections.map((count) => figures.get(`${sweep}.${count}.perSecond`)!));
}
