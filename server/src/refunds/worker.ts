import type { Logger } from 'pino';
import { type AskTiming, leaseMarginMs } from '../operators/asking.ts';
import { laneOf, operatorMemory } from '../operators/lane.ts';
import type { ByteBudget } from '../platform/byte-budget.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { DueWorker } from '../platform/due-worker.ts';
import type { AttendRefund } from './attend.ts';
import { claimDueRefunds, type DueRefund } from './due-store.ts';

export interface RefundWorkerParts {
  database: Database;
  clock: Clock;
  log: Logger;
  timing: AskTiming;
  attend: AttendRefund;
  paymentMemory: ByteBudget;
  /** How many calls may be under way at once in a lane; undefined: as many as we like. */
  maxCallsOf(lane: string): number | undefined;
}

/** Attends to refunds that are due. */
export function createRefundWorker(parts: RefundWorkerParts): DueWorker<DueRefund> {
  const { database, clock, log, timing, attend } = parts;
  return new DueWorker<DueRefund>({
    name: 'refunds',
    clock,
    log,
    leaseLengthMs: timing.operatorTimeoutMs + leaseMarginMs,
    laneOf,
    maxRunning: (lane) => Math.min(parts.maxCallsOf(lane) ?? 64, 64),
    memory: operatorMemory(parts.paymentMemory),
    maxWaiting: 1_000,
    claim: (nowMs, leaseMs, limit, room) => claimDueRefunds(database, nowMs, leaseMs, limit, room),
    attend: (refund, origin) => attend.attend(refund, origin),
  });
}
