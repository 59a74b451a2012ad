import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { NoticeWebhook } from '../config/notice-variables.ts';
import { formatId } from '../ids.ts';
import type { Mailer } from '../mail/send.ts';
import { databaseWords } from '../notifying/alert-words.ts';
import { rolesFor } from '../notifying/audience.ts';
import { choiceSql } from '../notifying/settings.ts';
import { outageOf } from '../observability/outage.ts';
import type { Language } from '../people/person.ts';
import type { Database } from '../postgres/database.ts';
import { rowsQuery } from '../postgres/query.ts';
import type { Sender } from '../webhooks/send.ts';
import { deliveryHeaders } from '../webhooks/signature.ts';

export interface DatabaseWatchDependencies {
  database: Database;
  /** One that nobody sets: the database's own is not asked. */
  monotonicClock: Clock;
  wallClock: Clock;
  log: Pick<Logger, 'warn'>;
  consoleUrl: string;
  /** Undefined where there is none of it. */
  mailer: Mailer | undefined;
  post: { webhook: NoticeWebhook; sender: Pick<Sender, 'send'> } | undefined;
}

/** How long it must not answer: as the rule ZimboDatabaseFiguresMissing. */
export const downMs = 5 * 60_000;
const refreshMs = 10 * 60_000;

interface Listener {
  email: string;
  language: Language;
}

/** Staff who want mail of alerts; read while the database still answers. */
const findListeners = rowsQuery<Listener, [roles: readonly string[]]>({
  name: 'alerts.listeners',
  text: `
SELECT p.email, p.language FROM staff m
JOIN people p ON p.id = m.person_id AND p.disabled_at IS NULL
LEFT JOIN notice_settings s ON s.person_id = p.id
WHERE m.role = ANY ($1::text[]) AND ${choiceSql(`'ALERT'`)} IN ('MAIL', 'MAIL_ALWAYS')
ORDER BY p.id LIMIT 50`,
});

/** Tells of an outage of the database without it: once when it lasts, and once when it is over. */
export class DatabaseWatch {
  readonly #dependencies: DatabaseWatchDependencies;
  #listeners: readonly Listener[] = [];
  #refreshedMs = -Infinity;
  #outage = { sinceMs: 0, id: '', told: new Set<string>() };
  #isDown = false;

  constructor(dependencies: DatabaseWatchDependencies) {
    this.#dependencies = dependencies;
  }

  /** Something was answered. */
  async answered(): Promise<void> {
    const { database, monotonicClock } = this.#dependencies;
    const nowMs = monotonicClock.nowMs();
    if (this.#isDown) {
      this.#isDown = false;
      await this.#tell(true);
    }
    if (nowMs - this.#refreshedMs < refreshMs) return;
    this.#refreshedMs = nowMs;
    this.#listeners = await findListeners(database, rolesFor({ kind: 'ALERT', detail: {} }).staff);
  }

  /** @param error of a look at the rules; what says nothing of the database is none of ours */
  async failed(error: unknown): Promise<void> {
    if (outageOf(error) === undefined) return;
    const nowMs = this.#dependencies.monotonicClock.nowMs();
    if (!this.#isDown) this.#outage = { sinceMs: nowMs, id: randomUUID(), told: new Set() };
    this.#isDown = true;
    if (nowMs - this.#outage.sinceMs >= downMs) await this.#tell(false);
  }

  /** Whoever could not be told is tried again at the next look; of the end hears who had heard of it. */
  async #tell(isOver: boolean): Promise<void> {
    const { mailer, post, log } = this.#dependencies;
    const { told } = this.#outage;
    const isDue = (who: string) => told.has(who) === isOver;
    const ways = [
      ...(mailer ? this.#listeners : []).map((listener) => ({
        who: listener.email,
        send: () => this.#mail(mailer!, listener, isOver),
      })),
      ...(post ? [{ who: post.webhook.url, send: () => this.#post(post, isOver) }] : []),
    ];
    for (const { who, send } of ways.filter((way) => isDue(way.who))) {
      if (await send()) told.add(who);
      else log.warn('an outage of the database could not be told');
    }
  }

  async #mail(mailer: Mailer, { email, language }: Listener, isOver: boolean): Promise<boolean> {
    const { consoleUrl, wallClock } = this.#dependencies;
    const { title, text, look } = databaseWords(language, isOver);
    const link = { label: look, url: `${consoleUrl}/console/staff/doctor` };
    const mail = { to: email, id: randomUUID(), atMs: wallClock.nowMs(), subject: title, language };
    return (await mailer.send({ ...mail, parts: [{ title, text, link }] })).kind === 'SENT';
  }

  async #post(
    { webhook, sender }: NonNullable<DatabaseWatchDependencies['post']>,
    isOver: boolean,
  ): Promise<boolean> {
    const { wallClock } = this.#dependencies;
    const { url, secret } = webhook;
    const eventId = randomUUID();
    const body = JSON.stringify({ id: formatId('evt', eventId), ...this.#event(isOver) });
    const timestampSeconds = Math.floor(wallClock.nowMs() / 1_000);
    const sequence = isOver ? 2 : 1;
    const headers = deliveryHeaders({ secret, eventId, sequence, timestampSeconds, body });
    const mode = url.startsWith('https:') ? 'live' : 'test';
    return (await sender.send({ endpointId: this.#outage.id, url, mode, headers, body })).delivered;
  }

  /** As the notices that the database holds. */
  #event(isOver: boolean) {
    const { consoleUrl, wallClock, monotonicClock } = this.#dependencies;
    const { title, text } = databaseWords('en', isOver);
    const nowMs = wallClock.nowMs();
    const sinceMs = nowMs - (monotonicClock.nowMs() - this.#outage.sinceMs);
    const notice = {
      id: formatId('no', this.#outage.id),
      version: isOver ? 2 : 1,
      kind: 'ALERT',
      title,
      text,
      detail: { alert: 'DatabaseFiguresMissing', of: '' },
      merchantId: null,
      at: new Date(sinceMs).toISOString(),
      endedAt: isOver ? new Date(nowMs).toISOString() : null,
      more: 0,
      url: `${consoleUrl}/console/staff/doctor`,
    };
    return { type: isOver ? 'notice.over' : 'notice.on', data: { notice } };
  }
}
