import { operatorMemory } from '../operators/lane.ts';
import { createLaneWorker, type LaneWorkerParts } from '../operators/lane-worker.ts';
import type { ByteBudget } from '../platform/byte-budget.ts';
import type { Database } from '../platform/database.ts';
import type { DueWorker } from '../platform/due-worker.ts';
import type { Attend } from './attend.ts';
import { claimDuePayments, type DuePayment } from './due-store.ts';

export interface PaymentWorkerParts extends LaneWorkerParts {
  database: Database;
  attend: Attend;
  paymentMemory: ByteBudget;
}

export function createPaymentWorker(parts: PaymentWorkerParts): DueWorker<DuePayment> {
  return createLaneWorker<DuePayment>(parts, {
    name: 'payments',
    maxRunning: (maxCalls = 256) => maxCalls,
    maxWaiting: 4_000,
    memory: operatorMemory(parts.paymentMemory),
    claim: (...claim) => claimDuePayments(parts.database, ...claim),
    attend: (payment, origin) => parts.attend.attend(payment, origin),
  });
}
