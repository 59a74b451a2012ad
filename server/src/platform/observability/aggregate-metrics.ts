import { AggregatorRegistry, type Registry } from 'prom-client';
import type { Metrics } from './metrics.ts';

/** A metric with its values, as one process gives it to another. */
export type MetricJson = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number];

/** What is this process's own; what is read from the database is left out, since it is the same in all. */
export function ownMetrics({
  registry,
  sharedNames,
}: Pick<Metrics, 'registry' | 'sharedNames'>): Promise<MetricJson[]> {
  const own = registry.getMetricsAsArray().filter(({ name }) => !sharedNames.has(name));
  return Promise.all(
    own.map(({ name }) => registry.getSingleMetric(name)!.get() as Promise<MetricJson>),
  );
}

/** Of one of several cells: says so of each figure, save those of the whole process, which are the same in all. */
export function labelledWithCell(metrics: MetricJson[], cell: string | undefined): MetricJson[] {
  if (cell === undefined) return metrics;
  return metrics.map((metric) => ({
    ...metric,
    values: isOfProcess(metric)
      ? metric.values
      : metric.values.map((value) => ({ ...value, labels: { ...value.labels, cell } })),
  }));
}

/** What the runtime tells of the process, whatever runs in it. */
export const isOfProcess = ({ name }: Pick<MetricJson, 'name'>) => /^(process|nodejs)_/.test(name);

/** The figures of several processes as one text: added up, unless the metric says otherwise. */
export function summedText(processes: MetricJson[][]): Promise<string> {
  return AggregatorRegistry.aggregate(processes as object[]).metrics();
}
