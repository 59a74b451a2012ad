import type { Logger } from 'pino';
import { type DueRow, JobWorker, type JobWorkerOptions } from '../../platform/jobs/worker.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { leaseMarginMs, type QueryTiming } from './query-schedule.ts';
import { type Addressed, queueOf } from './queue.ts';

export interface QueueWorkerDependencies {
  clock: Clock;
  log: Logger;
  timing: Pick<QueryTiming, 'operatorTimeoutMs'>;
  /** How many calls may be under way at once in a queue; undefined: as many as we like. */
  maxCallsOf: (queue: string) => number | undefined;
  /** Where a watch wakes it. */
  idleIntervalMs?: number | undefined;
}

type RowOptions<Row> = Pick<
  JobWorkerOptions<Row>,
  'name' | 'maxWaiting' | 'memory' | 'claim' | 'process' | 'maxIntervalMs'
> & {
  /** How many of one queue are processed at once, given how many calls it may have. */
  maxRunning: (maxCalls?: number) => number;
};

/** Processes due rows that an operator has its part in; one that hangs delays its own rows only. */
export function createQueueWorker<Row extends DueRow & Addressed>(
  { clock, log, timing, maxCallsOf, idleIntervalMs }: QueueWorkerDependencies,
  { maxRunning, ...options }: RowOptions<Row>,
): JobWorker<Row> {
  return new JobWorker<Row>({
    ...options,
    clock,
    log,
    idleIntervalMs,
    leaseLengthMs: timing.operatorTimeoutMs + leaseMarginMs,
    queueOf,
    maxRunning: (queue) => maxRunning(maxCallsOf(queue)),
  });
}
