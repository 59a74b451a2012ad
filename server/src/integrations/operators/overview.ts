import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { Pause } from './circuit-breaker.ts';
import { evidenceOf, type OperatorState, stateOf } from './health.ts';
import { type Figures, figuresOf, type Point, pointsOf } from './measurements/series.ts';
import type { OperatorQueue } from './queue.ts';
import { type QueueStatus, readQueueStatuses } from './queue-status.ts';

/** One process's view of an operator. */
export interface ProcessOverview {
  role: string;
  host: string;
  pid: number;
  /** Null while its circuit breaker is closed. */
  pause: Pause | null;
  /** The number of rows that wait in its memory for a free call. */
  waiting: number;
}

/** The present state of an operator, in full. */
export interface OperatorOverview extends OperatorState {
  lastHour: Figures;
  /** The last hour in steps of five minutes. */
  points: Point[];
  processes: ProcessOverview[];
  queue: QueueStatus;
}

const hourMs = 3_600_000;
const stepSeconds = 300;

/** The view of operators for pages and `/admin/v1`: state, last hour, circuit breakers, and queues. */
export async function readOperatorOverviews(
  { database, clock }: { database: Database; clock: Clock },
  operators: readonly OperatorQueue[],
): Promise<OperatorOverview[]> {
  const nowMs = clock.nowMs();
  const [evidence, queues] = await Promise.all([
    evidenceOf(database, operators, nowMs),
    readQueueStatuses(database, nowMs),
  ]);
  const hour = { fromMs: nowMs - hourMs, untilMs: nowMs, stepSeconds };
  return operators.map((operator) => {
    const minutes = evidence.minutes.filter(
      (each) => each.operator === operator && each.fromMs > hour.fromMs,
    );
    const processes = evidence.processes.flatMap(({ role, host, pid, states }) => {
      const here = states[operator];
      return here === undefined ? [] : [{ role, host, pid, ...here }];
    });
    return {
      ...stateOf(operator, evidence),
      lastHour: figuresOf(minutes),
      points: pointsOf(minutes, hour),
      processes,
      queue: queues.find((each) => each.operator === operator) ?? nothing(operator),
    };
  });
}

const nothing = (operator: OperatorQueue): QueueStatus => ({
  operator,
  due: 0,
  oldestDueMs: null,
  unsent: 0,
  unanswered: 0,
  oldestSentMs: null,
});
