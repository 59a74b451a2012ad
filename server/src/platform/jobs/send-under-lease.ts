import { type Clock, isReliable } from '../process/clock.ts';

/**
 * How long after `sentAtMs` a request may begin at the latest, in milliseconds: the commit in between
 * takes its time, and a process may be frozen.
 */
export const latestStartMs = 2_000;

export interface Sending<Row, Result> {
  clock: Clock;
  /** How long the request may take at most, once it has begun. */
  lengthMs: number;
  /**
   * Commits, by compare-and-set, that the request is about to leave, and the lease that covers it.
   * Returns the row as it is now, or undefined if it had passed to another.
   */
  renew(sentAtMs: number, leaseMs: number): Promise<Row | undefined>;
  send(row: Row): Promise<Result>;
}

export type Sent<Row, Result> =
  | { kind: 'LOST' }
  /** It was too late to begin, so nothing has left. */
  | { kind: 'LATE'; row: Row }
  | { kind: 'SENT'; row: Row; result: Result };

/**
 * The one way in which debits, refunds, reversals and payouts leave the house: the intent is committed
 * first, together with a lease that covers the whole request, and what begins late does not begin.
 */
export async function sendUnderLease<Row, Result>(
  sending: Sending<Row, Result>,
): Promise<Sent<Row, Result>> {
  const { clock, lengthMs } = sending;
  const sentAtMs = clock.nowMs();
  const row = await sending.renew(sentAtMs, sentAtMs + latestStartMs + lengthMs);
  if (row === undefined) return { kind: 'LOST' };
  // A machine that slept meanwhile does not know how late it is.
  const isLate = clock.nowMs() > sentAtMs + latestStartMs || !isReliable(clock);
  if (isLate) return { kind: 'LATE', row };
  return { kind: 'SENT', row, result: await sending.send(row) };
}
