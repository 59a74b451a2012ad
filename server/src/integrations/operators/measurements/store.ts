import type { Queryable } from '../../../platform/postgres/database.ts';
import { rowsQuery } from '../../../platform/postgres/query.ts';
import { prepare, rowsOf } from '../../../platform/postgres/statement.ts';
import type { Pause } from '../circuit-breaker.ts';
import type { OperatorQueue } from '../queue.ts';
import { bucketCount } from './durations.ts';
import type { CallOutcome } from './outcome.ts';

/** How long a slot lasts, in seconds. */
export const minuteSeconds = 60;
export const halfHourSeconds = 1_800;

/** The counts of one process in one minute, of one call of one operator with one answer. */
export interface Measurement {
  operator: OperatorQueue;
  minuteMs: number;
  call: string;
  answer: string;
  outcome: CallOutcome | 'PAUSED';
  count: number;
  /** How many of them were in each bucket of {@link bucketOf}; calls that were not sent are in none. */
  durations: number[];
}

/** A process's present state of an operator. */
export interface ProcessOperatorState {
  /** Null while its circuit breaker is closed. */
  pause: Pause | null;
  /** How many payments, refunds and reversals wait in its memory for a free call. */
  waiting: number;
}
export type ProcessOperatorStates = Partial<Record<OperatorQueue, ProcessOperatorState>>;

export interface Flush {
  processId: string;
  /** Incremented by the process with each flush; unchanged for a flush that is tried again. */
  number: bigint;
  states: ProcessOperatorStates;
  measurements: readonly Measurement[];
}

const given = rowsOf<Measurement>({
  operator: ['text', ({ operator }) => operator],
  minute_at: ['timestamptz', ({ minuteMs }) => minuteMs],
  call: ['text', ({ call }) => call],
  answer: ['text', ({ answer }) => answer],
  outcome: ['text', ({ outcome }) => outcome],
  call_count: ['integer', ({ count }) => count],
  durations: ['text', ({ durations }) => `{${durations.join(',')}}`],
});

const buckets = Array.from({ length: bucketCount }, (_, index) => index + 1);
const added = buckets.map((index) => `m.durations[${index}] + excluded.durations[${index}]`);
// One statement writes a minute's row and its half-hour's, so that these need no folding and never differ. A flush
// that was committed although its answer was lost comes again under its number, and adds nothing. Rows are locked in
// the order of their key, so that processes never deadlock.
const flushStatement = prepare({
  name: 'operator_measurements.flush',
  given: { processId: 'uuid', number: 'bigint', states: 'text', measurements: given },
  text: ({ processId, number, states, measurements }) => `
WITH turn AS (
  INSERT INTO operator_watchers AS w (process_id, flush_number, states, seen_at)
  VALUES (${processId}, ${number}, ${states}::jsonb, now())
  ON CONFLICT (process_id) DO UPDATE
    SET flush_number = excluded.flush_number, states = excluded.states, seen_at = excluded.seen_at
    WHERE w.flush_number < excluded.flush_number
  RETURNING w.process_id
)
INSERT INTO operator_measurements AS m
  (slot_seconds, operator, slot_at, call, answer, outcome, call_count, durations)
SELECT slot.seconds, given.operator, slot.at, given.call, given.answer, given.outcome, sum(given.call_count),
  ARRAY[${buckets.map((index) => `sum((given.durations::integer[])[${index}])`).join(', ')}]
FROM ${measurements}
CROSS JOIN turn
CROSS JOIN LATERAL (VALUES
  (${minuteSeconds}, given.minute_at),
  (${halfHourSeconds}, date_bin('${halfHourSeconds} seconds', given.minute_at, TIMESTAMPTZ 'epoch'))
) AS slot (seconds, at)
GROUP BY 1, 2, 3, 4, 5, 6
ORDER BY 1, 2, 3, 4, 5
ON CONFLICT (slot_seconds, operator, slot_at, call, answer) DO UPDATE
  SET call_count = m.call_count + excluded.call_count, durations = ARRAY[${added.join(', ')}]`,
});

/** Adds a process's counts, and stores its states of operators. Applied once, however often it is sent. */
export async function writeFlush(database: Queryable, flush: Flush): Promise<void> {
  const { processId, number, measurements } = flush;
  const states = JSON.stringify(flush.states);
  await flushStatement.run(database, { processId, number, states, measurements });
}

const leaveStatement = {
  name: 'operator_watchers.leave',
  text: 'DELETE FROM operator_watchers WHERE process_id = $1',
};

/** Removes the states of a process that stops. */
export async function removeOperatorStates(database: Queryable, processId: string): Promise<void> {
  await database.query(leaveStatement, [processId]);
}

/** A running process's states of operators. */
export interface Watcher {
  id: string;
  role: string;
  host: string;
  pid: number;
  states: ProcessOperatorStates;
}

/** A process without news for this long has died, or cannot reach the database. */
const isWatching = `w.seen_at > now() - interval '90 seconds'`;

/** The processes that work with operators, by their own reports of the last minute and a half. */
export const watchers = rowsQuery<Watcher, []>({
  name: 'operator_watchers.list',
  text: `
SELECT p.id, p.role, p.host, p.pid, w.states
FROM operator_watchers w JOIN running_processes p ON p.id = w.process_id
WHERE ${isWatching} ORDER BY p.host, p.pid, p.id LIMIT 100`,
});
