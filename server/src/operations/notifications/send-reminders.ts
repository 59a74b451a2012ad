import { observedKinds } from '../../platform/notices/notice.ts';
import { type Database, timestamp } from '../../platform/postgres/database.ts';

/** How long a condition lasts before a reminder. */
export const reminderIntervalMs = 12 * 3_600_000;

/*
 * If two processes run at once, the second finds the row already updated. Recipients of a mail get another; the
 * company's webhook gets the next version.
 */
const remindStatement = {
  name: 'notices.remind',
  text: `
WITH again AS (
  UPDATE notices SET reminded_at = $1, version = version + 1, post_failures = 0,
    post_due_at = CASE WHEN posted_version IS NOT NULL THEN $1::timestamptz ELSE post_due_at END
  WHERE ended_at IS NULL AND kind = ANY ($3::text[]) AND coalesce(reminded_at, staff_told_at) <= $2
  RETURNING id
), unread AS (
  UPDATE notice_recipients r SET read_at = NULL,
    mail_due_at = CASE WHEN r.mail_id IS NOT NULL THEN $1::timestamptz ELSE r.mail_due_at END
  FROM again WHERE r.notice_id = again.id
)
SELECT id FROM again`,
};

/** Sends reminders of conditions that still last. @returns the number of notices */
export async function sendReminders(database: Database, nowMs: number): Promise<number> {
  const values = [timestamp(nowMs), timestamp(nowMs - reminderIntervalMs), observedKinds];
  return (await database.query(remindStatement, values)).length;
}
