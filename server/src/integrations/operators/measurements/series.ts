import type { Queryable } from '../../../platform/postgres/database.ts';
import { percentileMs } from './durations.ts';
import { type Asked, type Sum, sumsOf } from './sums.ts';

/** What calls came to, in words that need no buckets. */
export interface Figures {
  answered: number;
  refused: number;
  unknown: number;
  notSent: number;
  pauses: number;
  /** Of all calls, those that the operator answered, also with a no: from 0 to 1; undefined without any. */
  answeredShare: number | undefined;
  /** How long half, 95 % and 99 % of the calls that were sent took at most; undefined without any. */
  p50Ms: number | undefined;
  p95Ms: number | undefined;
  p99Ms: number | undefined;
}

export interface Point extends Figures {
  fromMs: number;
}

/** All sums together. */
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

/** One point for each step of a time, also where nothing was called. */
export function pointsOf(
  sums: readonly Sum[],
  { fromMs, untilMs, stepSeconds }: Omit<Asked, 'operators'>,
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

/** What calls to an operator came to, step by step; the first step begins at or before `fromMs`. */
export async function measurementsOf(database: Queryable, asked: Asked): Promise<Point[]> {
  const stepMs = asked.stepSeconds * 1_000;
  const fromMs = Math.floor(asked.fromMs / stepMs) * stepMs;
  const whole = { ...asked, fromMs };
  return pointsOf(await sumsOf(database, whole), whole);
}
