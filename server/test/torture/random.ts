/** Random numbers that repeat with the seed. */
export interface Random {
  /** At least 0, below `limit`. */
  below(limit: number): number;
  pick<T>(choices: readonly T[]): T;
  chance(share: number): boolean;
  /** One choice, with a probability by weight. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T;
}

/** The generator "mulberry32": small, and good enough to choose faults. */
export function seeded(...seeds: number[]): Random {
  let state = seeds.reduce((mixed, seed) => Math.imul(mixed ^ seed, 0x9e3779b1) + 0x7f4a7c15, 1);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    pick: (choices) => choices[below(choices.length)]!,
    chance: (share) => next() < share,
    weighted(choices) {
      let left = next() * choices.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, choice] of choices) {
        left -= weight;
        if (left < 0) return choice;
      }
      return choices.at(-1)![1];
    },
  };
}
