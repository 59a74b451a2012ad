import type { Population } from './population.ts';
import type { Random } from './random.ts';

/** Where a new merchant is put. Loads are those of the day before, as roll-ups tell them. */
export const placements = ['random', 'fewest merchants', 'least paid', 'better of two'] as const;
export type Placement = (typeof placements)[number];

export interface Policy {
  placement: Placement;
  /** A cell that was above this multiple of the mean for a day loses merchants; never, if undefined. */
  movesAbove: number | undefined;
}

/** One way to spread the merchants of a population over cells. */
export class Cells {
  readonly policy: Policy;
  readonly of: Uint8Array;
  /** Payments a second in the busy hour, without what a single day makes of them. */
  readonly load: Float64Array;
  /** The same as it was on the last day. */
  readonly seen: Float64Array;
  readonly merchants: Float64Array;
  #random: Random;
  #leastPaid = 0;

  constructor(policy: Policy, count: number, room: number, random: Random) {
    this.policy = policy;
    this.of = new Uint8Array(room);
    this.load = new Float64Array(count);
    this.seen = new Float64Array(count);
    this.merchants = new Float64Array(count);
    this.#random = random;
  }

  place(merchant: number, size: number): void {
    const cell = this.#choose();
    this.of[merchant] = cell;
    this.merchants[cell]!++;
    this.load[cell]! += size;
  }

  change(first: number, by: Float64Array): void {
    const { of, load } = this;
    for (let i = 0; i < by.length; i++) load[of[first + i]!]! += by[i]!;
  }

  #choose(): number {
    const count = this.load.length;
    switch (this.policy.placement) {
      case 'random':
        return this.#random.below(count);
      case 'fewest merchants':
        return leastOf(this.merchants);
      case 'least paid':
        return this.#leastPaid;
      case 'better of two': {
        const one = this.#random.below(count);
        const other = this.#random.below(count);
        return this.seen[one]! <= this.seen[other]! ? one : other;
      }
    }
  }

  /** At the end of a day: from now on, merchants are placed by what it was like. */
  look(): void {
    this.seen.set(this.load);
    this.#leastPaid = leastOf(this.seen);
  }

  remove(merchant: number): void {
    this.merchants[this.of[merchant]!]!--;
  }

  move(merchant: number, to: number, size: number): void {
    const from = this.of[merchant]!;
    this.of[merchant] = to;
    this.load[from]! -= size;
    this.load[to]! += size;
    this.merchants[from]!--;
    this.merchants[to]!++;
  }
}

export function leastOf(values: Float64Array): number {
  let least = 0;
  for (let i = 1; i < values.length; i++) if (values[i]! < values[least]!) least = i;
  return least;
}

/** As if they had come one after the other, ten thousand a day, each at its present size. */
export function placeAll(cells: Cells, population: Population): void {
  const { size } = population;
  for (let i = 0; i < size.length; i++) {
    if (size[i] === 0) continue;
    cells.place(i, size[i]!);
    if (i % 10_000 === 9_999) cells.look();
  }
  cells.look();
}
