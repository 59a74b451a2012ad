import {
  createQueueWorker,
  type QueueWorkerDependencies,
} from '../../integrations/operators/queue-worker.ts';
import { claimDueReversals, type DueReversal } from './store.ts';

/** Reverses wrong debits. */
export const createReversalWorker = (dependencies: QueueWorkerDependencies<DueReversal>) =>
  createQueueWorker(dependencies, {
    name: 'reversals',
    // Reversals are rare, and announced to the process that creates them.
    maxIntervalMs: 10_000,
    maxRunning: (maxCalls = 32) => Math.min(maxCalls, 32),
    maxWaiting: 1_000,
    claim: claimDueReversals,
  });
