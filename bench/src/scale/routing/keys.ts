import type { RoutingParameters } from './parameters.ts';
import { Random } from './random.ts';

/** Keys that are asked for equally often: how many there are, and the share of all requests that one has. */
export interface Bin {
  keys: number;
  share: number;
}

type Sizes = Pick<RoutingParameters, 'merchants' | 'exponent' | 'shift'>;

/** Ranks that are told apart; behind them, neighbours that differ by less than a thousandth share a bin. */
const apart = 10_000;

/** One key for each merchant. Exact for the most frequent, and within a thousandth for all others. */
export function binsOf({ merchants, exponent, shift }: Sizes): Bin[] {
  const bins: Bin[] = [];
  let sum = 0;
  for (let first = 1; first <= merchants; ) {
    const wanted = first <= apart ? 1 : Math.floor(first / 1_000);
    const keys = Math.min(wanted, merchants - first + 1);
    const weight = (first + (keys - 1) / 2 + shift) ** -exponent;
    bins.push({ keys, share: weight });
    sum += keys * weight;
    first += keys;
  }
  return bins.map(({ keys, share }) => ({ keys, share: share / sum }));
}

/** The share of requests whose key was not among the last so many requests. */
export const unseenAfter = (bins: readonly Bin[], requests: number): number =>
  bins.reduce((sum, { keys, share }) => sum + keys * share * Math.exp(-share * requests), 0);

/** How many different keys so many requests have. */
export const keysSeen = (bins: readonly Bin[], requests: number): number =>
  bins.reduce((sum, { keys, share }) => sum + keys * -Math.expm1(-share * requests), 0);

/**
 * The share of requests that a cache of the last used keys answers, by Che's formula: a key stays for as many
 * requests as it takes to see as many different keys as the cache holds.
 */
export function hitRate(bins: readonly Bin[], room: number): number {
  const all = bins.reduce((sum, { keys }) => sum + keys, 0);
  if (room >= all) return 1;
  let least = 0;
  let most = 2 ** 50;
  for (let i = 0; i < 100; i++) {
    const requests = (least + most) / 2;
    if (keysSeen(bins, requests) < room) least = requests;
    else most = requests;
  }
  return 1 - unseenAfter(bins, most);
}

/** The same by trying: requests drawn one by one, and a cache of the last used. The first half warms it up. */
export function triedHitRate(sizes: Sizes, room: number, requests: number, seed: number): number {
  const draw = drawer(sizes, new Random(seed));
  const cache = new LastUsed(sizes.merchants, room);
  let hits = 0;
  for (let i = 0; i < 2 * requests; i++) {
    const isHit = cache.use(draw());
    if (isHit && i >= requests) hits++;
  }
  return hits / requests;
}

/** Keys by their shares: a position in the running sum, found by halving. */
function drawer({ merchants, exponent, shift }: Sizes, random: Random): () => number {
  const sums = new Float64Array(merchants);
  let sum = 0;
  for (let i = 0; i < merchants; i++) {
    sum += (i + 1 + shift) ** -exponent;
    sums[i] = sum;
  }
  return () => {
    const wanted = random.share() * sum;
    let low = 0;
    let high = merchants - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sums[middle]! <= wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** A list through all keys that are in the cache, the last used first; `merchants` stands for both ends. */
class LastUsed {
  #next: Int32Array;
  #previous: Int32Array;
  #room: number;
  #end: number;
  #held = 0;

  constructor(merchants: number, room: number) {
    this.#next = new Int32Array(merchants + 1).fill(-1);
    this.#previous = new Int32Array(merchants + 1).fill(-1);
    this.#room = room;
    this.#end = merchants;
    this.#next[merchants] = merchants;
    this.#previous[merchants] = merchants;
  }

  /** Whether it was there; now it is. */
  use(key: number): boolean {
    const isHit = this.#next[key] !== -1;
    if (isHit) this.#remove(key);
    else if (this.#held === this.#room) this.#remove(this.#previous[this.#end]!);
    this.#insert(key);
    return isHit;
  }

  #insert(key: number): void {
    const first = this.#next[this.#end]!;
    this.#next[key] = first;
    this.#previous[key] = this.#end;
    this.#previous[first] = key;
    this.#next[this.#end] = key;
    this.#held++;
  }

  #remove(key: number): void {
    const next = this.#next[key]!;
    const previous = this.#previous[key]!;
    this.#next[previous] = next;
    this.#previous[next] = previous;
    this.#next[key] = -1;
    this.#held--;
  }
}
