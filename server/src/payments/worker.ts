import type { Logger } from 'pino';
import { leaseMarginMs } from '../operators/asking.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { DueWorker } from '../platform/due-worker.ts';
import type { Attend } from './attend.ts';
import type { PaymentTiming } from './decide.ts';
import { claimDuePayments } from './due-store.ts';
import type { Payment } from './payment.ts';

export interface PaymentWorkerParts {
  database: Database;
  clock: Clock;
  log: Logger;
  timing: PaymentTiming;
  attend: Attend;
  /** How many calls of an operator may be under way at once; undefined: as many as we like. */
  maxCallsOf(operator: string): number | undefined;
}

/** Attends to payments that are due; an operator that hangs delays its own payments only. */
export function createPaymentWorker(parts: PaymentWorkerParts): DueWorker<Payment> {
  const { database, clock, log, timing, attend } = parts;
  return new DueWorker<Payment>({
    name: 'payments',
    clock,
    log,
    leaseLengthMs: timing.operatorTimeoutMs + leaseMarginMs,
    laneOf: ({ operator }) => operator,
    maxRunning: (operator) => parts.maxCallsOf(operator) ?? 256,
    maxWaiting: 4_000,
    claim: (nowMs, leaseMs, limit, busy) => claimDuePayments(database, nowMs, leaseMs, limit, busy),
    attend: (payment, origin) => attend.attend(payment, origin),
  });
}
