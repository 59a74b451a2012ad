import { createLaneWorker, type LaneWorkerParts } from '../operators/lane-worker.ts';
import type { Database } from '../platform/database.ts';
import type { DueWorker } from '../platform/due-worker.ts';
import type { AttendReversal } from './attend.ts';
import { claimDueReversals, type DueReversal } from './store.ts';

export interface ReversalWorkerParts extends LaneWorkerParts {
  database: Database;
  attend: AttendReversal;
}

/** Gives wrong debits back. */
export function createReversalWorker(parts: ReversalWorkerParts): DueWorker<DueReversal> {
  return createLaneWorker<DueReversal>(parts, {
    name: 'reversals',
    // Reversals are rare, and made known to the process that makes them.
    longestGapMs: 10_000,
    maxRunning: (maxCalls = 32) => Math.min(maxCalls, 32),
    maxWaiting: 1_000,
    claim: (...claim) => claimDueReversals(parts.database, ...claim),
    attend: (reversal, origin) => parts.attend.attend(reversal, origin),
  });
}
