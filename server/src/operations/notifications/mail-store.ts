import { isUnderLease } from '../../platform/jobs/lease.ts';
import type { NoticeKind } from '../../platform/notices/notice.ts';
import { type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { rowsQuery } from '../../platform/postgres/query.ts';
import { type StoredTimeZone, timeZoneColumns } from '../../tenants/merchants/time-zone.ts';
import type { MemberRole } from '../../tenants/people/permissions.ts';
import type { Language } from '../../tenants/people/person.ts';
import type { StaffRole } from '../../tenants/people/staff-permissions.ts';
import type { Place } from './audience.ts';
import type { Worded } from './notices.words.ts';
import { type SettingsRow, settingsColumns } from './settings.ts';

/** A mail under the lease of its sender. */
export interface LeasedMail {
  id: string;
  personId: string;
  /** Includes the current try. */
  tries: number;
  createdAtMs: number;
  leaseMs: number;
}

const dueStatement = {
  name: 'notice_mails.due',
  text: `
SELECT id, due_at AS "dueAtMs" FROM notice_mails
WHERE status = 'PENDING' AND due_at <= $1 ORDER BY due_at LIMIT $2`,
};

/*
 * Counts the try and marks the mail as perhaps sent before sending it, so that a crash leaves this on record. The
 * condition on the due time lets only one process lease the mail.
 */
const takeStatement = {
  name: 'notice_mails.take',
  text: `
UPDATE notice_mails SET due_at = $3, tries = tries + 1, is_uncertain = true
WHERE id = $1 AND status = 'PENDING' AND ${isUnderLease('due_at', '$2')}
RETURNING id, person_id AS "personId", tries, created_at AS "createdAtMs", due_at AS "leaseMs"`,
};

/** Leases due mails, one by one. */
export async function leaseDueMails(
  database: Queryable,
  nowMs: number,
  leaseMs: number,
  limit: number,
): Promise<LeasedMail[]> {
  type Due = { id: string; dueAtMs: number };
  const due = await database.query<Due>(dueStatement, [timestamp(nowMs), limit]);
  const taken: LeasedMail[] = [];
  for (const { id, dueAtMs } of due) {
    const values = [id, timestamp(dueAtMs), timestamp(leaseMs)];
    taken.push(...(await database.query<LeasedMail>(takeStatement, values)));
  }
  return taken;
}

/** The result of a try. */
export type MailEnd =
  | { status: 'SENT' | 'DROPPED' }
  | { status: 'FAILED'; error: string }
  | { status: 'PENDING'; dueAtMs: number; isUncertain: boolean; error: string | null };

const endStatement = {
  name: 'notice_mails.end',
  text: `
UPDATE notice_mails SET status = $3, due_at = $4, is_uncertain = $5, error = $6,
  ended_at = CASE WHEN $3 = 'PENDING' THEN NULL ELSE $7::timestamptz END
WHERE id = $1 AND ${isUnderLease('due_at', '$2')} AND status = 'PENDING' RETURNING id`,
};

/** Records the result if the lease still holds; returns false if it has passed to another process. */
export async function recordMailResult(
  database: Queryable,
  { id, leaseMs }: LeasedMail,
  end: MailEnd,
  nowMs: number,
): Promise<boolean> {
  const isPending = end.status === 'PENDING';
  const values = [
    id,
    timestamp(leaseMs),
    end.status,
    timestamp(isPending ? end.dueAtMs : null),
    isPending && end.isUncertain,
    'error' in end ? end.error : null,
    timestamp(nowMs),
  ];
  return (await database.query(endStatement, values)).length > 0;
}

/** A notice in a mail, with its person's current role in the notice's place. */
export interface MailedNotice extends Worded, SettingsRow, StoredTimeZone {
  place: Place;
  kind: NoticeKind;
  atMs: number;
  endedAtMs: number | null;
  /** Whether the mail reports the end: the person has received the beginning. */
  isOver: boolean;
  more: number;
  mode: 'live' | 'test' | null;
  merchantId: string | null;
  merchantName: string | null;
  email: string;
  language: Language;
  role: MemberRole | null;
  /** Of the merchant's custom role. */
  permissions: string[] | null;
  staffRole: StaffRole | null;
}

/** Lists the notices of a mail, oldest first; none if its person is deleted or disabled. */
export const noticesOfMail = rowsQuery<MailedNotice, [mailId: string]>({
  name: 'notice_mails.notices',
  text: `
SELECT r.place, n.kind, n.subject, n.detail, n.at AS "atMs", n.ended_at AS "endedAtMs", r.is_over AS "isOver",
  CASE r.place WHEN 'STAFF' THEN n.staff_more ELSE n.merchant_more END AS more,
  t.mode, t.merchant_id AS "merchantId", me.name AS "merchantName", p.email, p.language,
  m.role, own.permissions, st.role AS "staffRole", ${settingsColumns},
  zone."timeZoneHistory", zone."defaultCurrency", zone."firstCurrency"
FROM notice_recipients r
JOIN notices n ON n.id = r.notice_id
JOIN people p ON p.id = r.person_id AND p.disabled_at IS NULL
LEFT JOIN tenants t ON t.id = n.tenant_id
LEFT JOIN merchants me ON me.id = t.merchant_id
LEFT JOIN LATERAL (SELECT ${timeZoneColumns} FROM merchants m WHERE m.id = t.merchant_id) zone ON true
LEFT JOIN memberships m ON r.place = 'MERCHANT' AND m.merchant_id = t.merchant_id AND m.person_id = p.id
LEFT JOIN merchant_roles own ON own.merchant_id = m.merchant_id AND own.id = m.role_id
LEFT JOIN staff st ON r.place = 'STAFF' AND st.person_id = p.id
LEFT JOIN notice_settings s ON s.person_id = p.id
WHERE r.mail_id = $1 ORDER BY n.id, r.place DESC`,
});
