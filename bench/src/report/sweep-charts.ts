import type { Plan } from '../plan.ts';
import type { LineChart, Series } from './line-chart.ts';
import type { Summary } from './summary.ts';

/** Rates and latencies by the number of connections or endpoints. */
export function sweepCharts(summary: Summary, { connections, fanOuts }: Plan): LineChart[] {
  const lines = (
    xs: number[],
    sweep: string,
    part: string,
    name: string,
    color: 1 | 2,
  ): Series => ({
    name,
    color,
    values: xs.map((count) => summary.get(`${sweep}.${count}.${part}`)),
    dashed: part === 'p99Ms',
  });
  const overConnections = { xs: connections, xName: 'connections' };
  const rate = { figure: 'perSecond', scale: 'linear' as const };
  const latencies = (title: string, sweep: string, color: 1 | 2): LineChart => ({
    ...overConnections,
    title,
    note: 'p50 and p99, closed loop',
    figure: 'p99Ms',
    scale: 'log',
    series: [
      lines(connections, sweep, 'p50Ms', 'p50', color),
      lines(connections, sweep, 'p99Ms', 'p99', color),
    ],
  });
  const charts: LineChart[] = [
    {
      ...overConnections,
      ...rate,
      title: 'Throughput',
      note: 'per second, closed loop',
      series: [
        lines(connections, 'creates.real', 'perSecond', 'creates', 1),
        lines(connections, 'lives', 'perSecond', 'whole lives', 2),
      ],
    },
    {
      ...rate,
      xs: fanOuts,
      xName: 'endpoints',
      title: 'Webhooks',
      note: 'per second, by endpoints of one payment',
      series: [
        lines(fanOuts, 'fanout', 'deliveriesPerSecond', 'deliveries', 1),
        lines(fanOuts, 'fanout', 'perSecond', 'payments', 2),
      ],
    },
    latencies('Latency of creates', 'creates.real', 1),
    latencies('Latency of whole lives', 'lives', 2),
  ];
  return charts.filter(({ series }) => series.some(({ values }) => values.some(Boolean)));
}
