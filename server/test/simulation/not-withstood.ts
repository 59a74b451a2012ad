import type { OptionalDial } from './dials.ts';

/** What the gateway does not withstand yet: the tests leave it out. */
export const without: readonly OptionalDial[] = ['repeatedReturns', 'borrowedIds'];
export const withoutScenarios: readonly string[] = ['repeated-returns'];
