import type { Logger } from 'pino';
import { type AskTiming, leaseMarginMs } from '../operators/asking.ts';
import { laneOf } from '../operators/lane.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { DueWorker } from '../platform/due-worker.ts';
import type { AttendReversal } from './attend.ts';
import { claimDueReversals, type DueReversal } from './store.ts';

export interface ReversalWorkerParts {
  database: Database;
  clock: Clock;
  log: Logger;
  timing: AskTiming;
  attend: AttendReversal;
  /** How many calls may be under way at once in a lane; undefined: as many as we like. */
  maxCallsOf(lane: string): number | undefined;
}

/** Gives wrong debits back; an operator that hangs delays its own reversals only. */
export function createReversalWorker(parts: ReversalWorkerParts): DueWorker<DueReversal> {
  const { database, clock, log, timing, attend } = parts;
  return new DueWorker<DueReversal>({
    name: 'reversals',
    clock,
    log,
    leaseLengthMs: timing.operatorTimeoutMs + leaseMarginMs,
    // Reversals are rare, and made known to the process that makes them.
    longestGapMs: 10_000,
    laneOf,
    maxRunning: (lane) => Math.min(parts.maxCallsOf(lane) ?? 32, 32),
    maxWaiting: 1_000,
    claim: (nowMs, leaseMs, limit, room) =>
      claimDueReversals(database, nowMs, leaseMs, limit, room),
    attend: (reversal, origin) => attend.attend(reversal, origin),
  });
}
