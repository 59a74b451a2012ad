import type { MetricJson } from '../../platform/observability/aggregate-metrics.ts';
import type { Machine } from '../shared-resources.ts';
import type { ServedCell } from './served-cell.ts';

type Cells = ReadonlyMap<string, ServedCell>;

/** What a process has counted in its further cells. */
export async function metricsOfCells(cells: Cells): Promise<MetricJson[]> {
  const own = await Promise.all([...cells.values()].map((cell) => cell.metrics()));
  return own.flat();
}

/**
 * What the home's figures are added to: those of further cells, which this process alone reads from their databases, and
 * those of other processes. Their primary keeps what this one has counted in all cells, beyond its end.
 */
export const otherMetricsOf =
  (cells: Cells, { otherMetrics }: Machine): NonNullable<Machine['otherMetrics']> =>
  async (own) => {
    const others = await otherMetrics?.([...own, ...(await metricsOfCells(cells))]);
    const whole = await Promise.all([...cells.values()].map((cell) => cell.allMetrics()));
    return [...whole, ...(others ?? [])];
  };
