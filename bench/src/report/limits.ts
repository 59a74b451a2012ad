import { bestRate, type Figures } from '../figures.ts';
import type { Spread, Summary } from './summary.ts';

/** The least or greatest value that a figure must keep to. */
export interface Limit {
  /** The figure's name. */
  figure: string;
  about: string;
  atLeast?: number;
  atMost?: number;
}

export interface Verdict extends Limit {
  spread: Spread;
  met: boolean;
}

/** Ratios of figures of one run; for a sweep, of the best. */
const ratios: [figure: string, of: string, to: string, about: string, atLeast: number][] = [
  ['ratio.creates.insert', 'creates.real', 'floor.insert', 'creates ÷ one-row INSERTs', 0.6],
  ['ratio.creates.fastify', 'creates.bare', 'floor.fastify', 'bare creates ÷ idle Fastify', 0.45],
  ['ratio.gets.select', 'gets', 'floor.select', 'gets ÷ SELECTs by key', 0.7],
  ['ratio.gets.creates', 'gets', 'creates.bare', 'gets ÷ bare creates', 1.5],
  ['ratio.lists.gets', 'lists.plain', 'gets', 'lists of 20 ÷ gets', 0.15],
  ['ratio.refunds.creates', 'refunds', 'creates.bare', 'refunds ÷ bare creates', 0.25],
  ['ratio.lives.tpcb', 'lives', 'floor.tpcb', 'whole lives ÷ TPC-B', 0.6],
  ['ratio.deliveries.1', 'deliveries.1', 'floor.undici', 'deliveries, 1 endpoint ÷ undici', 0.4],
  [
    'ratio.deliveries.10',
    'deliveries.10',
    'floor.undici',
    'deliveries, 10 endpoints ÷ undici',
    0.4,
  ],
];

export const limits: Limit[] = [
  ...ratios.map(([figure, , , about, atLeast]) => ({ figure, about, atLeast })),
  { figure: 'creates.real.half.p99Ms', about: 'create, p99 at half the rate', atMost: 15 },
  {
    figure: 'lives.half.webhook.p99Ms',
    about: 'debit → webhook, p99 at half the rate',
    atMost: 15,
  },
  { figure: 'idle.megabytes', about: 'memory, idle', atMost: 120 },
  { figure: 'peak.megabytes', about: 'memory, under full load', atMost: 260 },
  { figure: 'idle.queriesPerSecond', about: 'queries of an idle gateway', atMost: 2 },
  { figure: 'ready.firstMs', about: 'ready after the first start', atMost: 1_500 },
  { figure: 'ready.laterMs', about: 'ready after a later start', atMost: 600 },
  { figure: 'commands.getMs', about: 'zimbo payments get', atMost: 250 },
];

/** Adds the derived figures to a run. */
export function addRatios(figures: Figures): void {
  for (const [figure, of, to] of ratios) {
    const [value, base] = [bestRate(figures, of), bestRate(figures, to)];
    if (value !== undefined && base !== undefined) figures.set(figure, value / base);
  }
  const peaks = [...figures].filter(([name]) => name.endsWith('.peak.megabytes'));
  if (peaks.length > 0) figures.set('peak.megabytes', Math.max(...peaks.map(([, peak]) => peak)));
}

/** Compares medians with limits; a figure that was not measured has no verdict. */
export function judge(summary: Summary, of: readonly Limit[]): Verdict[] {
  return of.flatMap((limit) => {
    const spread = summary.get(limit.figure);
    if (!spread) return [];
    const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = limit;
    return [{ ...limit, spread, met: spread.median >= atLeast && spread.median <= atMost }];
  });
}
