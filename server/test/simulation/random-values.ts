import { v7 } from 'uuid';
import type { Ids } from '../../src/platform/values/ids.ts';
import type { Random } from '../torture/random.ts';

/** At least 0, below 1. */
export const fraction = (random: Random): number => random.below(2 ** 30) / 2 ** 30;

/** An integer from `least` to `most`, inclusive. */
export const between = (random: Random, least: number, most: number): number =>
  least + random.below(most - least + 1);

/** Ids that repeat with the seed. */
export function seededIds(random: Random): Ids {
  return {
    next(nowMs) {
      const bytes = Uint8Array.from({ length: 16 }, () => random.below(256));
      return v7({ msecs: nowMs, seq: random.below(2 ** 31), random: bytes });
    },
  };
}
