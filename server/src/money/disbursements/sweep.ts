import type { Logger } from 'pino';
import { Poller } from '../../platform/jobs/poller.ts';
import { type Database, timestamp } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';

/** Only today counts; a few more days show what happened. */
const keptMs = 7 * 86_400_000;
const intervalMs = 3_600_000;
const batchSize = 1_000;

const removeStatement = {
  name: 'disbursement_days.remove_old',
  text: `
WITH old AS MATERIALIZED (
  SELECT tenant_id, currency, day, scope, scope_key FROM disbursement_days
  WHERE day < ($1::timestamptz AT TIME ZONE 'UTC')::date ORDER BY day LIMIT $2
)
DELETE FROM disbursement_days d USING old
WHERE d.tenant_id = old.tenant_id AND d.currency = old.currency AND d.day = old.day
  AND d.scope = old.scope AND d.scope_key = old.scope_key
RETURNING d.tenant_id`,
};

/** Forgets what was disbursed on days long over. @returns how many sums went */
export async function removeOldDays(
  database: Database,
  nowMs: number,
  limit = batchSize,
): Promise<number> {
  return (await database.query(removeStatement, [timestamp(nowMs - keptMs), limit])).length;
}

/** Forgets the days of wallets, whatever else is retained. */
export function disbursementDaySweep(dependencies: {
  database: Database;
  clock: Clock;
  log: Logger;
}): Poller {
  const { database, clock, log } = dependencies;
  const claim = () => removeOldDays(database, clock.nowMs());
  const intervals = { minIntervalMs: intervalMs, maxIntervalMs: intervalMs };
  return new Poller({ name: 'disbursement days', clock, log, claim, ...intervals });
}
