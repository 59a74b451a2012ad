import type { JobWorker } from '../jobs/worker.ts';
import type { ByteBudget } from '../memory/byte-budget.ts';
import { operatorMemory } from '../operators/queue.ts';
import { createQueueWorker, type QueueWorkerDependencies } from '../operators/queue-worker.ts';
import type { Database } from '../postgres/database.ts';
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
