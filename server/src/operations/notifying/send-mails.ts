import type { Logger } from 'pino';
import { type Mailer, type MailResult, mailTimeoutMs } from '../../integrations/mail/send.ts';
import { backoffMs } from '../../platform/jobs/backoff.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { StaffAddress } from './links.ts';
import {
  endMail,
  type MailEnd,
  type MailedNotice,
  noticesOfMail,
  type TakenMail,
  takeMails,
} from './mail-store.ts';
import { isWanted, noticeMail } from './notice-mail.ts';
import { quietUntilMs } from './quiet-hours.ts';
import { choiceOf, settingsIn } from './settings.ts';

export interface DeliverDependencies extends StaffAddress {
  database: Database;
  clock: Clock;
  log: Pick<Logger, 'warn'>;
  mailer: Mailer;
  /** For times in mails of those who have chosen none. */
  timeZone: string;
  onMail: (outcome: 'sent' | 'dropped' | 'refused' | 'later') => void;
}

/** How long a mail is tried, and in which pauses. All in milliseconds. */
export const mailTimes = {
  triedMs: 3 * 86_400_000,
  firstPauseMs: 60_000,
  longestPauseMs: 3_600_000,
  /** Longer than all that are taken at once may take. */
  leaseMs: 10 * mailTimeoutMs,
};

/** Mails of one look: they go one after the other, and the lease holds them all. */
const mailsAtOnce = 5;

/** Sends what is due, one mail after the other. @returns how many there were */
export async function deliverMails(dependencies: DeliverDependencies): Promise<number> {
  const { database, clock } = dependencies;
  const nowMs = clock.nowMs();
  const mails = await takeMails(database, nowMs, nowMs + mailTimes.leaseMs, mailsAtOnce);
  for (const mail of mails) {
    const end = await deliver(dependencies, mail);
    await endMail(database, mail, end, clock.nowMs());
  }
  return mails.length;
}

async function deliver(dependencies: DeliverDependencies, mail: TakenMail): Promise<MailEnd> {
  const { database, clock, mailer, onMail } = dependencies;
  const notices = (await noticesOfMail(database, mail.id)).filter(isWanted);
  const once = notices.filter(
    (notice, index) =>
      notices.findIndex(
        (other) => other.kind === notice.kind && other.subject === notice.subject,
      ) === index,
  );
  const [first] = once;
  if (first === undefined) {
    onMail('dropped');
    return { status: 'DROPPED' };
  }
  const heldUntilMs = heldUntil(once, clock.nowMs());
  if (heldUntilMs !== undefined) {
    return { status: 'PENDING', dueAtMs: heldUntilMs, isUncertain: mail.tries > 1, error: null };
  }
  const result = await mailer.send({
    ...noticeMail(once, dependencies),
    to: first.email,
    id: mail.id,
    atMs: mail.createdAtMs,
  });
  return endOf(dependencies, mail, result);
}

/** A mail that has to be tried again waits for the end of quiet hours as well. */
function heldUntil(notices: readonly MailedNotice[], nowMs: number): number | undefined {
  const settings = settingsIn(notices[0]);
  const isUrgent = notices.some(({ kind }) => choiceOf(settings, kind) === 'MAIL_ALWAYS');
  return isUrgent ? undefined : quietUntilMs(settings.quiet, nowMs);
}

function endOf(
  { clock, log, onMail }: DeliverDependencies,
  { id, tries, createdAtMs }: TakenMail,
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
    log.warn({ mail: id, tries }, 'a mail could not be sent, and is given up');
    return { status: 'FAILED', error };
  }
  onMail('later');
  log.warn({ mail: id, tries }, 'a mail could not be sent, and is tried again');
  const isUncertain = result.kind === 'UNKNOWN';
  return { status: 'PENDING', dueAtMs: nowMs + pauseMs, isUncertain, error };
}
