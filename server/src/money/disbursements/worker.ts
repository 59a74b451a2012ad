import { operatorMemory } from '../../integrations/operators/queue.ts';
import {
  createQueueWorker,
  type QueueWorkerDependencies,
} from '../../integrations/operators/queue-worker.ts';
import type { ByteBudget } from '../../platform/memory/byte-budget.ts';
import { claimDueDisbursements, type DueDisbursement } from './lease-store.ts';

/** A thousand rows at once would take the processor from payments, for which customers wait at a page. */
const startIntervalMs = 25;
/** At that pace these start before their leases end; the others wait in the table. */
const maxWaiting = 200;

export const createDisbursementWorker = (
  dependencies: QueueWorkerDependencies<DueDisbursement> & { paymentMemory: ByteBudget },
) =>
  createQueueWorker(dependencies, {
    name: 'disbursements',
    maxRunning: (maxCalls = 64) => Math.min(maxCalls, 64),
    startIntervalMs,
    maxWaiting,
    memory: operatorMemory(dependencies.paymentMemory),
    claim: claimDueDisbursements,
  });
