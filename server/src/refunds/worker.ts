import type { Logger } from 'pino';
import { type AskTiming, leaseMarginMs } from '../operators/asking.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { DueWorker } from '../platform/due-worker.ts';
import type { AttendRefund } from './attend.ts';
import { claimDueRefunds } from './due-store.ts';
import type { Refund } from './refund.ts';

export interface RefundWorkerParts {
  database: Database;
  clock: Clock;
  log: Logger;
  timing: AskTiming;
  attend: AttendRefund;
  /** How many calls of an operator may be under way at once; undefined: as many as we like. */
  maxCallsOf(operator: string): number | undefined;
}

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
    attend: (refund, origin) => attend.attend(refund, origin),
  });
}
