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
import { noticeView, type StaffNotice, staffNoticeColumns } from './notice-view.ts';

export interface SendWebhooksDependencies extends StaffAddress {
  database: Database;
  clock: Clock;
  /** For the timestamps of signatures, which receivers compare with their own clock. */
  wallClock: Clock;
  log: Pick<Logger, 'warn'>;
  sender: Pick<Sender, 'send'>;
  webhook: NoticeWebhook;
  /** Returns 0 to 1, to spread the retry intervals. */
  random: () => number;
}

/** A notice under a lease, whose newest version the company's webhook has not accepted yet. */
interface Due extends StaffNotice {
  failures: number;
  leaseMs: number;
}

/** Longer than one batch can take, at up to 15 s for each request. */
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

/** Sends new and changed notices to the company's webhook. @returns their number */
export async function sendNoticeWebhooks(dependencies: SendWebhooksDependencies): Promise<number> {
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

async function post(dependencies: SendWebhooksDependencies, notice: Due): Promise<void> {
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
  // As for merchants' endpoints, live mode requires https.
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
    'NOTICE_WEBHOOK_URL did not accept a notice',
  );
  await record(dependencies, notice, next);
}

/**
 * Each version of a notice keeps its id through all retries. The cell is part of the id, since two cells may report the
 * same condition in the same millisecond.
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

/* A version written meanwhile is due at once; a due time that another process set stays. */
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
  { database, clock }: SendWebhooksDependencies,
  { id, leaseMs, version }: Due,
  end: 'POSTED' | 'GIVEN_UP' | number,
): Promise<void> {
  const dueAtMs = typeof end === 'number' ? end : null;
  const isPosted = end === 'POSTED';
  const times = [timestamp(clock.nowMs()), timestamp(dueAtMs)];
  await database.query(recordStatement, [id, timestamp(leaseMs), isPosted, version, ...times]);
}
