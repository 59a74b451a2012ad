import { operatorMemory } from '../../integrations/operators/queue.ts';
import {
  createQueueWorker,
  type QueueWorkerDependencies,
} from '../../integrations/operators/queue-worker.ts';
import type { ByteBudget } from '../../platform/memory/byte-budget.ts';
import { claimDueDisbursements, type DueDisbursement } from './lease-store.ts';

export const createDisbursementWorker = (
  dependencies: QueueWorkerDependencies<DueDisbursement> & { paymentMemory: ByteBudget },
) =>
  createQueueWorker(dependencies, {
    name: 'disbursements',
    maxRunning: (maxCalls = 64) => Math.min(maxCalls, 64),
    maxWaiting: 1_000,
    memory: operatorMemory(dependencies.paymentMemory),
    claim: claimDueDisbursements,
  });
