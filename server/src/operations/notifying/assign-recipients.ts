import type { NoticeKind } from '../../platform/notices/notice.ts';
import { type Database, type Queryable, timestamp } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { mailbox } from '../../tenants/people/person.ts';
import { type Place, rolesFor } from './audience.ts';
import { choiceSql } from './settings.ts';

export interface TellDependencies {
  database: Database;
  clock: Clock;
  /** Whether there is a mail server. */
  hasMail: boolean;
  /** Whether the company hears of notices by a webhook. */
  hasWebhook: boolean;
  /** How long a notice waits for others that go into the same mail. */
  mailDelayMs: number;
}

interface Untold {
  id: string;
  kind: NoticeKind;
  tenantId: string | null;
  subject: string;
  detail: { approval?: string };
  /** Null: of the whole gateway. */
  mode: 'live' | 'test' | null;
  merchantId: string | null;
}

/**
 * So many notices of a kind are told in each place in an hour; the others are counted. Alerts are all told: their rules
 * bound them, and one must not hide another.
 */
export const floodLimit = { count: 10, withinMs: 3_600_000 };
const batchSize = 50;

const untoldStatement = {
  name: 'notices.untold',
  text: `
SELECT n.id, n.kind, n.tenant_id AS "tenantId", n.subject, n.detail, t.mode, t.merchant_id AS "merchantId"
FROM notices n LEFT JOIN tenants t ON t.id = n.tenant_id
WHERE n.told_at IS NULL ORDER BY n.id LIMIT $1`,
};

/** One process at a time assigns recipients: two could not count a flood. */
const lockStatement = { text: 'SELECT pg_try_advisory_xact_lock(2053729634, 30) AS locked' };

/**
 * Decides who hears of what was written since: a row for each person, and what the company's webhook gets.
 * @returns how many notices there were
 */
export function tellNotices(dependencies: TellDependencies): Promise<number> {
  return dependencies.database.transaction(async (transaction) => {
    if (!(await takeTurn(transaction))) return 0;
    const untold = await transaction.query<Untold>(untoldStatement, [batchSize]);
    for (const notice of untold) await tell(transaction, dependencies, notice);
    return untold.length;
  });
}

/** False where another process is at it, until the transaction ends. */
export async function takeTurn(transaction: Queryable): Promise<boolean> {
  return (await transaction.query<{ locked: boolean }>(lockStatement))[0]!.locked;
}

async function tell(transaction: Queryable, dependencies: TellDependencies, notice: Untold) {
  const nowMs = dependencies.clock.nowMs();
  const { merchant, staff } = rolesFor(notice);
  const isReal = notice.mode !== 'test';
  const mailDueAtMs = dependencies.hasMail && isReal ? nowMs + dependencies.mailDelayMs : null;
  const toMerchant = notice.merchantId !== null && merchant.length > 0;
  const toStaff = isReal && staff.length > 0;
  const isToldThere = toMerchant && !(await countsOnly(transaction, 'MERCHANT', notice, nowMs));
  const isToldHere = toStaff && !(await countsOnly(transaction, 'STAFF', notice, nowMs));
  if (isToldThere) await addRecipients(transaction, 'MERCHANT', notice, merchant, mailDueAtMs);
  if (isToldHere) await addRecipients(transaction, 'STAFF', notice, staff, mailDueAtMs);
  const at = (isSo: boolean) => timestamp(isSo ? nowMs : null);
  const text = `
UPDATE notices SET told_at = $2, merchant_told_at = $3, staff_told_at = $4, post_due_at = $5 WHERE id = $1`;
  const isPosted = isToldHere && dependencies.hasWebhook;
  const values = [notice.id, at(true), at(isToldThere), at(isToldHere), at(isPosted)];
  await transaction.query({ name: 'notices.told', text }, values);
}

const floodStatement = (place: Place) => {
  const [at, more] =
    place === 'STAFF' ? ['staff_told_at', 'staff_more'] : ['merchant_told_at', 'merchant_more'];
  return {
    name: `notices.flood_${place.toLowerCase()}`,
    text: `
WITH told AS MATERIALIZED (
  SELECT n.id, n.${at} AS at FROM notices n
  WHERE n.kind = $1 AND n.${at} > $2${place === 'STAFF' ? '' : ' AND n.tenant_id = $4'}
  ORDER BY n.${at} DESC LIMIT $3
)
UPDATE notices n SET ${more} = n.${more} + 1
WHERE n.id = (SELECT id FROM told ORDER BY at DESC, id DESC LIMIT 1) AND (SELECT count(*) FROM told) >= $3
RETURNING n.id`,
  };
};
const floodStatements = { MERCHANT: floodStatement('MERCHANT'), STAFF: floodStatement('STAFF') };

/** Where too many of a kind were told within the hour, one more is counted in the last of them. */
async function countsOnly(
  transaction: Queryable,
  place: Place,
  { kind, tenantId }: Untold,
  nowMs: number,
): Promise<boolean> {
  if (kind === 'ALERT') return false;
  const sinceMs = nowMs - floodLimit.withinMs;
  const values = [kind, timestamp(sinceMs), floodLimit.count];
  const all = place === 'STAFF' ? values : [...values, tenantId];
  return (await transaction.query(floodStatements[place], all)).length > 0;
}

/** Whoever asked for an approval hears nothing of it, by their account and by their mailbox. */
const isNotWhoAsked = `NOT EXISTS (
    SELECT FROM approvals a
    WHERE a.tenant_id = n.tenant_id AND a.id = CASE n.kind WHEN 'APPROVAL_ASKED' THEN n.subject::uuid END
      AND (a.asked_by = p.id OR a.asked_mailbox = ${mailbox('p.email')}))`;

const recipientsStatement = (place: Place) => ({
  name: `notices.recipients_${place.toLowerCase()}`,
  text: `
INSERT INTO notice_recipients (person_id, place, notice_id, tenant_id, kind, mail_due_at)
SELECT p.id, '${place}', n.id, n.tenant_id, n.kind,
  CASE WHEN ${choiceSql('n.kind')} IN ('MAIL', 'MAIL_ALWAYS') THEN $3::timestamptz END
FROM notices n
JOIN ${place === 'STAFF' ? 'staff m ON true' : 'tenants t ON t.id = n.tenant_id JOIN memberships m ON m.merchant_id = t.merchant_id'}
JOIN people p ON p.id = m.person_id AND p.disabled_at IS NULL
LEFT JOIN notice_settings s ON s.person_id = p.id
WHERE n.id = $1 AND m.role = ANY ($2::text[]) AND ${choiceSql('n.kind')} <> 'NOTHING'
  AND ${isNotWhoAsked}
ON CONFLICT DO NOTHING`,
});
const recipientsStatements = {
  MERCHANT: recipientsStatement('MERCHANT'),
  STAFF: recipientsStatement('STAFF'),
};

async function addRecipients(
  transaction: Queryable,
  place: Place,
  { id }: Untold,
  roles: readonly string[],
  mailDueAtMs: number | null,
): Promise<void> {
  const values = [id, roles, timestamp(mailDueAtMs)];
  await transaction.query(recipientsStatements[place], values);
}
