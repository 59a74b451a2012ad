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
  /** How many calls of an operator may be under way at once; undefined: as many as we like. */
  maxCallsOf(operator: string): number | undefined;
  /** Where a watch wakes it. */
  idleIntervalMs?: number | undefined;
}

/** Handles callbacks that were kept; an operator that hangs delays its own only. */
export function createCallbackWorker(
  dependencies: CallbackWorkerDependencies,
): JobWorker<OperatorCallback> {
  const { database, clock, log, timing, handle, idleIntervalMs } = dependencies;
  return new JobWorker<OperatorCallback>({
    name: 'callbacks',
    clock,
    log,
    idleIntervalMs,
    // The operator is asked meanwhile.
    leaseLengthMs: timing.operatorTimeoutMs + leaseMarginMs,
    queueOf: ({ operator }) => operator,
    maxRunning: (operator) => dependencies.maxCallsOf(operator) ?? 64,
    maxWaiting: 1_000,
    claim: (nowMs, leaseMs, limit, { busyQueues }) =>
      claimDueCallbacks(database, nowMs, leaseMs, limit, busyQueues),
    process: handle,
  });
}
