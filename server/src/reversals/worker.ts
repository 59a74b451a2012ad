import type { Logger } from 'pino';
import { type AskTiming, leaseMarginMs } from '../operators/asking.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { DueWorker } from '../platform/due-worker.ts';
import type { AttendReversal } from './attend.ts';
import type { Reversal } from './reversal.ts';
import { claimDueReversals } from './store.ts';

export interface ReversalWorkerParts {
  database: Database;
  clock: Clock;
  log: Logger;
  timing: AskTiming;
  attend: AttendReversal;
  /** How many calls of an operator may be under way at once; undefined: as many as we like. */
  maxCallsOf(operator: string): number | undefined;
}

/** Gives wrong debits back; an operator that hangs delays its own reversals only. */
export function createReversalWorker(parts: ReversalWorkerParts): DueWorker<Reversal> {
  const { database, clock, log, timing, attend } = parts;
  return new DueWorker<Reversal>({
    name: 'reversals',
    clock,
    log,
    leaseLengthMs: timing.operatorTimeoutMs + leaseMarginMs,
    // Reversals are rare, and made known to the process that makes them.
    longestGapMs: 10_000,
    laneOf: ({ operator }) => operator,
    maxRunning: (operator) => Math.min(parts.maxCallsOf(operator) ?? 32, 32),
    maxWaiting: 1_000,
    claim: (nowMs, leaseMs, limit, busy) =>
      claimDueReversals(database, nowMs, leaseMs, limit, busy),
    attend: (reversal, origin) => attend.attend(reversal, origin),
  });
}
