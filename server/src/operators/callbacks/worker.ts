import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { DueWorker } from '../../platform/due-worker.ts';
import type { HandleCallback } from './handle.ts';
import { claimDueCallbacks, type OperatorCallback } from './store.ts';

export interface CallbackWorkerParts {
  database: Database;
  clock: Clock;
  log: Logger;
  handle: HandleCallback;
}

/** Handling asks nobody, it only writes. */
const leaseLengthMs = 15_000;

/** Handles callbacks that were kept: those of this process at once, those of one that died later. */
export function createCallbackWorker(parts: CallbackWorkerParts): DueWorker<OperatorCallback> {
  const { database, clock, log, handle } = parts;
  return new DueWorker<OperatorCallback>({
    name: 'callbacks',
    clock,
    log,
    leaseLengthMs,
    maxRunning: () => 64,
    maxWaiting: 1_000,
    claim: (nowMs, leaseMs, limit) => claimDueCallbacks(database, nowMs, leaseMs, limit),
    attend: handle,
  });
}
