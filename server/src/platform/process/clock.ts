/** Time is passed in, so that a simulation can run the real code under a virtual clock. */
export interface Clock {
  nowMs(): number;
  /**
   * False while no work may go by this clock: nothing is claimed then, nothing taken in memory. A clock
   * that does not say can always be relied on.
   */
  isReliable?(): boolean;
  /** Calls back after so long, and gives what calls it off. Where it is absent, the timers of Node do it. */
  after?(waitMs: number, run: () => void): () => void;
}

/** The clock of this machine, which may be wrong, and be set at any time. */
export const systemClock: Clock = { nowMs: () => Date.now() };

/** Measures how long things take: nobody sets it. It counts from the start of the process. */
export const monotonicClock: Clock = { nowMs: () => performance.now() };

export function isReliable(clock: Clock): boolean {
  return clock.isReliable?.() ?? true;
}

/** Calls back after so long, and gives what calls it off. */
export function after(clock: Clock, waitMs: number, run: () => void): () => void {
  if (clock.after) return clock.after(waitMs, run);
  const timer = setTimeout(run, waitMs);
  return () => clearTimeout(timer);
}
