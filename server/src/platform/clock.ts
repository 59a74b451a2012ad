/** Time is passed in, so that a simulation can run the real code under a virtual clock. */
export interface Clock {
  nowMs(): number;
  /** Calls back after so long, and gives what calls it off. Where it is absent, the timers of Node do it. */
  after?(waitMs: number, run: () => void): () => void;
}

export const systemClock: Clock = { nowMs: () => Date.now() };

/** Calls back when the clock has gone on by so much, and gives what calls it off. */
export function after(clock: Clock, waitMs: number, run: () => void): () => void {
  if (clock.after) return clock.after(waitMs, run);
  const timer = setTimeout(run, waitMs);
  return () => clearTimeout(timer);
}
