import type { Logger } from 'pino';
import { Poller } from '../../platform/jobs/poller.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { type TellDependencies, tellNotices } from './assign-recipients.ts';
import { type GatherDependencies, gatherMails } from './batch-mails.ts';
import { type ObserveDependencies, observe } from './detect-faults.ts';
import { endNotices } from './end-notices.ts';
import { waitingNow } from './pending-work.ts';
import { type DeliverDependencies, deliverMails } from './send-mails.ts';
import { type PostDependencies, postNotices } from './send-webhooks.ts';
import { sweepNotices } from './sweep.ts';

export interface NoticeWorkDependencies
  extends TellDependencies,
    GatherDependencies,
    ObserveDependencies {
  clock: Clock;
  log: Logger;
  /** Between two looks at what is observed, and at what has ended. */
  noticeLookMs: number;
  /** Undefined without a mail server. */
  mail: Omit<DeliverDependencies, 'database' | 'clock' | 'log'> | undefined;
  /** Undefined without NOTICE_WEBHOOK_URL. */
  post: Omit<PostDependencies, 'database' | 'clock' | 'log'> | undefined;
}

const soon = { minIntervalMs: 1_000, maxIntervalMs: 5_000 };
/** Between two looks at the queue of mails: so no more than five a second go to the mail server. */
const mailIntervalMs = 1_000;
const hourMs = 3_600_000;

/** Observes, tells, mails, posts and forgets. */
export function noticeWorkers(dependencies: NoticeWorkDependencies): Poller[] {
  const { database, clock, log, noticeLookMs, mail, post } = dependencies;
  const each = (ms: number) => ({ minIntervalMs: ms, maxIntervalMs: ms });
  const poller = (name: string, claim: () => Promise<number>, intervals = soon) =>
    new Poller({ name, clock, log, claim, ...intervals });
  const look = async () => {
    await observe(dependencies);
    await endNotices(database, clock.nowMs());
    return 0;
  };
  const tell = async () => {
    const waiting = await waitingNow(database, clock.nowMs());
    const told = waiting.isUntold ? await tellNotices(dependencies) : 0;
    return told + (waiting.isMailDue ? await gatherMails(dependencies) : 0);
  };
  const deliver = async (given: NonNullable<typeof mail>) => {
    await deliverMails({ ...dependencies, ...given });
    return 0;
  };
  return [
    poller('states of notices', look, each(noticeLookMs)),
    poller('notices', tell),
    ...(mail ? [poller('mails', () => deliver(mail), each(mailIntervalMs))] : []),
    ...(post ? [poller('posts of notices', () => postNotices({ ...dependencies, ...post }))] : []),
    poller('old notices', () => sweepNotices(database, clock.nowMs()), {
      minIntervalMs: hourMs,
      maxIntervalMs: hourMs,
    }),
  ];
}
