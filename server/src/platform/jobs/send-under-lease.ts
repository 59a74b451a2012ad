import { type Clock, isReliable } from '../process/clock.ts';

/**
 * The latest start of a request after `sentAtMs`, in milliseconds: the commit in between takes time, and a process may
 * be suspended.
 */
export const latestStartMs = 2_000;

export interface Sending<Row, Result> {
  clock: Clock;
  /** How long the request may take at most, once it has begun. */
  lengthMs: number;
  /**
   * Commits, by compare-and-set, the intent to send the request, with a lease that covers it. Returns the current row,
   * or undefined if it has passed to another process.
   */
  renew(sentAtMs: number, leaseMs: number): Promise<Row | undefined>;
  send(row: Row): Promise<Result>;
}

export type Sent<Row, Result> =
  | { kind: 'LOST' }
  /** Too late to begin; nothing was sent. */
  | { kind: 'LATE'; row: Row }
  | { kind: 'SENT'; row: Row; result: Result };

/**
 * The only way to send debits, refunds, reversals and payouts: first commits the intent with a lease that covers the
 * whole request; a request that would start too late is not sent.
 */
export async function sendUnderLease<Row, Result>(
  sending: Sending<Row, Result>,
): Promise<Sent<Row, Result>> {
  const { clock, lengthMs } = sending;
  const sentAtMs = clock.nowMs();
  const row = await sending.renew(sentAtMs, sentAtMs + latestStartMs + lengthMs);
  if (row === undefined) return { kind: 'LOST' };
  // A machine that was suspended does not know the time.
  const isLate = clock.nowMs() > sentAtMs + latestStartMs || !isReliable(clock);
  if (isLate) return { kind: 'LATE', row };
  return { kind: 'SENT', row, result: await sending.send(row) };
}
