import type { Logger } from 'pino';
import { Poller } from '../../platform/jobs/poller.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { type AssignRecipientsDependencies, assignRecipients } from './assign-recipients.ts';
import { type BatchMailsDependencies, batchMails } from './batch-mails.ts';
import { deleteOldNotices } from './delete-old-notices.ts';
import { detectFaults } from './detect-faults.ts';
import { type DetectLowFloatsDependencies, detectLowFloats } from './detect-low-floats.ts';
import { endNotices } from './end-notices.ts';
import { findPendingWork } from './pending-work.ts';
import { type SendMailsDependencies, sendMails } from './send-mails.ts';
import { type SendWebhooksDependencies, sendNoticeWebhooks } from './send-webhooks.ts';

export interface NoticeWorkersDependencies
  extends AssignRecipientsDependencies,
    BatchMailsDependencies,
    DetectLowFloatsDependencies {
  clock: Clock;
  log: Logger;
  /** How often the worker looks for faults, and for notices that have ended. */
  noticeLookMs: number;
  /** Undefined without a mail server. */
  mail: Omit<SendMailsDependencies, 'database' | 'clock' | 'log'> | undefined;
  /** Undefined without NOTICE_WEBHOOK_URL. */
  post: Omit<SendWebhooksDependencies, 'database' | 'clock' | 'log'> | undefined;
}

const soon = { minIntervalMs: 1_000, maxIntervalMs: 5_000 };
/** The interval between batches of five mails: at most five mails a second reach the mail server. */
const mailIntervalMs = 1_000;
/** The interval between questions to operators; a notice ends when nobody saw its cause for five minutes. */
const floatIntervalMs = 120_000;
const hourMs = 3_600_000;

/** Makes the workers that detect faults, assign recipients, send mails and webhooks, and delete old notices. */
export function noticeWorkers(dependencies: NoticeWorkersDependencies): Poller[] {
  const { database, clock, log, noticeLookMs, mail, post } = dependencies;
  const each = (ms: number) => ({ minIntervalMs: ms, maxIntervalMs: ms });
  const poller = (name: string, claim: () => Promise<number>, intervals = soon) =>
    new Poller({ name, clock, log, claim, ...intervals });
  const look = async () => {
    await detectFaults(dependencies);
    await endNotices(database, clock.nowMs());
    return 0;
  };
  const askBalances = async () => {
    await detectLowFloats(dependencies);
    return 0;
  };
  const tell = async () => {
    const waiting = await findPendingWork(database, clock.nowMs());
    const assigned = waiting.isUnassigned ? await assignRecipients(dependencies) : 0;
    return assigned + (waiting.isMailDue ? await batchMails(dependencies) : 0);
  };
  const deliver = async (given: NonNullable<typeof mail>) => {
    await sendMails({ ...dependencies, ...given });
    return 0;
  };
  return [
    poller('states of notices', look, each(noticeLookMs)),
    poller('balances at operators', askBalances, each(floatIntervalMs)),
    poller('notices', tell),
    ...(mail ? [poller('mails', () => deliver(mail), each(mailIntervalMs))] : []),
    ...(post
      ? [poller('posts of notices', () => sendNoticeWebhooks({ ...dependencies, ...post }))]
      : []),
    poller('old notices', () => deleteOldNotices(database, clock.nowMs()), {
      minIntervalMs: hourMs,
      maxIntervalMs: hourMs,
    }),
  ];
}
