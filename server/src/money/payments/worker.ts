import { operatorMemory } from '../../integrations/operators/queue.ts';
import {
  createQueueWorker,
  type QueueWorkerDependencies,
} from '../../integrations/operators/queue-worker.ts';
import type { JobWorker } from '../../platform/jobs/worker.ts';
import type { ByteBudget } from '../../platform/memory/byte-budget.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { claimDuePayments, type DuePayment } from './lease-store.ts';
import type { PaymentProcessor } from './process.ts';

export interface PaymentWorkerDependencies extends QueueWorkerDependencies {
  database: Database;
  processor: PaymentProcessor;
  paymentMemory: ByteBudget;
}

export function createPaymentWorker(
  dependencies: PaymentWorkerDependencies,
): JobWorker<DuePayment> {
  return createQueueWorker<DuePayment>(dependencies, {
    name: 'payments',
    maxRunning: (maxCalls = 256) => maxCalls,
    maxWaiting: 4_000,
    memory: operatorMemory(dependencies.paymentMemory),
    claim: (...claim) => claimDuePayments(dependencies.database, ...claim),
    process: (payment, origin) => dependencies.processor.process(payment, origin),
  });
}
