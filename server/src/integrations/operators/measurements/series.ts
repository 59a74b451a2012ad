import type { Queryable } from '../../../platform/postgres/database.ts';
import { percentileMs } from './durations.ts';
import { type Sum, type SumsQuery, sumsOf } from './sums.ts';

/** The results of calls, without buckets. */
export interface Figures {
  answered: number;
  refused: number;
  unknown: number;
  notSent: number;
  pauses: number;
  /** The share of calls that the operator answered, even with a refusal: from 0 to 1; undefined without calls. */
  answeredShare: number | undefined;
  /** The longest duration of half, 95 % and 99 % of the calls that were sent; undefined without any. */
  p50Ms: number | undefined;
  p95Ms: number | undefined;
  p99Ms: number | undefined;
}

export interface Point extends Figures {
  fromMs: number;
}

/** The sum of all sums. */
export function figuresOf(sums: readonly Sum[]): Figures {
  const total = (of: (sum: Sum) => number) => sums.reduce((all, sum) => all + of(sum), 0);
  const [answered, refused] = [total((sum) => sum.answered), total((sum) => sum.refused)];
  const [unknown, notSent] = [total((sum) => sum.unknown), total((sum) => sum.notSent)];
  const calls = answered + refused + unknown + notSent;
  const buckets = sums[0]?.durations.length ?? 0;
  const durations = Array.from({ length: buckets }, (_, bucket) =>
    total((sum) => sum.durations[bucket]!),
  );
  return {
    answered,
    refused,
    unknown,
    notSent,
    pauses: total((sum) => sum.pauses),
    answeredShare: calls === 0 ? undefined : (answered + refused) / calls,
    p50Ms: percentileMs(durations, 0.5),
    p95Ms: percentileMs(durations, 0.95),
    p99Ms: percentileMs(durations, 0.99),
  };
}

/** One point for each step, also for steps without calls. */
export function pointsOf(
  sums: readonly Sum[],
  { fromMs, untilMs, stepSeconds }: Omit<SumsQuery, 'operators'>,
): Point[] {
  const stepMs = stepSeconds * 1_000;
  const firstMs = Math.floor(fromMs / stepMs) * stepMs;
  const byStart = new Map<number, Sum[]>();
  for (const sum of sums) {
    const startMs = Math.floor(sum.fromMs / stepMs) * stepMs;
    byStart.set(startMs, [...(byStart.get(startMs) ?? []), sum]);
  }
  const points: Point[] = [];
  for (let startMs = firstMs; startMs < untilMs; startMs += stepMs) {
    points.push({ fromMs: startMs, ...figuresOf(byStart.get(startMs) ?? []) });
  }
  return points;
}

/** The results of calls to an operator, step by step; the first step starts at or before `fromMs`. */
export async function measurementsOf(database: Queryable, asked: SumsQuery): Promise<Point[]> {
  const stepMs = asked.stepSeconds * 1_000;
  const fromMs = Math.floor(asked.fromMs / stepMs) * stepMs;
  const whole = { ...asked, fromMs };
  return pointsOf(await sumsOf(database, whole), whole);
}
