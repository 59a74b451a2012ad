import type { Logger } from 'pino';
import { nextAttemptDelayMs } from '../../integrations/webhooks/retry.ts';
import type { Sender } from '../../integrations/webhooks/send.ts';
import { deliveryHeaders } from '../../integrations/webhooks/signature.ts';
import type { NoticeWebhook } from '../../platform/config/notice-variables.ts';
import { isMoment } from '../../platform/notices/notice.ts';
import { type Database, timestamp } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { derivedUuid, formatId } from '../../platform/values/ids.ts';
import type { StaffAddress } from './links.ts';
import { noticeView, type StaffNotice, staffNoticeColumns } from './view.ts';

export interface PostDependencies extends StaffAddress {
  database: Database;
  clock: Clock;
  /** Receivers compare signatures with a clock of their own. */
  wallClock: Clock;
  log: Pick<Logger, 'warn'>;
  sender: Pick<Sender, 'send'>;
  webhook: NoticeWebhook;
  /** From 0 to 1, for the spread of the intervals. */
  random: () => number;
}

/** A notice whose newest version the company does not have, under a lease. */
interface Due extends StaffNotice {
  failures: number;
  leaseMs: number;
}

/** Longer than all that are taken at once may take: each may take 15 s. */
const leaseLengthMs = 120_000;
const postsAtOnce = 5;

const dueStatement = {
  name: 'notices.post_due',
  text: `
SELECT id, post_due_at AS "dueAtMs" FROM notices
WHERE post_due_at <= $1 ORDER BY post_due_at LIMIT $2`,
};

const takeStatement = {
  name: 'notices.post_take',
  text: `
WITH taken AS (
  UPDATE notices SET post_due_at = $3 WHERE id = $1 AND post_due_at = $2 RETURNING *
)
SELECT ${staffNoticeColumns}, n.post_failures AS failures, n.post_due_at AS "leaseMs"
FROM taken n LEFT JOIN tenants t ON t.id = n.tenant_id`,
};

/** Tells the company of notices that are new or have changed. @returns how many there were */
export async function postNotices(dependencies: PostDependencies): Promise<number> {
  const { database, clock } = dependencies;
  const nowMs = clock.nowMs();
  type Found = { id: string; dueAtMs: number };
  const due = await database.query<Found>(dueStatement, [timestamp(nowMs), postsAtOnce]);
  for (const { id, dueAtMs } of due) {
    const values = [id, timestamp(dueAtMs), timestamp(nowMs + leaseLengthMs)];
    const [notice] = await database.query<Due>(takeStatement, values);
    if (notice) await post(dependencies, notice);
  }
  return due.length;
}

async function post(dependencies: PostDependencies, notice: Due): Promise<void> {
  const { webhook, wallClock, sender, clock, log } = dependencies;
  const body = JSON.stringify(bodyOf(notice, dependencies));
  const headers = deliveryHeaders({
    secret: webhook.secret,
    eventId: messageIdOf(notice, dependencies),
    sequence: notice.version,
    timestampSeconds: Math.floor(wallClock.nowMs() / 1_000),
    body,
  });
  const { url } = webhook;
  // As with merchants' endpoints, https alone is sent to in live mode.
  const mode = url.startsWith('https:') ? 'live' : 'test';
  const result = await sender.send({
    tenantId: null,
    endpointId: notice.id,
    url,
    mode,
    headers,
    body,
  });
  if (result.delivered) return record(dependencies, notice, 'POSTED');
  const delayMs = nextAttemptDelayMs(
    notice.failures + 1,
    dependencies.random(),
    result.retryAfterMs,
  );
  const next = delayMs === undefined ? 'GIVEN_UP' : clock.nowMs() + delayMs;
  const { error, statusCode } = result;
  log.warn(
    { notice: formatId('no', notice.id), error, statusCode },
    'a notice was not taken by NOTICE_WEBHOOK_URL',
  );
  await record(dependencies, notice, next);
}

/**
 * The same version of a notice has the same, however often it is sent. Two cells may see the same in the same
 * millisecond, and both are to be heard.
 */
const messageIdOf = ({ id, version }: Due, { cell }: StaffAddress) =>
  derivedUuid(id, `version ${version}${cell === undefined ? '' : ` of ${cell}`}`);

function bodyOf(notice: Due, address: StaffAddress) {
  const isOver = notice.endedAtMs !== null && !isMoment(notice.kind);
  return {
    id: formatId('evt', messageIdOf(notice, address)),
    type: isOver ? 'notice.over' : 'notice.on',
    data: { notice: noticeView({ ...notice, cell: address.cell }, address) },
  };
}

/* What has changed meanwhile is due at once, and what was set to another instant stays so. */
const recordStatement = {
  name: 'notices.post_record',
  text: `
UPDATE notices SET
  posted_version = CASE WHEN $3 THEN $4 ELSE posted_version END,
  post_failures = CASE WHEN $3 OR version > $4 THEN 0 ELSE post_failures + 1 END,
  post_due_at = CASE WHEN version > $4 AND $3 THEN $5::timestamptz WHEN post_due_at = $2 THEN $6 ELSE post_due_at END
WHERE id = $1`,
};

async function record(
  { database, clock }: PostDependencies,
  { id, leaseMs, version }: Due,
  end: 'POSTED' | 'GIVEN_UP' | number,
): Promise<void> {
  const dueAtMs = typeof end === 'number' ? end : null;
  const isPosted = end === 'POSTED';
  const times = [timestamp(clock.nowMs()), timestamp(dueAtMs)];
  await database.query(recordStatement, [id, timestamp(leaseMs), isPosted, version, ...times]);
}
