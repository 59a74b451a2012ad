/** Time is passed in, so that a simulation can run the real code under a virtual clock. */
export interface Clock {
  nowMs(): number;
  /**
   * False while no work may go by this clock: nothing is claimed then, nothing taken in memory. A clock
   * that does not say can always be relied on.
   */
  isReliable?(): boolean;
}

/** The clock of this machine, which may be wrong, and be set at any time. */
export const systemClock: Clock = { nowMs: () => Date.now() };

export function isReliable(clock: Clock): boolean {
  return clock.isReliable?.() ?? true;
}
