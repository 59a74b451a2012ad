import type { Figures, Point } from '../../integrations/operators/measurements/series.ts';
import type { OperatorOverview } from '../../integrations/operators/overview.ts';
import { liveOperatorNames } from '../../platform/config/operator-catalogue.ts';
import { nullable } from '../../platform/http/schema.ts';
import { Type } from '../../platform/http/type.ts';
import { instant } from './schemas.ts';

const milliseconds = nullable(Type.Integer({ description: 'In milliseconds; null without calls' }));

const figures = {
  answered: Type.Integer({ description: 'Calls with a usable answer' }),
  refused: Type.Integer({ description: 'Calls that the operator refused, definitely' }),
  unknown: Type.Integer({ description: 'Calls without a usable answer: their outcome is unknown' }),
  notSent: Type.Integer({ description: 'Calls that the operator certainly did not receive' }),
  pauses: Type.Integer({ description: 'How often a circuit breaker opened' }),
  answeredShare: nullable(
    Type.Number({ description: 'Of all calls, those answered or refused: from 0 to 1' }),
  ),
  p50Ms: milliseconds,
  p95Ms: milliseconds,
  p99Ms: milliseconds,
};

export const pointSchema = Type.Object(
  { from: instant, ...figures },
  { title: 'OperatorMeasurement' },
);

const pauseSchema = Type.Object(
  {
    reason: Type.Enum(['UNANSWERED', 'REFUSES_US'], { title: 'PauseReason' }),
    since: instant,
    until: Type.Unsafe<string>({
      ...instant,
      description: 'When a call is tried again; in the past until that call has an outcome',
    }),
  },
  { title: 'OperatorPause' },
);

const processSchema = Type.Object(
  {
    role: Type.String(),
    host: Type.String(),
    pid: Type.Integer(),
    pause: nullable(pauseSchema),
    waiting: Type.Integer({ description: 'Rows in its memory that wait for a free call' }),
  },
  { title: 'OperatorProcess' },
);

export const stateSchema = Type.Object(
  {
    operator: Type.String({
      description: 'SIMULATOR for all of test mode',
      examples: [liveOperatorNames[0]],
    }),
    state: Type.Enum(['UP', 'DEGRADED', 'DOWN'], { title: 'OperatorStateName' }),
    reason: nullable(
      Type.Enum(['REFUSES_US', 'PAUSED', 'UNANSWERED', 'FAILING', 'SLOW'], {
        title: 'OperatorStateReason',
      }),
    ),
    since: nullable(
      Type.Unsafe<string>({ ...instant, description: 'Null: for more than an hour' }),
    ),
    lastHour: Type.Object(figures, { title: 'OperatorFigures' }),
    processes: Type.Array(processSchema),
    due: Type.Integer({ description: 'Rows due to be sent or queried' }),
    oldestDueAt: nullable(instant),
    unsent: Type.Integer({ description: 'Payments accepted but not sent yet' }),
    unanswered: Type.Integer({ description: 'Payments sent without an outcome yet' }),
    oldestSentAt: nullable(instant),
  },
  { title: 'OperatorState' },
);

const isoOf = (ms: number) => new Date(ms).toISOString();
const isoOrNull = (ms: number | null) => (ms === null ? null : isoOf(ms));

const figuresView = ({ answeredShare, p50Ms, p95Ms, p99Ms, ...counts }: Figures) => ({
  ...counts,
  answeredShare: answeredShare ?? null,
  p50Ms: p50Ms ?? null,
  p95Ms: p95Ms ?? null,
  p99Ms: p99Ms ?? null,
});

export const pointView = ({ fromMs, ...rest }: Point) => ({
  from: isoOf(fromMs),
  ...figuresView(rest),
});

export const stateView = ({ queue, processes, ...now }: OperatorOverview) => ({
  operator: now.operator,
  state: now.state,
  reason: now.reason,
  since: isoOrNull(now.sinceMs),
  lastHour: figuresView(now.lastHour),
  processes: processes.map(({ pause, ...process }) => ({
    ...process,
    pause: pause && {
      reason: pause.reason,
      since: isoOf(pause.sinceMs),
      until: isoOf(pause.untilMs),
    },
  })),
  due: queue.due,
  oldestDueAt: isoOrNull(queue.oldestDueMs),
  unsent: queue.unsent,
  unanswered: queue.unanswered,
  oldestSentAt: isoOrNull(queue.oldestSentMs),
});
