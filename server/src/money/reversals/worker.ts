import {
  createQueueWorker,
  type QueueWorkerDependencies,
} from '../../integrations/operators/queue-worker.ts';
import type { JobWorker } from '../../platform/jobs/worker.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { ReversalProcessor } from './process.ts';
import { claimDueReversals, type DueReversal } from './store.ts';

export interface ReversalWorkerDependencies extends QueueWorkerDependencies {
  database: Database;
  processor: ReversalProcessor;
}

/** Reverses wrong debits. */
export function createReversalWorker(
  dependencies: ReversalWorkerDependencies,
): JobWorker<DueReversal> {
  return createQueueWorker<DueReversal>(dependencies, {
    name: 'reversals',
    // Reversals are rare, and announced to the process that creates them.
    maxIntervalMs: 10_000,
    maxRunning: (maxCalls = 32) => Math.min(maxCalls, 32),
    maxWaiting: 1_000,
    claim: (...claim) => claimDueReversals(dependencies.database, ...claim),
    process: (reversal, origin) => dependencies.processor.process(reversal, origin),
  });
}
