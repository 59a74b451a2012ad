import type { Logger } from 'pino';
import { Poller } from '../../platform/jobs/poller.ts';
import { type Database, timestamp } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { currencies } from '../../platform/values/money.ts';

/** Only today counts; a few more days show what happened. */
const keptMs = 7 * 86_400_000;
const intervalMs = 3_600_000;
const batchSize = 1_000;

// The key begins with tenant, currency and day, so each look-up reads the oldest days of one.
const removeStatement = {
  name: 'disbursement_days.remove_old',
  text: `
WITH old AS MATERIALIZED (
  SELECT found.* FROM tenants t
  CROSS JOIN unnest($2::text[]) AS given (currency)
  CROSS JOIN LATERAL (
    SELECT d.tenant_id, d.currency, d.day, d.scope, d.scope_key FROM disbursement_days d
    WHERE d.tenant_id = t.id AND d.currency = given.currency AND d.day < ($1::timestamptz AT TIME ZONE 'UTC')::date
    ORDER BY d.day LIMIT $3
  ) AS found
  LIMIT $3
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
  const values = [timestamp(nowMs - keptMs), [...currencies], limit];
  return (await database.query(removeStatement, values)).length;
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
