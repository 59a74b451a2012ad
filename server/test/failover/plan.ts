import type { Random } from '../torture/random.ts';

/** A fault of the primary, or of its standby. */
export type Strike = 'kill' | 'freeze' | 'switch over' | 'read-only' | 'standby gone';

export interface Plan {
  strike: Strike;
  /** How many answers the load gets before the fault. */
  afterAnswers: number;
  /** How many more answers it gets before the old primary returns. */
  untilReturn: number;
}

/** After each of these, the test promotes the standby at once. */
export const failOvers: readonly Strike[] = ['kill', 'freeze', 'switch over'];

export const everyStrike: readonly Strike[] = [...failOvers, 'read-only', 'standby gone'];

export const planRound = (random: Random, strike: Strike): Plan => ({
  strike,
  afterAnswers: 20 + random.below(160),
  untilReturn: 20 + random.below(100),
});
