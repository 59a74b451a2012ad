import type { Random } from '../torture/random.ts';

/** What happens to the primary, or to its standby. */
export type Strike = 'kill' | 'freeze' | 'switch over' | 'read-only' | 'standby gone';

export interface Plan {
  strike: Strike;
  /** How many answers the load has had until then. */
  afterAnswers: number;
  /** How many it has had again until the old primary comes back. */
  untilReturn: number;
}

/** After each of them, the standby is promoted at once. */
export const failOvers: readonly Strike[] = ['kill', 'freeze', 'switch over'];

export const everyStrike: readonly Strike[] = [...failOvers, 'read-only', 'standby gone'];

export const planRound = (random: Random, strike: Strike): Plan => ({
  strike,
  afterAnswers: 20 + random.below(160),
  untilReturn: 20 + random.below(100),
});
