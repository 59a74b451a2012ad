import { operatorMemory } from '../../integrations/operators/queue.ts';
import {
  createQueueWorker,
  type QueueWorkerDependencies,
} from '../../integrations/operators/queue-worker.ts';
import type { JobWorker } from '../../platform/jobs/worker.ts';
import type { ByteBudget } from '../../platform/memory/byte-budget.ts';
import type { Database } from '../../platform/postgres/database.ts';
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
