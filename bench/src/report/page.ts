import type { Plan } from '../plan.ts';
import { budgetBars, rateBars, ratioBars } from './bar-chart.ts';
import type { Verdict } from './limits.ts';
import { type LineChart, lineChart, type Series } from './line-chart.ts';
import type { Machine } from './machine.ts';
import { style } from './style.ts';
import type { Summary } from './summary.ts';
import { escaped } from './svg.ts';
import type { Table } from './tables.ts';

export interface Report {
  machine: Machine;
  plan: Plan;
  summary: Summary;
  verdicts: Verdict[];
  tables: Table[];
}

/** Everything on one page that needs no network. */
export function pageOf({ machine, plan, summary, verdicts, tables }: Report): string {
  const met = verdicts.filter((verdict) => verdict.met).length;
  const { date, commit, processor, cores, memoryGigabytes, system, node } = machine;
  const runs = plan.runs === 1 ? 'one run' : `medians of ${plan.runs} runs, ranges shaded`;
  const facts = [
    new Date(date).toUTCString(),
    `commit ${commit}`,
    `${processor}, ${cores} cores, ${memoryGigabytes} GB`,
    system,
    `Node ${node}`,
    runs,
  ];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Zimbo bench</title>
<style>${style}</style>
<main>
<h1>How fast Zimbo is</h1>
<p class="facts">${facts.map(escaped).join(' · ')}</p>
<p class="lead">${met} of ${verdicts.length} limits are met. Ratios are of figures of the same run on the same machine.
In the tables, "load" is what the load itself took of the processor, in cores.</p>
${ratioBars(verdicts)}
${budgetBars(verdicts)}
<div class="charts">${sweepCharts(summary, plan).map(lineChart).join('')}</div>
${rateBars('Rates', `${plan.usualConnections} connections; refunds 16`, ratesOf(summary, plan))}
<h2>Figures</h2>
<div class="tables">${tables.map(tableOf).join('')}</div>
</main>
</html>
`;
}

function sweepCharts(summary: Summary, { connections, fanOuts }: Plan): LineChart[] {
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
  return [
    {
      ...overConnections,
      ...rate,
      title: 'Throughput',
      note: 'per second, closed loop',
      series: [
        lines(connections, 'creates', 'perSecond', 'creates', 1),
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
    latencies('Latency of creates', 'creates', 1),
    latencies('Latency of whole lives', 'lives', 2),
  ];
}

function ratesOf(summary: Summary, plan: Plan): [string, number][] {
  const usual = plan.usualConnections;
  const named = {
    'floor: Fastify that does nothing': 'floor.fastify',
    'floor: one-row INSERT': 'floor.insert',
    'floor: TPC-B': 'floor.tpcb',
    gets: 'gets',
    'idempotent replays': 'replays',
    'lists of 20': 'lists',
    creates: `creates.${usual}`,
    'creates of 1,000 tenants': 'tenants',
    'whole lives': `lives.${usual}`,
    refunds: 'refunds',
  };
  return Object.entries(named).flatMap(([name, figure]): [string, number][] => {
    const spread = summary.get(`${figure}.perSecond`);
    return spread ? [[name, spread.median]] : [];
  });
}

function tableOf({ title, note, rows }: Table): string {
  const [head, ...body] = rows;
  const cells = (row: string[], tag: string) =>
    row.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('');
  return `<div><table><caption><b>${escaped(title)}</b> <span>${escaped(note ?? '')}</span></caption>
<thead><tr>${cells(head!, 'th')}</tr></thead>
<tbody>${body.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')}</tbody></table></div>`;
}
