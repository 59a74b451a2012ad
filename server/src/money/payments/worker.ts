import { operatorMemory } from '../../integrations/operators/queue.ts';
import {
  createQueueWorker,
  type QueueWorkerDependencies,
} from '../../integrations/operators/queue-worker.ts';
import type { ByteBudget } from '../../platform/memory/byte-budget.ts';
import { claimDuePayments, type DuePayment } from './lease-store.ts';

export const createPaymentWorker = (
  dependencies: QueueWorkerDependencies<DuePayment> & { paymentMemory: ByteBudget },
) =>
  createQueueWorker(dependencies, {
    name: 'payments',
    maxRunning: (maxCalls = 256) => maxCalls,
    maxWaiting: 4_000,
    memory: operatorMemory(dependencies.paymentMemory),
    claim: claimDuePayments,
  });
