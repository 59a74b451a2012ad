import type { Latencies } from './job.ts';

/** The first part of every load is a warm-up, which does not count. */
const warmUpShare = 0.2;

/** The measured window. */
export class Window {
  readonly startMs = performance.now();
  readonly fromMs: number;
  readonly endMs: number;

  constructor(seconds: number) {
    this.endMs = this.startMs + seconds * 1_000;
    this.fromMs = this.startMs + seconds * 1_000 * warmUpShare;
  }

  get isOver(): boolean {
    return performance.now() >= this.endMs;
  }

  counts(atMs: number): boolean {
    return atMs >= this.fromMs && atMs < this.endMs;
  }

  get seconds(): number {
    return (this.endMs - this.fromMs) / 1_000;
  }
}

/** Latencies, and how many requests ended within the window. */
export class Recorder {
  #window: Window;
  #latenciesMs: number[] = [];
  #ended = 0;

  constructor(window: Window) {
    this.#window = window;
  }

  /** A request counts at its start, so that slow ones at the end are included. */
  add(startedMs: number): void {
    const nowMs = performance.now();
    if (this.#window.counts(nowMs)) this.#ended += 1;
    if (this.#window.counts(startedMs)) this.#latenciesMs.push(nowMs - startedMs);
  }

  get count(): number {
    return this.#latenciesMs.length;
  }

  get ended(): number {
    return this.#ended;
  }

  get perSecond(): number {
    return this.#ended / this.#window.seconds;
  }

  latencies(): Latencies {
    const sorted = Float64Array.from(this.#latenciesMs).sort();
    return { p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99) };
  }
}

/** Of sorted values; NaN for none. */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
