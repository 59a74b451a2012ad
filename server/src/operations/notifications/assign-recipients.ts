import type { NoticeKind } from '../../platform/notices/notice.ts';
import { type Database, type Queryable, timestamp } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { holdsSql } from '../../tenants/people/permissions.ts';
import { mailbox } from '../../tenants/people/person.ts';
import { type Place, rolesFor } from './audience.ts';
import { choiceSql } from './settings.ts';

export interface AssignRecipientsDependencies {
  database: Database;
  clock: Clock;
  /** Whether a mail server is configured. */
  hasMail: boolean;
  /** Whether NOTICE_WEBHOOK_URL is set. */
  hasWebhook: boolean;
  /** How long a notice waits for others to share its mail, in milliseconds. */
  mailDelayMs: number;
}

interface UnassignedNotice {
  id: string;
  kind: NoticeKind;
  tenantId: string | null;
  subject: string;
  detail: { approval?: string };
  /** Null: the notice concerns the whole gateway. */
  mode: 'live' | 'test' | null;
  merchantId: string | null;
}

/**
 * Per hour, each place shows this many notices of a kind and counts the rest. Alerts are exempt: their rules limit
 * them, and an alert must not hide another.
 */
export const floodLimit = { count: 10, withinMs: 3_600_000 };
const batchSize = 50;

const unassignedStatement = {
  name: 'notices.unassigned',
  text: `
SELECT n.id, n.kind, n.tenant_id AS "tenantId", n.subject, n.detail, t.mode, t.merchant_id AS "merchantId"
FROM notices n LEFT JOIN tenants t ON t.id = n.tenant_id
WHERE n.told_at IS NULL ORDER BY n.id LIMIT $1`,
};

/** One process at a time assigns recipients: two at once would miscount a flood. */
const lockStatement = { text: 'SELECT pg_try_advisory_xact_lock(2053729634, 30) AS locked' };

/**
 * Assigns each new notice to its recipients: a row for each person, and a due time for the company's webhook.
 * @returns the number of new notices
 */
export function assignRecipients(dependencies: AssignRecipientsDependencies): Promise<number> {
  return dependencies.database.transaction(async (transaction) => {
    if (!(await tryLock(transaction))) return 0;
    const unassigned = await transaction.query<UnassignedNotice>(unassignedStatement, [batchSize]);
    for (const notice of unassigned) await assign(transaction, dependencies, notice);
    return unassigned.length;
  });
}

/** Locks the assignment until the transaction ends; false if another process has the lock. */
export async function tryLock(transaction: Queryable): Promise<boolean> {
  return (await transaction.query<{ locked: boolean }>(lockStatement))[0]!.locked;
}

async function assign(
  transaction: Queryable,
  dependencies: AssignRecipientsDependencies,
  notice: UnassignedNotice,
) {
  const nowMs = dependencies.clock.nowMs();
  const { merchant, permissions, staff } = rolesFor(notice);
  const isReal = notice.mode !== 'test';
  const mailDueAtMs = dependencies.hasMail && isReal ? nowMs + dependencies.mailDelayMs : null;
  const toMerchant = notice.merchantId !== null && merchant.length > 0;
  const toStaff = isReal && staff.length > 0;
  const goesToMerchant = toMerchant && !(await countsOnly(transaction, 'MERCHANT', notice, nowMs));
  const goesToStaff = toStaff && !(await countsOnly(transaction, 'STAFF', notice, nowMs));
  if (goesToMerchant)
    await addRecipients(
      transaction,
      'MERCHANT',
      notice,
      { roles: merchant, permissions },
      mailDueAtMs,
    );
  if (goesToStaff) await addRecipients(transaction, 'STAFF', notice, { roles: staff }, mailDueAtMs);
  const at = (isSet: boolean) => timestamp(isSet ? nowMs : null);
  const text = `
UPDATE notices SET told_at = $2, merchant_told_at = $3, staff_told_at = $4, post_due_at = $5 WHERE id = $1`;
  const isPosted = goesToStaff && dependencies.hasWebhook;
  const values = [notice.id, at(true), at(goesToMerchant), at(goesToStaff), at(isPosted)];
  await transaction.query({ name: 'notices.told', text }, values);
}

const floodStatement = (place: Place) => {
  const [at, more] =
    place === 'STAFF' ? ['staff_told_at', 'staff_more'] : ['merchant_told_at', 'merchant_more'];
  return {
    name: `notices.flood_${place.toLowerCase()}`,
    text: `
WITH recent AS MATERIALIZED (
  SELECT n.id, n.${at} AS at FROM notices n
  WHERE n.kind = $1 AND n.${at} > $2${place === 'STAFF' ? '' : ' AND n.tenant_id = $4'}
  ORDER BY n.${at} DESC LIMIT $3
)
UPDATE notices n SET ${more} = n.${more} + 1
WHERE n.id = (SELECT id FROM recent ORDER BY at DESC, id DESC LIMIT 1) AND (SELECT count(*) FROM recent) >= $3
RETURNING n.id`,
  };
};
const floodStatements = { MERCHANT: floodStatement('MERCHANT'), STAFF: floodStatement('STAFF') };

/** If the place has shown enough of the kind this hour, increments the counter of the latest one and returns true. */
async function countsOnly(
  transaction: Queryable,
  place: Place,
  { kind, tenantId }: UnassignedNotice,
  nowMs: number,
): Promise<boolean> {
  if (kind === 'ALERT') return false;
  const sinceMs = nowMs - floodLimit.withinMs;
  const values = [kind, timestamp(sinceMs), floodLimit.count];
  const all = place === 'STAFF' ? values : [...values, tenantId];
  return (await transaction.query(floodStatements[place], all)).length > 0;
}

/** The requester of an approval gets no notice of the request, neither by account nor by mailbox. */
const isNotRequester = `NOT EXISTS (
    SELECT FROM approvals a
    WHERE a.tenant_id = n.tenant_id AND a.id = CASE n.kind WHEN 'APPROVAL_ASKED' THEN n.subject::uuid END
      AND (a.asked_by = p.id OR ${mailbox('a.asked_mailbox')} = ${mailbox('p.email')}))`;

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
WHERE n.id = $1 AND ${place === 'STAFF' ? 'm.role = ANY ($2::text[])' : holdsSql('$2::text[]', '$4::text[]')} AND ${choiceSql('n.kind')} <> 'NOTHING'
  AND ${isNotRequester}
ON CONFLICT DO NOTHING`,
});
const recipientsStatements = {
  MERCHANT: recipientsStatement('MERCHANT'),
  STAFF: recipientsStatement('STAFF'),
};

async function addRecipients(
  transaction: Queryable,
  place: Place,
  { id }: UnassignedNotice,
  { roles, permissions }: { roles: readonly string[]; permissions?: readonly string[] },
  mailDueAtMs: number | null,
): Promise<void> {
  const values = [id, roles, timestamp(mailDueAtMs)];
  const all = permissions === undefined ? values : [...values, permissions];
  await transaction.query(recipientsStatements[place], all);
}
