import type { Queryable } from '../postgres/database.ts';
import { prepare, rowsOf } from '../postgres/statement.ts';
import { isMoment, type NewNotice, noticeIdOf, sameWithinMs } from './notice.ts';

/*
 * A notice that is open, or was within the hour, is reused: seen again, or reopened. Otherwise there is a new one; if two processes write it at once, even in the same millisecond, the first one stays.
 */
const writeStatement = prepare({
  name: 'notices.write',
  given: {
    notices: rowsOf<NewNotice>({
      id: ['uuid', noticeIdOf],
      kind: ['text', ({ kind }) => kind],
      tenant_id: ['uuid', ({ tenantId }) => tenantId],
      subject: ['text', ({ subject }) => subject],
      detail: ['text', ({ detail }) => JSON.stringify(detail)],
      at: ['timestamptz', ({ atMs }) => atMs],
      ended_at: ['timestamptz', ({ kind, atMs }) => (isMoment(kind) ? atMs : null)],
    }),
  },
  text: (given) => `
WITH given AS MATERIALIZED (
  SELECT * FROM ${given.notices}
), latest AS MATERIALIZED (
  SELECT given.*, l.id AS latest_id, l.ended_at IS NOT NULL AS is_again
  FROM given CROSS JOIN LATERAL (
    SELECT n.id, n.ended_at FROM notices n
    WHERE n.kind = given.kind AND n.subject = given.subject AND n.tenant_id IS NOT DISTINCT FROM given.tenant_id
    ORDER BY n.id DESC LIMIT 1
  ) l
  WHERE l.ended_at IS NULL OR l.ended_at > given.at - interval '${sameWithinMs} milliseconds'
), seen AS (
  UPDATE notices n SET last_at = greatest(n.last_at, latest.at), ended_at = latest.ended_at,
    version = n.version + CASE WHEN is_again THEN 1 ELSE 0 END,
    post_failures = CASE WHEN is_again THEN 0 ELSE n.post_failures END,
    post_due_at = CASE WHEN is_again AND n.posted_version IS NOT NULL THEN latest.at ELSE n.post_due_at END
  FROM latest WHERE n.id = latest.latest_id
), unread AS (
  UPDATE notice_recipients r SET read_at = NULL, is_over = false
  FROM latest WHERE is_again AND r.notice_id = latest.latest_id AND (r.read_at IS NOT NULL OR r.is_over)
)
INSERT INTO notices (id, kind, tenant_id, subject, detail, at, last_at, ended_at)
SELECT given.id, given.kind, given.tenant_id, given.subject, given.detail::jsonb, given.at, given.at, given.ended_at
FROM given WHERE given.id NOT IN (SELECT id FROM latest)
ON CONFLICT DO NOTHING`,
});

/** Writes an event in the transaction of its cause, or an observed condition. */
export async function writeNotices(
  transaction: Queryable,
  notices: readonly NewNotice[],
): Promise<void> {
  if (notices.length > 0) await writeStatement.run(transaction, { notices });
}

/**
 * A common table expression that writes the notice of review items, for the statement that lists them; `source` is
 * the CTE with their rows, and `id` the parameter of the notice's id.
 */
export const noticeOfReview = (source: string, id: string) => `
  noticed AS (
    INSERT INTO notices (id, kind, tenant_id, subject, detail, at, last_at)
    SELECT ${id}, 'REVIEW_WAITING', tenant_id, id::text,
      jsonb_build_object('review', kind, 'operator', operator), created_at, created_at
    FROM ${source}
    -- Of an item that waits again, the notice of before may still be on.
    ON CONFLICT DO NOTHING
  )`;
