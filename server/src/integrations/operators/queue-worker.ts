import type { Logger } from 'pino';
import { type DueRow, JobWorker, type JobWorkerOptions } from '../../platform/jobs/worker.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { leaseMarginMs, type QueryTiming } from './query-schedule.ts';
import { type Addressed, queueOf } from './queue.ts';

export interface QueueWorkerDependencies {
  clock: Clock;
  log: Logger;
  timing: Pick<QueryTiming, 'operatorTimeoutMs'>;
  /** How many calls may be under way at once in a queue; undefined: no limit. */
  maxCallsOf: (queue: string) => number | undefined;
  /** Wakes the worker when a watch sees new rows. */
  idleIntervalMs?: number | undefined;
}

type RowOptions<Row> = Pick<
  JobWorkerOptions<Row>,
  'name' | 'maxWaiting' | 'memory' | 'claim' | 'process' | 'maxIntervalMs'
> & {
  /** How many rows of one queue are processed at once, given the limit of its calls. */
  maxRunning: (maxCalls?: number) => number;
};

/** Processes due rows that need an operator; an operator that hangs delays only its own rows. */
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
