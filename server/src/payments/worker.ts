import type { Logger } from 'pino';
import { leaseMarginMs } from '../operators/asking.ts';
import { laneOf, operatorMemory } from '../operators/lane.ts';
import type { ByteBudget } from '../platform/byte-budget.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { DueWorker } from '../platform/due-worker.ts';
import type { Attend } from './attend.ts';
import type { PaymentTiming } from './decide.ts';
import { claimDuePayments, type DuePayment } from './due-store.ts';

export interface PaymentWorkerParts {
  database: Database;
  clock: Clock;
  log: Logger;
  timing: PaymentTiming;
  attend: Attend;
  paymentMemory: ByteBudget;
  /** How many calls may be under way at once in a lane; undefined: as many as we like. */
  maxCallsOf(lane: string): number | undefined;
}

/** Attends to payments that are due; an operator that hangs delays its own payments only. */
export function createPaymentWorker(parts: PaymentWorkerParts): DueWorker<DuePayment> {
  const { database, clock, log, timing, attend } = parts;
  return new DueWorker<DuePayment>({
    name: 'payments',
    clock,
    log,
    leaseLengthMs: timing.operatorTimeoutMs + leaseMarginMs,
    laneOf,
    maxRunning: (lane) => parts.maxCallsOf(lane) ?? 256,
    memory: operatorMemory(parts.paymentMemory),
    maxWaiting: 4_000,
    claim: (nowMs, leaseMs, limit, room) => claimDuePayments(database, nowMs, leaseMs, limit, room),
    attend: (payment, origin) => attend.attend(payment, origin),
  });
}
