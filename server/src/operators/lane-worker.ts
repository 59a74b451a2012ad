import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import { type DueRow, DueWorker, type DueWorkerOptions } from '../platform/due-worker.ts';
import { type AskTiming, leaseMarginMs } from './asking.ts';
import { type Addressed, laneOf } from './lane.ts';

export interface LaneWorkerParts {
  clock: Clock;
  log: Logger;
  timing: Pick<AskTiming, 'operatorTimeoutMs'>;
  /** How many calls may be under way at once in a lane; undefined: as many as we like. */
  maxCallsOf: (lane: string) => number | undefined;
}

type RowOptions<Row> = Pick<
  DueWorkerOptions<Row>,
  'name' | 'maxWaiting' | 'memory' | 'claim' | 'attend' | 'longestGapMs'
> & {
  /** How many of one lane are attended to at once, given how many calls it may have. */
  maxRunning: (maxCalls?: number) => number;
};

/** Attends to due rows that an operator has its part in; one that hangs delays its own rows only. */
export function createLaneWorker<Row extends DueRow & Addressed>(
  { clock, log, timing, maxCallsOf }: LaneWorkerParts,
  { maxRunning, ...options }: RowOptions<Row>,
): DueWorker<Row> {
  return new DueWorker<Row>({
    ...options,
    clock,
    log,
    leaseLengthMs: timing.operatorTimeoutMs + leaseMarginMs,
    laneOf,
    maxRunning: (lane) => maxRunning(maxCallsOf(lane)),
  });
}
