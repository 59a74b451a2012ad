import type { JobWorker } from '../jobs/worker.ts';
import type { ByteBudget } from '../memory/byte-budget.ts';
import { operatorMemory } from '../operators/queue.ts';
import { createQueueWorker, type QueueWorkerDependencies } from '../operators/queue-worker.ts';
import type { Database } from '../postgres/database.ts';
import { claimDueRefunds, type DueRefund } from './lease-store.ts';
import type { RefundProcessor } from './process.ts';

export interface RefundWorkerDependencies extends QueueWorkerDependencies {
  database: Database;
  processor: RefundProcessor;
  paymentMemory: ByteBudget;
}

export function createRefundWorker(dependencies: RefundWorkerDependencies): JobWorker<DueRefund> {
  return createQueueWorker<DueRefund>(dependencies, {
    name: 'refunds',
    maxRunning: (maxCalls = 64) => Math.min(maxCalls, 64),
    maxWaiting: 1_000,
    memory: operatorMemory(dependencies.paymentMemory),
    claim: (...claim) => claimDueRefunds(dependencies.database, ...claim),
    process: (refund, origin) => dependencies.processor.process(refund, origin),
  });
}
