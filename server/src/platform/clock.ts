/** Time is passed in, so that a simulation can run the real code under a virtual clock. */
export interface Clock {
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };
