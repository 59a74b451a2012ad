import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { DueWorker } from '../platform/due-worker.ts';
import type { AttendRefund, RefundTiming } from './attend.ts';
import type { Refund } from './refund.ts';
import { claimDueRefunds } from './store.ts';

export interface RefundWorkerParts {
  database: Database;
  clock: Clock;
  log: Logger;
  timing: RefundTiming;
  attend: AttendRefund;
  /** How many calls of an operator may be under way at once; undefined: as many as we like. */
  maxCallsOf(operator: string): number | undefined;
}

/** How much longer than an operator's time-out a lease is. */
const leaseMarginMs = 5_000;

/** Attends to refunds that are due. */
export function createRefundWorker(parts: RefundWorkerParts): DueWorker<Refund> {
  const { database, clock, log, timing, attend } = parts;
  return new DueWorker<Refund>({
    name: 'refunds',
    clock,
    log,
    leaseLengthMs: timing.operatorTimeoutMs + leaseMarginMs,
    laneOf: ({ operator }) => operator,
    maxRunning: (operator) => Math.min(parts.maxCallsOf(operator) ?? 64, 64),
    maxWaiting: 1_000,
    claim: (nowMs, leaseMs, limit, busy) => claimDueRefunds(database, nowMs, leaseMs, limit, busy),
    attend: (refund) => attend.attend(refund),
  });
}
