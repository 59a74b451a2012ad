import type { RoutingParameters } from './parameters.ts';
import { factorsOf, Random } from './random.ts';

/** Each merchant changes once in so many days, a part of them each day. */
const daysOfRound = 28;
/** Changes in which a new merchant grows to its size. */
const stepsOfGrowth = 5;
const secondsOfDay = 86_400;

/** Told of all that changes how much is paid where. */
export interface Watcher {
  /** Merchants from the first on pay so much more a second, in the busy hour; negative for less. */
  changed(first: number, by: Float64Array): void;
  ended(merchant: number): void;
  /** With this size. */
  born(merchant: number, size: number): void;
}

/** Merchants with their sizes, who come, change and go; they do not know of cells. */
export class Population {
  /** Payments a second in the busy hour; 0 where there is no merchant. */
  readonly size: Float64Array;
  /** Payments made, since the merchant began. */
  readonly payments: Float64Array;
  readonly large = new Set<number>();
  living = 0;
  total = 0;
  #growing: Uint8Array;
  #parameters: RoutingParameters;
  #random: Random;
  #small: Float64Array;
  #big: Float64Array;
  #daily: Float64Array;
  #free: number[] = [];
  #scale: number;
  #owed = 0;

  constructor(parameters: RoutingParameters) {
    const { merchants, birthsPerYear, seed, wander, daily } = parameters;
    const room = Math.ceil(merchants * (1 + birthsPerYear));
    this.#parameters = parameters;
    this.size = new Float64Array(room);
    this.payments = new Float64Array(room);
    this.#growing = new Uint8Array(room);
    this.#random = new Random(seed);
    this.#small = factorsOf(wander.small, this.#random);
    this.#big = factorsOf(wander.large, this.#random);
    this.#daily = factorsOf(daily, this.#random);
    let sum = 0;
    for (let rank = 1; rank <= merchants; rank++) sum += this.#shareOf(rank);
    this.#scale = parameters.paymentsPerSecond / sum;
    this.#begin(room);
  }

  #shareOf(rank: number): number {
    return (rank + this.#parameters.shift) ** -this.#parameters.exponent;
  }

  /** Sizes in random order, each with up to two years behind it. */
  #begin(room: number): void {
    const { merchants } = this.#parameters;
    const random = this.#random;
    for (let i = 0; i < merchants; i++) this.size[i] = this.#scale * this.#shareOf(i + 1);
    for (let i = merchants - 1; i > 0; i--) {
      const other = random.below(i + 1);
      const kept = this.size[i]!;
      this.size[i] = this.size[other]!;
      this.size[other] = kept;
    }
    for (let i = 0; i < merchants; i++) {
      this.payments[i] = this.#paymentsOf(i, random.share() * 730);
      this.total += this.size[i]!;
      this.#note(i);
    }
    for (let i = room - 1; i >= merchants; i--) this.#free.push(i);
    this.living = merchants;
  }

  #paymentsOf(merchant: number, days: number): number {
    return (this.size[merchant]! * secondsOfDay * days) / this.#parameters.peakToMean;
  }

  #note(merchant: number): void {
    if (this.size[merchant]! >= this.#parameters.largeFrom) this.large.add(merchant);
    else this.large.delete(merchant);
  }

  /** One part of all merchants changes or ends, and new ones begin. */
  pass(day: number, watcher: Watcher): void {
    const part = Math.ceil(this.size.length / daysOfRound);
    const first = (day % daysOfRound) * part;
    const end = Math.min(first + part, this.size.length);
    const mortality = 2 ** 32 * ((this.#parameters.deathsPerYear * daysOfRound) / 365);
    const by = new Float64Array(end - first);
    const ended: number[] = [];
    for (let i = first; i < end; i++) {
      if (this.size[i] === 0) continue;
      this.payments[i]! += this.#paymentsOf(i, daysOfRound);
      const ends = this.#random.bits() < mortality;
      if (ends) ended.push(i);
      by[i - first] = this.#resize(i, ends ? 0 : this.#next(i));
    }
    watcher.changed(first, by);
    for (const merchant of ended) this.#end(merchant, watcher);
    this.#owed += (this.#parameters.birthsPerYear * this.#parameters.merchants) / 365;
    for (; this.#owed >= 1; this.#owed--) this.#bear(watcher);
  }

  #next(merchant: number): number {
    const before = this.size[merchant]!;
    const factors = before < this.#parameters.largeFrom ? this.#small : this.#big;
    const after = before * factors[this.#random.bits() >>> 16]!;
    if (this.#growing[merchant] === 0) return after;
    this.#growing[merchant]!--;
    return after * this.#parameters.startShare ** (-1 / stepsOfGrowth);
  }

  /** By how much it has grown. */
  #resize(merchant: number, after: number): number {
    const before = this.size[merchant]!;
    this.size[merchant] = after;
    this.total += after - before;
    const { largeFrom } = this.#parameters;
    if (before >= largeFrom || after >= largeFrom) this.#note(merchant);
    return after - before;
  }

  #end(merchant: number, watcher: Watcher): void {
    this.payments[merchant] = 0;
    this.#growing[merchant] = 0;
    this.#free.push(merchant);
    this.living--;
    watcher.ended(merchant);
  }

  #bear(watcher: Watcher): void {
    const merchant = this.#free.pop();
    if (merchant === undefined) throw new Error('There is no room for another merchant.');
    this.living++;
    this.#growing[merchant] = stepsOfGrowth;
    const rank = 1 + this.#random.below(this.#parameters.merchants);
    const size = this.#scale * this.#shareOf(rank) * this.#parameters.startShare;
    watcher.born(merchant, this.#resize(merchant, size));
  }

  /** What this day makes of a large merchant, as a factor. */
  today(): number {
    return this.#daily[this.#random.bits() >>> 16]!;
  }
}
