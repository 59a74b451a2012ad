import type { Logger } from 'pino';
import { Poller } from '../../platform/jobs/poller.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { daysOfHour, dayTotalKey, totalColumns, totalKey } from './count.ts';

/*
 * The array is made once, so that a batch keeps its limit. One statement deletes deltas and adds them, so that a
 * reader of totals and deltas counts each delta once, before and after. Several processes fold at once, each the
 * deltas that the others have not taken; they update totals in the order of their key, so that they cannot deadlock.
 */
const addUp = `DO UPDATE SET
    item_count = t.item_count + excluded.item_count,
    amount_minor = t.amount_minor + excluded.amount_minor,
    fee_minor = t.fee_minor + excluded.fee_minor`;

const foldStatement = {
  name: 'totals.fold',
  text: `
WITH taken AS (
  DELETE FROM payment_total_deltas WHERE ctid = ANY (ARRAY (
    SELECT ctid FROM payment_total_deltas LIMIT $1 FOR UPDATE SKIP LOCKED))
  RETURNING ${totalColumns}
),
folded AS (
  INSERT INTO payment_totals AS t (${totalColumns})
  SELECT ${totalKey}, sum(item_count), sum(amount_minor), sum(fee_minor)
  FROM taken
  GROUP BY ${totalKey}
  ORDER BY ${totalKey}
  ON CONFLICT (${totalKey}) ${addUp}
),
folded_days AS (
  INSERT INTO payment_day_totals AS t (${dayTotalKey}, item_count, amount_minor, fee_minor)
  SELECT ${dayTotalKey}, sum(item_count), sum(amount_minor), sum(fee_minor)
  FROM taken CROSS JOIN LATERAL ${daysOfHour}
  GROUP BY ${dayTotalKey}
  ORDER BY ${dayTotalKey}
  ON CONFLICT (${dayTotalKey}) ${addUp}
)
SELECT count(*)::integer AS count FROM taken`,
};

/** Adds deltas to the totals; returns how many. */
export async function foldTotals(database: Queryable, limit: number): Promise<number> {
  const [row] = await database.query<{ count: number }>(foldStatement, [limit]);
  return row!.count;
}

const batchSize = 5_000;

/** Folds periodically, and again at once only if a batch did not hold everything. */
export function totalsFolder(dependencies: {
  database: Database;
  clock: Clock;
  log: Logger;
  foldIntervalMs: number;
}): Poller {
  const { database, clock, log, foldIntervalMs } = dependencies;
  const claim = async () => Math.floor((await foldTotals(database, batchSize)) / batchSize);
  const intervals = { minIntervalMs: foldIntervalMs, maxIntervalMs: foldIntervalMs };
  return new Poller({ name: 'totals', clock, log, claim, ...intervals });
}
