import { observedKinds } from '../../platform/notices/notice.ts';
import { type Database, timestamp } from '../../platform/postgres/database.ts';

/** An observed condition has ended when nobody saw it for this long. */
export const endAfterMs = 5 * 60_000;

const isObserved = (kind: string) =>
  `${kind} IN (${observedKinds.map((each) => `'${each}'`).join(', ')})`;

/*
 * The statement looks for ended causes itself, so that the code that ends them need not know of notices. Only the
 * subjects of these kinds are UUIDs.
 */
const endStatement = {
  name: 'notices.end',
  text: `
WITH open AS MATERIALIZED (
  SELECT id, kind, tenant_id, last_at,
    CASE WHEN NOT ${isObserved('kind')} THEN subject::uuid END AS subject_id
  FROM notices WHERE ended_at IS NULL
), ended AS (
UPDATE notices n SET ended_at = $1, version = n.version + 1, post_failures = 0,
  post_due_at = CASE WHEN n.posted_version IS NOT NULL OR n.post_due_at IS NOT NULL THEN $1::timestamptz END
FROM open o
WHERE n.id = o.id AND n.ended_at IS NULL AND CASE o.kind
  WHEN 'ENDPOINT_DISABLED' THEN NOT EXISTS (
    SELECT FROM webhook_endpoints e
    WHERE e.tenant_id = o.tenant_id AND e.id = o.subject_id AND e.status = 'DISABLED' AND e.deleted_at IS NULL)
  WHEN 'REVIEW_WAITING' THEN NOT EXISTS (
    SELECT FROM review_items i WHERE i.tenant_id = o.tenant_id AND i.id = o.subject_id AND i.closed_at IS NULL)
  WHEN 'APPROVAL_ASKED' THEN NOT EXISTS (
    SELECT FROM approvals a WHERE a.tenant_id = o.tenant_id AND a.id = o.subject_id AND a.status = 'PENDING')
  ELSE o.last_at <= $2
END
RETURNING n.id, n.kind
), mails AS (
  UPDATE notice_recipients r SET is_over = true, mail_due_at = $1
  FROM ended JOIN notice_mails m ON m.status = 'SENT'
  WHERE r.notice_id = ended.id AND r.mail_id = m.id AND ${isObserved('ended.kind')}
)
SELECT id FROM ended`,
};

/** Ends the notices whose cause has ended. @returns their number */
export async function endNotices(database: Database, nowMs: number): Promise<number> {
  const values = [timestamp(nowMs), timestamp(nowMs - endAfterMs)];
  return (await database.query(endStatement, values)).length;
}
