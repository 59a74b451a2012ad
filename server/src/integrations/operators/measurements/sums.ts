import type { Queryable } from '../../../platform/postgres/database.ts';
import { prepare } from '../../../platform/postgres/statement.ts';
import type { OperatorQueue } from '../queue.ts';
import { bucketCount } from './durations.ts';
import type { CallOutcome } from './outcome.ts';
import { halfHourSeconds, minuteSeconds } from './store.ts';

/** The requested slots, and how to add them up. */
export interface SumsQuery {
  operators: readonly OperatorQueue[];
  /** From this instant on … */
  fromMs: number;
  /** … and before this. */
  untilMs: number;
  /** How long each sum is, in seconds: a multiple of a minute that divides a day, or a number of days. */
  stepSeconds: number;
}

/** The results of calls to an operator in one step. */
export interface Sum {
  operator: OperatorQueue;
  fromMs: number;
  answered: number;
  refused: number;
  unknown: number;
  notSent: number;
  /** How often a circuit breaker opened. */
  pauses: number;
  /** Of those answered or refused, the calls whose outcome is definite. */
  definite: number;
  /** Of those refused, the calls in which the operator blamed itself or the request, and not the payer. */
  ownRefusals: number;
  /** How many calls that were sent are in each bucket of {@link bucketOf}. */
  durations: number[];
}

/** Half-hours are kept for longer than minutes, and read faster: they are used wherever they fit. */
const slotSecondsOf = ({ stepSeconds }: SumsQuery) =>
  stepSeconds % halfHourSeconds === 0 ? halfHourSeconds : minuteSeconds;

const counted = (where: string) => `coalesce(sum(call_count) FILTER (WHERE ${where}), 0)::float8`;

const buckets = Array.from({ length: bucketCount }, (_, index) => index + 1);
const isCall = `outcome <> 'PAUSED'`;
const range = (asked: Record<'operators' | 'from' | 'until' | 'slotSeconds', string>) => `
FROM operator_measurements
WHERE slot_seconds = ${asked.slotSeconds} AND operator = ANY (${asked.operators})
  AND slot_at >= ${asked.from} AND slot_at < ${asked.until}`;

const rangeGiven = {
  operators: {
    count: 1,
    sql: (first: number) => `$${first}::text[]`,
    values: (names: readonly string[]) => [names],
  },
  from: 'timestamptz',
  until: 'timestamptz',
  slotSeconds: 'integer',
} as const;

const sumsStatement = prepare({
  name: 'operator_measurements.sums',
  given: { ...rangeGiven, stepSeconds: 'integer' },
  text: (asked) => `
SELECT operator, date_bin(make_interval(secs => ${asked.stepSeconds}), slot_at, TIMESTAMPTZ 'epoch') AS "fromMs",
  ${counted(`outcome = 'ANSWERED'`)} AS answered,
  ${counted(`outcome = 'REFUSED'`)} AS refused,
  ${counted(`outcome = 'UNKNOWN'`)} AS unknown,
  ${counted(`outcome = 'NOT_SENT'`)} AS "notSent",
  ${counted(`outcome = 'PAUSED'`)} AS pauses,
  ${counted(`answer = 'succeeded' OR outcome = 'REFUSED'`)} AS definite,
  ${counted(`outcome = 'REFUSED' AND starts_with(answer, 'OPERATOR_')`)} AS "ownRefusals",
  ARRAY[${buckets.map((index) => `sum(durations[${index}])`).join(', ')}]::float8[] AS durations
${range(asked)}
GROUP BY 1, 2 ORDER BY 1, 2`,
});

/** The results of calls, step by step; steps without calls are left out. */
export function sumsOf(database: Queryable, asked: SumsQuery): Promise<Sum[]> {
  const { operators, fromMs: from, untilMs: until, stepSeconds } = asked;
  const slotSeconds = slotSecondsOf(asked);
  return sumsStatement.run(database, { operators, from, until, slotSeconds, stepSeconds });
}

/** How often an operator gave one answer to one call. */
export interface AnswerCount {
  call: string;
  answer: string;
  outcome: CallOutcome | 'PAUSED';
  count: number;
  /** When the last slot with this answer begins. */
  lastMs: number;
}

const answersStatement = prepare({
  name: 'operator_measurements.answers',
  given: rangeGiven,
  text: (asked) => `
SELECT call, answer, outcome, sum(call_count)::float8 AS count, max(slot_at) AS "lastMs"
${range(asked)} AND ${isCall}
GROUP BY 1, 2, 3 ORDER BY 1, 4 DESC, 2`,
});

/** An operator's answers to each call, the most frequent first. */
export function answersOf(database: Queryable, asked: SumsQuery): Promise<AnswerCount[]> {
  const { operators, fromMs: from, untilMs: until } = asked;
  const slotSeconds = slotSecondsOf(asked);
  return answersStatement.run(database, { operators, from, until, slotSeconds });
}
