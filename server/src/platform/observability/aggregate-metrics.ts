import { AggregatorRegistry, type Registry } from 'prom-client';
import type { Metrics } from './metrics.ts';

/** A metric with its values, as one process sends it to another. */
export type MetricJson = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number];

/** This process's own metrics, without those read from the database, which are the same in all processes. */
export function ownMetrics({
  registry,
  sharedNames,
}: Pick<Metrics, 'registry' | 'sharedNames'>): Promise<MetricJson[]> {
  const own = registry.getMetricsAsArray().filter(({ name }) => !sharedNames.has(name));
  return Promise.all(
    own.map(({ name }) => registry.getSingleMetric(name)!.get() as Promise<MetricJson>),
  );
}

/** Adds the label of one of several cells to each value, except values of the whole process. */
export function labelledWithCell(metrics: MetricJson[], cell: string | undefined): MetricJson[] {
  if (cell === undefined) return metrics;
  return metrics.map((metric) => ({
    ...metric,
    values: isOfProcess(metric)
      ? metric.values
      : metric.values.map((value) => ({ ...value, labels: { ...value.labels, cell } })),
  }));
}

/** Metrics of the runtime, independent of the program. */
export const isOfProcess = ({ name }: Pick<MetricJson, 'name'>) => /^(process|nodejs)_/.test(name);

/** The metrics of several processes as one text: summed, unless the metric says otherwise. */
export function summedText(processes: MetricJson[][]): Promise<string> {
  return AggregatorRegistry.aggregate(processes as object[]).metrics();
}
