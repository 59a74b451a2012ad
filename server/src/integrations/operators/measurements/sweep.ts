import type { Logger } from 'pino';
import { Poller } from '../../../platform/jobs/poller.ts';
import type { Database, Queryable } from '../../../platform/postgres/database.ts';
import { prepare } from '../../../platform/postgres/statement.ts';
import type { Clock } from '../../../platform/process/clock.ts';
import { halfHourSeconds, minuteSeconds } from './store.ts';

/** How long measurements are kept, in milliseconds. */
export const keptMs = { minutes: 8 * 86_400_000, halfHours: 35 * 86_400_000 };

const intervalMs = 3_600_000;
const batchSize = 2_000;

const removeStatement = prepare({
  name: 'operator_measurements.remove',
  given: { slotSeconds: 'integer', before: 'timestamptz', limit: 'integer' },
  text: ({ slotSeconds, before, limit }) => `
WITH old AS MATERIALIZED (
  SELECT slot_seconds, operator, slot_at, call, answer FROM operator_measurements
  WHERE slot_seconds = ${slotSeconds} AND slot_at < ${before} LIMIT ${limit} FOR UPDATE SKIP LOCKED
), gone AS (
  DELETE FROM operator_measurements m USING old
  WHERE (m.slot_seconds, m.operator, m.slot_at, m.call, m.answer)
    = (old.slot_seconds, old.operator, old.slot_at, old.call, old.answer)
  RETURNING 1
)
SELECT count(*)::integer AS count FROM gone`,
});

/**
 * Removes some slots from before an instant.
 * @returns how many rows it removed
 */
async function removeSlots(
  database: Queryable,
  old: { slotSeconds: number; before: number; limit: number },
): Promise<number> {
  const [row] = await removeStatement.run<{ count: number }>(database, old);
  return row!.count;
}

const forgetStatement = {
  name: 'operator_watchers.forget',
  text: `DELETE FROM operator_watchers WHERE seen_at < now() - interval '1 day'`,
};

/**
 * Forgets dead processes. Not within a day: a process that could not reach the database for some time may still
 * resend a flush, whose number must be known.
 */
async function forgetWatchers(database: Queryable): Promise<void> {
  await database.query(forgetStatement);
}

export interface SweepDependencies {
  database: Database;
  clock: Clock;
  log: Logger;
}

/** Removes measurements that are too old, an hour's worth of them every hour. */
export function measurementSweep(dependencies: SweepDependencies): Poller {
  const { clock, log } = dependencies;
  const claim = () => sweepMeasurements(dependencies).then(() => 0);
  const intervals = { minIntervalMs: intervalMs, maxIntervalMs: intervalMs };
  return new Poller({ name: 'old operator measurements', clock, log, claim, ...intervals });
}

/** Removes all measurements that are too old now, in batches. */
export async function sweepMeasurements({
  database,
  clock,
}: Pick<SweepDependencies, 'database' | 'clock'>): Promise<void> {
  const nowMs = clock.nowMs();
  const olds = [
    { slotSeconds: minuteSeconds, before: nowMs - keptMs.minutes },
    { slotSeconds: halfHourSeconds, before: nowMs - keptMs.halfHours },
  ];
  for (const old of olds) {
    while ((await removeSlots(database, { ...old, limit: batchSize })) === batchSize);
  }
  await forgetWatchers(database);
}
