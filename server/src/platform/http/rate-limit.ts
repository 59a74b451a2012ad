/** A token bucket: `burst` requests at once, and `perSecond` in the long run. */
export interface RateLimit {
  perSecond: number;
  burst: number;
}

export interface Allowance {
  allowed: boolean;
  /** How many more requests the bucket would allow now. */
  left: number;
  fullInMs: number;
  /** 0 when allowed. */
  retryInMs: number;
}

/** Token buckets by key. If another process holds them, answers are asynchronous. */
export interface Buckets {
  /** Takes one token from the bucket of this key, if it has one. */
  take(key: string, nowMs: number): Allowance | Promise<Allowance>;
  /** Takes more tokens, even if the bucket lacks them. */
  charge(key: string, tokens: number, nowMs: number): void;
  /** Returns a token for a request that turned out not to count. */
  giveBack(key: string, nowMs: number): void;
}

/** Makes the buckets of a limit; all processes of the machine share the buckets of one name. */
export type MakeBuckets = (name: string, limit: RateLimit) => Buckets;

/** For a gateway in one process. */
export const ownBuckets: MakeBuckets = (_name, limit) => new RateLimiter(limit);

/**
 * Continues synchronously if the value is available, because awaiting would cost more than most limits do.
 */
export function whenKnown<Value>(
  value: Value | Promise<Value>,
  then: (value: Value) => void,
): void {
  if (value instanceof Promise) void value.then(then);
  else then(value);
}

const mostBuckets = 100_000;

/**
 * Token buckets by key. A bucket is one number: the instant at which it is full again. A full bucket equals
 * no bucket, so a bucket unused for the time that filling takes may be forgotten. Two generations of buckets
 * achieve this without a search for idle ones.
 */
export class RateLimiter implements Buckets {
  #tokenMs: number;
  #capacityMs: number;
  #burst: number;
  #young = new Map<string, number>();
  #old = new Map<string, number>();
  #bornMs = Number.NEGATIVE_INFINITY;

  constructor(limit: RateLimit) {
    this.#tokenMs = 1000 / limit.perSecond;
    this.#capacityMs = limit.burst * this.#tokenMs;
    this.#burst = limit.burst;
  }

  /** Takes one token from the bucket of this key, if it has one. */
  take(key: string, nowMs: number): Allowance {
    this.#renew(nowMs);
    const seenMs = this.#young.get(key) ?? this.#old.get(key) ?? nowMs;
    // A clock that was set back must not lock anyone out: no bucket goes below empty.
    const fullAtMs = Math.min(Math.max(seenMs, nowMs), nowMs + this.#capacityMs);
    const missingMs = fullAtMs + this.#tokenMs - nowMs;
    // Sums of fractions of a millisecond are not exact to the last bit.
    const excessMs = missingMs - this.#capacityMs;
    const allowed = excessMs < 1e-6;
    const nextFullAtMs = allowed ? fullAtMs + this.#tokenMs : fullAtMs;
    this.#young.set(key, nextFullAtMs);
    const fullInMs = nextFullAtMs - nowMs;
    return {
      allowed,
      left: Math.max(0, Math.floor(this.#burst - fullInMs / this.#tokenMs + 1e-6)),
      fullInMs,
      retryInMs: allowed ? 0 : excessMs,
    };
  }

  /** Takes more tokens from the bucket, even if it lacks them: later requests wait for them. */
  charge(key: string, tokens: number, nowMs: number): void {
    this.#renew(nowMs);
    const seenMs = Math.max(this.#young.get(key) ?? this.#old.get(key) ?? nowMs, nowMs);
    const emptyMs = nowMs + this.#capacityMs;
    this.#young.set(key, Math.min(seenMs + tokens * this.#tokenMs, emptyMs));
  }

  /** Returns tokens for requests that turned out not to count. */
  giveBack(key: string, nowMs: number, tokens = 1): void {
    const fullAtMs = this.#young.get(key) ?? this.#old.get(key);
    if (fullAtMs === undefined) return;
    this.#young.set(key, Math.max(fullAtMs - tokens * this.#tokenMs, nowMs));
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  /** Memory holds at most two generations; a flood of keys makes them change sooner. */
  #renew(nowMs: number): void {
    const outgrown = nowMs - this.#bornMs >= this.#capacityMs || nowMs < this.#bornMs;
    if (!outgrown && this.#young.size < mostBuckets / 2) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#bornMs = nowMs;
  }
}
