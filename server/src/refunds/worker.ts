import { operatorMemory } from '../operators/lane.ts';
import { createLaneWorker, type LaneWorkerParts } from '../operators/lane-worker.ts';
import type { ByteBudget } from '../platform/byte-budget.ts';
import type { Database } from '../platform/database.ts';
import type { DueWorker } from '../platform/due-worker.ts';
import type { AttendRefund } from './attend.ts';
import { claimDueRefunds, type DueRefund } from './due-store.ts';

export interface RefundWorkerParts extends LaneWorkerParts {
  database: Database;
  attend: AttendRefund;
  paymentMemory: ByteBudget;
}

export function createRefundWorker(parts: RefundWorkerParts): DueWorker<DueRefund> {
  return createLaneWorker<DueRefund>(parts, {
    name: 'refunds',
    maxRunning: (maxCalls = 64) => Math.min(maxCalls, 64),
    maxWaiting: 1_000,
    memory: operatorMemory(parts.paymentMemory),
    claim: (...claim) => claimDueRefunds(parts.database, ...claim),
    attend: (refund, origin) => parts.attend.attend(refund, origin),
  });
}
