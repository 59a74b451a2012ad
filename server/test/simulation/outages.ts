import type { Random } from '../torture/random.ts';
import type { Dials } from './dials.ts';
import { between } from './random-values.ts';

/** While it lasts, no connection to an operator opens. */
export interface Outage {
  fromMs: number;
  toMs: number;
}

/** The outages of one operator. */
export function outagesOf({ outages, rushMs }: Dials, random: Random, startMs: number): Outage[] {
  return Array.from({ length: outages }, () => {
    const fromMs = startMs + between(random, 10_000, rushMs + 100_000);
    return { fromMs, toMs: fromMs + between(random, 10_000, 250_000) };
  });
}

export const isDown = (outages: readonly Outage[], nowMs: number): boolean =>
  outages.some(({ fromMs, toMs }) => fromMs <= nowMs && nowMs < toMs);
