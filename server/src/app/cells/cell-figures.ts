import type { MetricJson } from '../../platform/observability/aggregate-metrics.ts';
import type { Machine } from '../shared-resources.ts';
import type { ServedCell } from './served-cell.ts';

type Cells = ReadonlyMap<string, ServedCell>;

/** The metrics that this process has counted in its further cells. */
export async function metricsOfCells(cells: Cells): Promise<MetricJson[]> {
  const own = await Promise.all([...cells.values()].map((cell) => cell.metrics()));
  return own.flat();
}

/**
 * The home's own metrics are added to these: those read from the databases of further cells, which
 * only this process reports, and those of other processes. The primary keeps this process's counts
 * of all cells even after its end.
 */
export const otherMetricsOf =
  (cells: Cells, { otherMetrics }: Machine): NonNullable<Machine['otherMetrics']> =>
  async (own) => {
    const others = await otherMetrics?.([...own, ...(await metricsOfCells(cells))]);
    const whole = await Promise.all([...cells.values()].map((cell) => cell.allMetrics()));
    return [...whole, ...(others ?? [])];
  };
