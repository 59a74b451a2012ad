import type { Logger } from 'pino';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { DueWorker } from '../../platform/due-worker.ts';
import { leaseMarginMs } from '../asking.ts';
import type { HandleCallback } from './handle.ts';
import { claimDueCallbacks, type OperatorCallback } from './store.ts';

export interface CallbackWorkerParts {
  database: Database;
  clock: Clock;
  log: Logger;
  handle: HandleCallback;
  timing: { operatorTimeoutMs: number };
  /** How many calls of an operator may be under way at once; undefined: as many as we like. */
  maxCallsOf(operator: string): number | undefined;
}

/** Handles callbacks that were kept; an operator that hangs delays its own only. */
export function createCallbackWorker(parts: CallbackWorkerParts): DueWorker<OperatorCallback> {
  const { database, clock, log, timing, handle } = parts;
  return new DueWorker<OperatorCallback>({
    name: 'callbacks',
    clock,
    log,
    // The operator is asked meanwhile.
    leaseLengthMs: timing.operatorTimeoutMs + leaseMarginMs,
    laneOf: ({ operator }) => operator,
    maxRunning: (operator) => parts.maxCallsOf(operator) ?? 64,
    maxWaiting: 1_000,
    claim: (nowMs, leaseMs, limit, { busyLanes }) =>
      claimDueCallbacks(database, nowMs, leaseMs, limit, busyLanes),
    attend: handle,
  });
}
