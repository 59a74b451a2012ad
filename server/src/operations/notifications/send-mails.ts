import type { Logger } from 'pino';
import { type Mailer, type MailResult, mailTimeoutMs } from '../../integrations/mail/send.ts';
import { backoffMs } from '../../platform/jobs/backoff.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { StaffAddress } from './links.ts';
import {
  type LeasedMail,
  leaseDueMails,
  type MailEnd,
  type MailedNotice,
  noticesOfMail,
  recordMailResult,
} from './mail-store.ts';
import { isWanted, noticeMail } from './notice-mail.ts';
import { quietUntilMs } from './quiet-hours.ts';
import { choiceOf, settingsIn } from './settings.ts';

export interface SendMailsDependencies extends StaffAddress {
  database: Database;
  clock: Clock;
  log: Pick<Logger, 'warn'>;
  mailer: Mailer;
  /** The time zone in mails to people who have chosen none. */
  timeZone: string;
  onMail: (outcome: 'sent' | 'dropped' | 'refused' | 'later') => void;
}

/** How long and how often a mail is retried, in milliseconds. */
export const mailTimes = {
  triedMs: 3 * 86_400_000,
  firstPauseMs: 60_000,
  longestPauseMs: 3_600_000,
  /** Longer than sending all mails of one batch can take. */
  leaseMs: 10 * mailTimeoutMs,
};

/** The batch size: the mails go one after the other under one lease. */
const mailsAtOnce = 5;

/** Sends due mails, one after the other. @returns their number */
export async function sendMails(dependencies: SendMailsDependencies): Promise<number> {
  const { database, clock } = dependencies;
  const nowMs = clock.nowMs();
  const mails = await leaseDueMails(database, nowMs, nowMs + mailTimes.leaseMs, mailsAtOnce);
  for (const mail of mails) {
    const end = await send(dependencies, mail);
    await recordMailResult(database, mail, end, clock.nowMs());
  }
  return mails.length;
}

async function send(dependencies: SendMailsDependencies, mail: LeasedMail): Promise<MailEnd> {
  const { database, clock, mailer, onMail } = dependencies;
  const notices = (await noticesOfMail(database, mail.id)).filter(isWanted);
  const distinct = notices.filter(
    (notice, index) =>
      notices.findIndex(
        (other) => other.kind === notice.kind && other.subject === notice.subject,
      ) === index,
  );
  const [first] = distinct;
  if (first === undefined) {
    onMail('dropped');
    return { status: 'DROPPED' };
  }
  const heldUntilMs = quietEndOf(distinct, clock.nowMs());
  if (heldUntilMs !== undefined) {
    return { status: 'PENDING', dueAtMs: heldUntilMs, isUncertain: mail.tries > 1, error: null };
  }
  const result = await mailer.send({
    ...noticeMail(distinct, dependencies),
    to: first.email,
    id: mail.id,
    atMs: mail.createdAtMs,
  });
  return endOf(dependencies, mail, result);
}

/** A retry also waits for the end of quiet hours. */
function quietEndOf(notices: readonly MailedNotice[], nowMs: number): number | undefined {
  const settings = settingsIn(notices[0]);
  const isUrgent = notices.some(({ kind }) => choiceOf(settings, kind) === 'MAIL_ALWAYS');
  return isUrgent ? undefined : quietUntilMs(settings.quiet, nowMs);
}

function endOf(
  { clock, log, onMail }: SendMailsDependencies,
  { id, tries, createdAtMs }: LeasedMail,
  result: MailResult,
): MailEnd {
  if (result.kind === 'SENT') {
    onMail('sent');
    return { status: 'SENT' };
  }
  const { error } = result;
  const nowMs = clock.nowMs();
  const pauseMs = backoffMs(tries - 1, mailTimes.firstPauseMs, mailTimes.longestPauseMs);
  if (result.kind === 'REFUSED' || nowMs + pauseMs > createdAtMs + mailTimes.triedMs) {
    onMail('refused');
    log.warn({ mail: id, tries }, 'giving up on a mail that could not be sent');
    return { status: 'FAILED', error };
  }
  onMail('later');
  log.warn({ mail: id, tries }, 'a mail could not be sent and will be retried');
  const isUncertain = result.kind === 'UNKNOWN';
  return { status: 'PENDING', dueAtMs: nowMs + pauseMs, isUncertain, error };
}
