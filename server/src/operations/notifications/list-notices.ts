import type { NoticeKind } from '../../platform/notices/notice.ts';
import { type Queryable, timestamp } from '../../platform/postgres/database.ts';
import type { Worded } from './notices.words.ts';

/** The notices of a person on a merchant's pages or on the staff's, of the kinds that the person's role receives. */
export interface Shelf {
  personId: string;
  /** Null: the staff's pages. */
  tenantId: string | null;
  kinds: readonly NoticeKind[];
}

/** A notice as pages show it. */
export interface ListedNotice extends Worded {
  id: string;
  kind: NoticeKind;
  atMs: number;
  endedAtMs: number | null;
  readAtMs: number | null;
  more: number;
  merchantId: string | null;
  merchantName: string | null;
  mode: 'live' | 'test' | null;
}

/** Above this number, pages show "99+". */
export const mostCounted = 100;

const onShelf = (tenantId: string | null) =>
  tenantId === null ? `r.place = 'STAFF'` : "r.place = 'MERCHANT' AND r.tenant_id = $3";
const nameOf = (tenantId: string | null) => (tenantId === null ? 'staff' : 'merchant');
const whole = ({ personId, tenantId, kinds }: Shelf): unknown[] =>
  tenantId === null ? [personId, kinds] : [personId, kinds, tenantId];

/** Counts the unread notices, up to {@link mostCounted}. */
export async function countUnread(database: Queryable, shelf: Shelf): Promise<number> {
  const { tenantId } = shelf;
  const text = `
SELECT count(*)::integer AS count FROM (
  SELECT FROM notice_recipients r
  WHERE r.person_id = $1 AND ${onShelf(tenantId)} AND r.kind = ANY ($2::text[]) AND r.read_at IS NULL
  LIMIT ${mostCounted}
) unread`;
  const name = `notice_recipients.unread_${nameOf(tenantId)}`;
  return (await database.query<{ count: number }>({ name, text }, whole(shelf)))[0]!.count;
}

/** Lists notices, newest first, after the notice with the given id. */
export function listNotices(
  database: Queryable,
  shelf: Shelf,
  { afterId, limit }: { afterId: string | undefined; limit: number },
): Promise<ListedNotice[]> {
  const values = whole(shelf);
  const next = values.length + 1;
  const text = `
SELECT n.id, n.kind, n.subject, n.detail, n.at AS "atMs", n.ended_at AS "endedAtMs", r.read_at AS "readAtMs",
  CASE r.place WHEN 'STAFF' THEN n.staff_more ELSE n.merchant_more END AS more,
  t.merchant_id AS "merchantId", t.mode, m.name AS "merchantName"
FROM notice_recipients r
JOIN notices n ON n.id = r.notice_id
LEFT JOIN tenants t ON t.id = n.tenant_id
LEFT JOIN merchants m ON m.id = t.merchant_id
WHERE r.person_id = $1 AND ${onShelf(shelf.tenantId)} AND r.kind = ANY ($2::text[])
  AND ($${next}::uuid IS NULL OR r.notice_id < $${next})
ORDER BY r.notice_id DESC LIMIT $${next + 1}`;
  const name = `notice_recipients.list_${nameOf(shelf.tenantId)}`;
  return database.query<ListedNotice>({ name, text }, [...values, afterId ?? null, limit]);
}

/** Marks one notice as read, or all of a shelf. */
export async function markRead(
  database: Queryable,
  shelf: Shelf,
  id: string | undefined,
  nowMs: number,
): Promise<void> {
  const values = whole(shelf);
  const next = values.length + 1;
  const text = `
UPDATE notice_recipients r SET read_at = $${next}
WHERE r.person_id = $1 AND ${onShelf(shelf.tenantId)} AND r.kind = ANY ($2::text[]) AND r.read_at IS NULL
  AND ($${next + 1}::uuid IS NULL OR r.notice_id = $${next + 1})`;
  await database.query({ text }, [...values, timestamp(nowMs), id ?? null]);
}
