import type { Logger } from 'pino';
import { type DueRow, JobWorker, type JobWorkerOptions } from '../../platform/jobs/worker.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { leaseMarginMs, type QueryTiming } from './query-schedule.ts';
import { type Addressed, queueOf } from './queue.ts';

export interface QueueWorkerDependencies<Row extends DueRow> {
  database: Database;
  clock: Clock;
  log: Logger;
  timing: Pick<QueryTiming, 'operatorTimeoutMs'>;
  processor: Pick<JobWorkerOptions<Row>, 'process'>;
  /** How many calls may be under way at once in a queue; undefined: no limit. */
  maxCallsOf: (queue: string) => number | undefined;
  /** Wakes the worker when a watch sees new rows. */
  idleIntervalMs?: number | undefined;
}

type Claim<Row extends DueRow> = JobWorkerOptions<Row>['claim'];

type RowOptions<Row extends DueRow> = Pick<
  JobWorkerOptions<Row>,
  'name' | 'maxWaiting' | 'memory' | 'maxIntervalMs' | 'startIntervalMs'
> & {
  /** How many rows of one queue are processed at once, given the limit of its calls. */
  maxRunning: (maxCalls?: number) => number;
  claim: (database: Database, ...claim: Parameters<Claim<Row>>) => ReturnType<Claim<Row>>;
};

/** Processes due rows that need an operator; an operator that hangs delays only its own rows. */
export function createQueueWorker<Row extends DueRow & Addressed>(
  dependencies: QueueWorkerDependencies<Row>,
  { maxRunning, claim, ...options }: RowOptions<Row>,
): JobWorker<Row> {
  const { database, clock, log, timing, processor, maxCallsOf, idleIntervalMs } = dependencies;
  return new JobWorker<Row>({
    ...options,
    clock,
    log,
    idleIntervalMs,
    leaseLengthMs: timing.operatorTimeoutMs + leaseMarginMs,
    queueOf,
    maxRunning: (queue) => maxRunning(maxCallsOf(queue)),
    claim: (...claiming) => claim(database, ...claiming),
    process: (row, origin) => processor.process(row, origin),
  });
}
