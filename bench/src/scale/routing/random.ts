/** Seeded numbers without an allocation each (sfc32): the same year on every machine. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number) {
    this.#a = seed | 0;
    this.#b = Math.imul(seed, 0x9e3779b9) | 0;
    this.#c = 0x243f6a88;
    for (let i = 0; i < 16; i++) this.bits();
  }

  /** 32 random bits, as an unsigned number. */
  bits(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }

  /** From 0 to below 1. */
  share(): number {
    return this.bits() / 2 ** 32;
  }

  /** A whole number from 0 to below the limit. */
  below(limit: number): number {
    return Math.floor(this.share() * limit);
  }
}

/** Factors whose mean is 1, in a table: to draw one is to look it up by 16 random bits. */
export function factorsOf(sigma: number, random: Random): Float64Array {
  const factors = new Float64Array(65_536);
  let sum = 0;
  for (let i = 0; i < factors.length; i++) {
    const normal =
      Math.sqrt(-2 * Math.log(1 - random.share())) * Math.cos(2 * Math.PI * random.share());
    factors[i] = Math.exp(sigma * normal);
    sum += factors[i]!;
  }
  const mean = sum / factors.length;
  return factors.map((factor) => factor / mean);
}
