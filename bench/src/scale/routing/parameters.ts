/** What the simulated year assumes; none of it was measured. */
export interface RoutingParameters {
  seed: number;
  cells: number;
  days: number;
  merchants: number;
  /** Of all merchants in the busy hour of the first day. */
  paymentsPerSecond: number;
  /** The merchant of rank r has 1 / (r + shift) ** exponent of the payments, all shares adding up to 1. */
  exponent: number;
  shift: number;
  /** The busy hour ÷ the mean of the year. */
  peakToMean: number;
  /** Shares of all merchants that begin, and that end, within a year. */
  birthsPerYear: number;
  deathsPerYear: number;
  /** How far the payments of a merchant wander in 28 days: the standard deviation of the logarithm. */
  wander: { small: number; large: number };
  /** The same from one day to the next, for large ones; those of small ones even out. */
  daily: number;
  /** From this many payments a second on, a merchant is large. */
  largeFrom: number;
  /** A new merchant begins with this share of the size that it reaches within five changes, which is 20 weeks. */
  startShare: number;
  /** Until such a cell is below this multiple of the mean, merchants leave it. */
  mendedAt: number;
}

export const standardParameters: RoutingParameters = {
  seed: 20_261_123,
  cells: 50,
  days: 365,
  merchants: 10_000_000,
  paymentsPerSecond: 100_000,
  exponent: 1,
  shift: 0,
  peakToMean: 3,
  birthsPerYear: 0.4,
  deathsPerYear: 0.2,
  wander: { small: 0.3, large: 0.1 },
  daily: 0.2,
  largeFrom: 2,
  startShare: 0.1,
  mendedAt: 1.1,
};
