import type { Plan } from '../plan.ts';
import { budgetBars, rateBars, ratioBars } from './bar-chart.ts';
import { formatFigure, formatLimit, formatSpread } from './format.ts';
import type { Verdict } from './limits.ts';
import { lineChart } from './line-chart.ts';
import type { Machine } from './machine.ts';
import { style } from './style.ts';
import type { Summary } from './summary.ts';
import { escaped } from './svg.ts';
import { sweepCharts } from './sweep-charts.ts';
import { type Table, withoutEmpty } from './tables.ts';

export interface Report {
  machine: Machine;
  plan: Plan;
  summary: Summary;
  verdicts: Verdict[];
  tables: Table[];
  doubts: string[];
}

/** Everything on one page that needs no network. */
export function pageOf({ machine, plan, summary, verdicts, tables, doubts }: Report): string {
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
In the tables, "gateway" and "PostgreSQL" are what one request took of the processor there, and "load" is what the
load itself took of it, in cores.</p>
${doubts.map((doubt) => `<p class="doubt">${escaped(doubt)}</p>`).join('')}
${ratioBars(verdicts)}
${budgetBars(verdicts)}
<div class="charts">${sweepCharts(summary, plan).map(lineChart).join('')}</div>
${rateBars('Rates', `${plan.usualConnections} connections`, ratesOf(summary, plan))}
<h2>Figures</h2>
<div class="tables">${[...againstLimits(verdicts), ...tables].map(tableOf).join('')}</div>
</main>
</html>
`;
}

function ratesOf(summary: Summary, plan: Plan): [string, number][] {
  const usual = plan.usualConnections;
  const named = {
    'floor: Fastify that does nothing': 'floor.fastify',
    'floor: bare undici loop': 'floor.undici',
    'floor: SELECT by primary key': 'floor.select',
    'floor: SELECT of 20': 'floor.selectList',
    'floor: one-row INSERT': 'floor.insert',
    'floor: TPC-B': 'floor.tpcb',
    gets: 'gets',
    'idempotent replays': 'replays',
    'lists of 20': 'lists.plain',
    creates: `creates.real.${usual}`,
    'bare creates': `creates.bare.${usual}`,
    'checkout sessions with their page': 'checkouts',
    'whole lives': `lives.${usual}`,
    refunds: 'refunds',
    'deliveries to 1 endpoint': 'deliveries.1',
    'deliveries to 10 endpoints': 'deliveries.10',
  };
  return Object.entries(named).flatMap(([name, figure]): [string, number][] => {
    const spread = summary.get(`${figure}.perSecond`);
    return spread ? [[name, spread.median]] : [];
  });
}

/** The bars with the ranges of the runs; nothing if no limit was measured. */
function againstLimits(verdicts: readonly Verdict[]): Table[] {
  const rows = verdicts.map((verdict) => [
    `${verdict.met ? '✓' : '✗'} ${verdict.about}`,
    formatFigure(verdict.figure, verdict.spread.median),
    formatLimit(verdict),
    formatSpread(verdict.figure, verdict.spread),
  ]);
  const head = ['', 'figure', 'limit', 'range'];
  if (rows.length === 0) return [];
  return [{ title: 'Against the limits', rows: withoutEmpty([head, ...rows]) }];
}

/** As many columns as fit into half of the page. */
const broadFrom = 6;

function tableOf({ title, note, rows }: Table): string {
  const [head, ...body] = rows;
  const cells = (row: string[], tag: string) =>
    row.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('');
  const css = head!.length >= broadFrom ? ' class="broad"' : '';
  return `<figure${css}><figcaption><b>${escaped(title)}</b> <span>${escaped(note ?? '')}</span></figcaption>
<div class="scrolls" tabindex="0" role="region" aria-label="${escaped(title)}"><table><thead><tr>${cells(head!, 'th')}</tr></thead>
<tbody>${body.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')}</tbody></table></div></figure>`;
}
