/** Time is passed in, so that a simulation can run the real code under a virtual clock. */
export interface Clock {
  nowMs(): number;
  /**
   * False while the clock is in doubt: then nothing is claimed or accepted in memory. A clock without this property is
   * always reliable.
   */
  isReliable?(): boolean;
  /** Calls back after a delay, and returns a function that cancels it. If absent, Node's timers are used. */
  after?(waitMs: number, run: () => void): () => void;
}

/** The clock of this machine, which may be wrong, and be set at any time. */
export const systemClock: Clock = { nowMs: () => Date.now() };

/** Measures durations: a monotonic clock, which counts from the start of the process. */
export const monotonicClock: Clock = { nowMs: () => performance.now() };

export function isReliable(clock: Clock): boolean {
  return clock.isReliable?.() ?? true;
}

/** Calls back after a delay, and returns a function that cancels it. */
export function after(clock: Clock, waitMs: number, run: () => void): () => void {
  if (clock.after) return clock.after(waitMs, run);
  const timer = setTimeout(run, waitMs);
  return () => clearTimeout(timer);
}
