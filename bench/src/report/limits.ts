import { type Figures, saturation } from '../figures.ts';
import type { Plan } from '../plan.ts';
import type { Spread, Summary } from './summary.ts';

/** What a figure must reach, or must not exceed. */
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

export const limits: Limit[] = [
  { figure: 'ratio.creates.insert', about: 'creates ÷ one-row INSERTs', atLeast: 0.8 },
  { figure: 'ratio.creates.fastify', about: 'creates ÷ idle Fastify', atLeast: 0.35 },
  { figure: 'ratio.lives.tpcb', about: 'whole lives ÷ TPC-B', atLeast: 0.8 },
  { figure: 'ratio.deliveries.undici', about: 'deliveries ÷ bare undici loop', atLeast: 0.5 },
  { figure: 'half.creates.p99Ms', about: 'create, p99 at half the rate', atMost: 15 },
  { figure: 'half.webhooks.p99Ms', about: 'commit → webhook, p99 at half the rate', atMost: 50 },
  { figure: 'idle.megabytes', about: 'memory, idle', atMost: 150 },
  { figure: 'peak.megabytes', about: 'memory, under full load', atMost: 300 },
  { figure: 'idle.queriesPerSecond', about: 'queries of an idle gateway', atMost: 2 },
  { figure: 'ready.firstMs', about: 'ready after the first start', atMost: 3_000 },
  { figure: 'ready.laterMs', about: 'ready after a later start', atMost: 1_500 },
];

/** Of a fan-out at which delivering is the work, and the payments are not. */
const judgedFanOut = 10;

/** Adds to a run what follows from its other figures. Each ratio is of figures of the same run. */
export function addRatios(figures: Figures, plan: Plan): void {
  const creates = saturation(figures, 'creates', plan.connections);
  const lives = saturation(figures, 'lives', plan.connections);
  const deliveries = figures.get(`fanout.${judgedFanOut}.deliveriesPerSecond`);
  const ratio = (name: string, value: number | undefined, floor: string) => {
    const base = figures.get(`floor.${floor}.perSecond`);
    if (value !== undefined && base !== undefined) figures.set(`ratio.${name}`, value / base);
  };
  figures.set('creates.best.perSecond', creates);
  figures.set('lives.best.perSecond', lives);
  ratio('creates.insert', creates, 'insert');
  ratio('creates.fastify', creates, 'fastify');
  ratio('lives.tpcb', lives, 'tpcb');
  ratio('deliveries.undici', deliveries, 'undici');
  const peaks = ['creates.peak.megabytes', 'lives.peak.megabytes'];
  figures.set('peak.megabytes', Math.max(...peaks.map((name) => figures.get(name)!)));
}

/** Medians against limits; a figure that could not be measured has no verdict. */
export function judge(summary: Summary, of: readonly Limit[]): Verdict[] {
  return of.flatMap((limit) => {
    const spread = summary.get(limit.figure);
    if (!spread) return [];
    const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = limit;
    return [{ ...limit, spread, met: spread.median >= atLeast && spread.median <= atMost }];
  });
}
