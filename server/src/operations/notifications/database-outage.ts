import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Mailer } from '../../integrations/mail/send.ts';
import type { Sender } from '../../integrations/webhooks/send.ts';
import { deliveryHeaders } from '../../integrations/webhooks/signature.ts';
import type { NoticeWebhook } from '../../platform/config/notice-variables.ts';
import { outageOf } from '../../platform/observability/outage.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { rowsQuery } from '../../platform/postgres/query.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { derivedUuid, formatId } from '../../platform/values/ids.ts';
import type { Language } from '../../tenants/people/person.ts';
import { databaseWords } from './alerts.words.ts';
import { rolesFor } from './audience.ts';
import type { StaffAddress } from './links.ts';
import { choiceSql } from './settings.ts';

export interface DatabaseOutageDependencies extends StaffAddress {
  database: Database;
  /** Independent of the database's clock, which is unavailable during an outage. */
  monotonicClock: Clock;
  wallClock: Clock;
  log: Pick<Logger, 'warn'>;
  /** Undefined without SMTP_URL. */
  mailer: Mailer | undefined;
  post: { webhook: NoticeWebhook; sender: Pick<Sender, 'send'> } | undefined;
}

/** How long the database must be down before the watch reports: as the rule ZimboDatabaseFiguresMissing. */
export const downMs = 5 * 60_000;
const refreshMs = 10 * 60_000;
/** How long the watch retries a report of the end that nobody accepted. */
const endRetryMs = 3 * 86_400_000;

interface Recipient {
  email: string;
  language: Language;
}

interface Channel {
  who: string;
  /** Returns false if the report must be retried. */
  send: () => Promise<boolean>;
}

/** Times come from the wall clock, read once, so that each retry reports the same. */
interface Outage {
  id: string;
  /** By the monotonic clock. */
  sinceMs: number;
  beganAtMs: number;
  /** Null while the outage lasts. */
  endedAtMs: number | null;
  /** The recipients of the report of the outage who have not received its end yet. */
  notified: Set<string>;
}

/** Derived from the outage and the recipient, so that retries carry the same id. */
const messageIdOf = (outage: Outage, who: string) =>
  derivedUuid(outage.id, `version ${versionOf(outage)} to ${who}`);

const versionOf = ({ endedAtMs }: Outage) => (endedAtMs === null ? 1 : 2);

/** Finds the staff who want alerts by mail; read while the database still answers. */
const findMailRecipients = rowsQuery<Recipient, [roles: readonly string[]]>({
  name: 'alerts.mail_recipients',
  text: `
SELECT p.email, p.language FROM staff m
JOIN people p ON p.id = m.person_id AND p.disabled_at IS NULL
LEFT JOIN notice_settings s ON s.person_id = p.id
WHERE m.role = ANY ($1::text[]) AND ${choiceSql(`'ALERT'`)} IN ('MAIL', 'MAIL_ALWAYS')
ORDER BY p.id LIMIT 50`,
});

/** Reports an outage of the database without using the database: once when it lasts, and once when it ends. */
export class DatabaseOutageWatch {
  readonly #dependencies: DatabaseOutageDependencies;
  #mailRecipients: readonly Recipient[] = [];
  #refreshedMs = -Infinity;
  #outage: Outage | undefined;
  /** Outages whose end some recipient has not received yet. */
  #ended: Outage[] = [];

  constructor(dependencies: DatabaseOutageDependencies) {
    this.#dependencies = dependencies;
  }

  /** Records that the database answered. */
  async recordSuccess(): Promise<void> {
    const { database, monotonicClock } = this.#dependencies;
    const nowMs = monotonicClock.nowMs();
    if (this.#outage) {
      this.#ended.push({ ...this.#outage, endedAtMs: this.#dependencies.wallClock.nowMs() });
      this.#outage = undefined;
    }
    await this.#reportEnds();
    if (nowMs - this.#refreshedMs < refreshMs) return;
    this.#refreshedMs = nowMs;
    this.#mailRecipients = await findMailRecipients(
      database,
      rolesFor({ kind: 'ALERT', detail: {} }).staff,
    );
  }

  /** Records a failed evaluation of the rules. Errors that do not mean an outage of the database are ignored. */
  async recordFailure(error: unknown): Promise<void> {
    if (outageOf(error) === undefined) return;
    const { monotonicClock, wallClock } = this.#dependencies;
    const sinceMs = monotonicClock.nowMs();
    const begun = { id: randomUUID(), sinceMs, beganAtMs: wallClock.nowMs(), endedAtMs: null };
    this.#outage ??= { ...begun, notified: new Set() };
    if (sinceMs - this.#outage.sinceMs >= downMs) await this.#report(this.#outage);
  }

  /** Reports ends to those who received the outage, and retries at later evaluations. */
  async #reportEnds(): Promise<void> {
    for (const outage of this.#ended) await this.#report(outage);
    const untilMs = this.#dependencies.wallClock.nowMs() - endRetryMs;
    this.#ended = this.#ended.filter(
      (outage) => outage.endedAtMs! > untilMs && this.#pendingChannels(outage).length > 0,
    );
  }

  /** Reports to all recipients in parallel; the next evaluation retries those that failed. */
  async #report(outage: Outage): Promise<void> {
    const report = async ({ who, send }: Channel) => {
      if (!(await send()))
        this.#dependencies.log.warn('the report of a database outage was not delivered');
      else if (outage.endedAtMs === null) outage.notified.add(who);
      else outage.notified.delete(who);
    };
    await Promise.all(this.#pendingChannels(outage).map(report));
  }

  /** The channels that have not carried this report yet; for an end, only those that carried the outage. */
  #pendingChannels(outage: Outage): Channel[] {
    const { mailer, post } = this.#dependencies;
    const hasEnded = outage.endedAtMs !== null;
    const channels = [
      ...(mailer ? this.#mailRecipients : []).map((recipient) => ({
        who: recipient.email,
        send: () => this.#mail(mailer!, recipient, outage),
      })),
      ...(post ? [{ who: post.webhook.url, send: () => this.#post(post, outage) }] : []),
    ];
    return channels.filter(({ who }) => outage.notified.has(who) === hasEnded);
  }

  async #mail(mailer: Mailer, { email, language }: Recipient, outage: Outage): Promise<boolean> {
    const { consoleUrl, staffFolder, wallClock, cell } = this.#dependencies;
    const { title, text, look } = databaseWords(language, outage.endedAtMs !== null, cell);
    const link = { label: look, url: `${consoleUrl}${staffFolder}/doctor` };
    const id = messageIdOf(outage, email);
    const mail = { to: email, id, atMs: wallClock.nowMs(), subject: title, language };
    return (await mailer.send({ ...mail, parts: [{ title, text, link }] })).kind === 'SENT';
  }

  async #post(
    { webhook, sender }: NonNullable<DatabaseOutageDependencies['post']>,
    outage: Outage,
  ): Promise<boolean> {
    const { wallClock } = this.#dependencies;
    const { url, secret } = webhook;
    const eventId = messageIdOf(outage, url);
    const body = JSON.stringify({ id: formatId('evt', eventId), ...this.#event(outage) });
    const timestampSeconds = Math.floor(wallClock.nowMs() / 1_000);
    const sequence = versionOf(outage);
    const headers = deliveryHeaders({ secret, eventId, sequence, timestampSeconds, body });
    const mode = url.startsWith('https:') ? 'live' : 'test';
    const request = { tenantId: null, endpointId: outage.id, url, mode, headers, body } as const;
    return (await sender.send(request)).delivered;
  }

  /** Builds the same event as for a notice in the database. */
  #event(outage: Outage) {
    const { consoleUrl, staffFolder, cell } = this.#dependencies;
    const { id, beganAtMs, endedAtMs } = outage;
    const hasEnded = endedAtMs !== null;
    const { title, text } = databaseWords('en', hasEnded, cell);
    const notice = {
      id: formatId('no', id),
      version: versionOf(outage),
      kind: 'ALERT',
      title,
      text,
      detail: { alert: 'DatabaseFiguresMissing', of: '' },
      merchantId: null,
      at: new Date(beganAtMs).toISOString(),
      endedAt: hasEnded ? new Date(endedAtMs).toISOString() : null,
      more: 0,
      url: `${consoleUrl}${staffFolder}/doctor`,
      ...(cell !== undefined && { cell }),
    };
    return { type: hasEnded ? 'notice.over' : 'notice.on', data: { notice } };
  }
}
