import type { Database } from '../../platform/postgres/database.ts';
import { firstUuidAt } from '../../platform/values/ids.ts';

/** How long ended notices and mails are kept, in milliseconds. */
export const keptMs = 90 * 86_400_000;
const batchSize = 500;

const removeStatement = {
  name: 'notices.remove_old',
  text: `
WITH old AS MATERIALIZED (
  SELECT id FROM notices WHERE id < $1 AND ended_at IS NOT NULL ORDER BY id LIMIT $3
), recipients_gone AS (
  DELETE FROM notice_recipients WHERE notice_id IN (SELECT id FROM old)
), mails AS MATERIALIZED (
  SELECT id FROM notice_mails WHERE id < $2 AND status <> 'PENDING' ORDER BY id LIMIT $3
), mails_gone AS (
  DELETE FROM notice_mails WHERE id IN (SELECT id FROM mails) RETURNING id
), gone AS (
  DELETE FROM notices WHERE id IN (SELECT id FROM old) RETURNING id
)
SELECT id FROM gone UNION ALL SELECT id FROM mails_gone`,
};

/** Deletes old ended notices with their recipients, and old mails. Ongoing notices stay. @returns the number of rows */
export async function deleteOldNotices(database: Database, nowMs: number): Promise<number> {
  const before = firstUuidAt(nowMs - keptMs);
  return (await database.query(removeStatement, [before, before, batchSize])).length;
}
