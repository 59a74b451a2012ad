import { createMailer } from '../../integrations/mail/send.ts';
import type { Sender } from '../../integrations/webhooks/send.ts';
import { alertWorker } from '../../operations/notifications/alert-worker.ts';
import { noticeWorkers } from '../../operations/notifications/workers.ts';
import { monotonicClock } from '../../platform/process/clock.ts';
import type { Base } from './base.ts';

/** Composes notices to people and to the company. */
export function composeNotices(base: Base, sender: Sender) {
  const { config, metrics, wallClock, timing, staffFolder, cells } = base;
  const { consoleUrl, dailySettlement, noticeWebhook: webhook } = config;
  const address = { consoleUrl, staffFolder, cell: cells?.own };
  const mailer = config.mail && createMailer(config.mail);
  const onMail = (outcome: string) => metrics.mails.inc({ outcome });
  const mail = mailer && { mailer, ...address, timeZone: dailySettlement.timeZone, onMail };
  const post = webhook && { webhook, wallClock, sender, ...address, random: Math.random };
  const has = { hasMail: mail !== undefined, hasWebhook: post !== undefined };
  const workers = noticeWorkers({ ...base, ...timing, ...has, mail, post });
  const alerts = alertWorker({ ...base, monotonicClock, ...address, mailer, post });
  return { mailer, noticeWorkers: [...workers, alerts] };
}
