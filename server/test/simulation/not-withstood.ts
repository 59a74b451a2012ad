import type { OptionalDial } from './dials.ts';

/** What the gateway does not withstand yet: the tests leave it out. */
export const without: readonly OptionalDial[] = ['borrowedIds'];
export const withoutScenarios: readonly string[] = ['borrowed-ids'];
