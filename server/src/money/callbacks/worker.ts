import type { Logger } from 'pino';
import { leaseMarginMs } from '../../integrations/operators/query-schedule.ts';
import { JobWorker } from '../../platform/jobs/worker.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { HandleCallback } from './handle.ts';
import { claimDueCallbacks, type OperatorCallback } from './store.ts';

export interface CallbackWorkerDependencies {
  database: Database;
  clock: Clock;
  log: Logger;
  handle: HandleCallback;
  timing: { operatorTimeoutMs: number };
  /** How many calls to an operator may be under way at once; undefined: no limit. */
  maxCallsOf(operator: string): number | undefined;
  /** Wakes the worker when a watch sees new rows. */
  idleIntervalMs?: number | undefined;
}

/** Handles stored callbacks; an operator that hangs delays only its own. */
export function createCallbackWorker(
  dependencies: CallbackWorkerDependencies,
): JobWorker<OperatorCallback> {
  const { database, clock, log, timing, handle, idleIntervalMs } = dependencies;
  return new JobWorker<OperatorCallback>({
    name: 'callbacks',
    clock,
    log,
    idleIntervalMs,
    // The operator is queried meanwhile.
    leaseLengthMs: timing.operatorTimeoutMs + leaseMarginMs,
    queueOf: ({ operator }) => operator,
    maxRunning: (operator) => dependencies.maxCallsOf(operator) ?? 64,
    maxWaiting: 1_000,
    claim: (nowMs, leaseMs, limit, { busyQueues }) =>
      claimDueCallbacks(database, nowMs, leaseMs, limit, busyQueues),
    process: handle,
  });
}
