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
import { databaseWords } from '../notifying/alerts.words.ts';
import { rolesFor } from '../notifying/audience.ts';
import type { StaffAddress } from '../notifying/links.ts';
import { choiceSql } from '../notifying/settings.ts';

export interface DatabaseWatchDependencies extends StaffAddress {
  database: Database;
  /** One that nobody sets: the database's own is not asked. */
  monotonicClock: Clock;
  wallClock: Clock;
  log: Pick<Logger, 'warn'>;
  /** Undefined where there is none of it. */
  mailer: Mailer | undefined;
  post: { webhook: NoticeWebhook; sender: Pick<Sender, 'send'> } | undefined;
}

/** How long it must not answer: as the rule ZimboDatabaseFiguresMissing. */
export const downMs = 5 * 60_000;
const refreshMs = 10 * 60_000;
/** So long an end that cannot be told is tried again. */
const endTriedMs = 3 * 86_400_000;

interface Listener {
  email: string;
  language: Language;
}

interface Way {
  who: string;
  /** False: try again. */
  send: () => Promise<boolean>;
}

/** Instants are of the clock that somebody may set, so that each try says the same. */
interface Outage {
  id: string;
  /** By the clock that nobody sets. */
  sinceMs: number;
  beganAtMs: number;
  /** Null: it goes on. */
  endedAtMs: number | null;
  /** Who has heard of it, and not yet of its end. */
  told: Set<string>;
}

/** The same outage, or its end, has the same for the same receiver, however often it is sent. */
const messageIdOf = (outage: Outage, who: string) =>
  derivedUuid(outage.id, `version ${versionOf(outage)} to ${who}`);

const versionOf = ({ endedAtMs }: Outage) => (endedAtMs === null ? 1 : 2);

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
  #outage: Outage | undefined;
  /** Those whose end somebody has yet to hear of. */
  #ended: Outage[] = [];

  constructor(dependencies: DatabaseWatchDependencies) {
    this.#dependencies = dependencies;
  }

  /** Something was answered. */
  async answered(): Promise<void> {
    const { database, monotonicClock } = this.#dependencies;
    const nowMs = monotonicClock.nowMs();
    if (this.#outage) {
      this.#ended.push({ ...this.#outage, endedAtMs: this.#dependencies.wallClock.nowMs() });
      this.#outage = undefined;
    }
    await this.#tellEnds();
    if (nowMs - this.#refreshedMs < refreshMs) return;
    this.#refreshedMs = nowMs;
    this.#listeners = await findListeners(database, rolesFor({ kind: 'ALERT', detail: {} }).staff);
  }

  /** @param error of a look at the rules; what says nothing of the database is none of ours */
  async failed(error: unknown): Promise<void> {
    if (outageOf(error) === undefined) return;
    const { monotonicClock, wallClock } = this.#dependencies;
    const sinceMs = monotonicClock.nowMs();
    const begun = { id: randomUUID(), sinceMs, beganAtMs: wallClock.nowMs(), endedAtMs: null };
    this.#outage ??= { ...begun, told: new Set() };
    if (sinceMs - this.#outage.sinceMs >= downMs) await this.#tell(this.#outage);
  }

  /** Those who heard of an outage hear of its end, at a later look if need be. */
  async #tellEnds(): Promise<void> {
    for (const outage of this.#ended) await this.#tell(outage);
    const untilMs = this.#dependencies.wallClock.nowMs() - endTriedMs;
    this.#ended = this.#ended.filter(
      (outage) => outage.endedAtMs! > untilMs && this.#untold(outage).length > 0,
    );
  }

  /** Whoever could not be told is tried again at the next look. At once: it waits for the slowest alone. */
  async #tell(outage: Outage): Promise<void> {
    const tell = async ({ who, send }: Way) => {
      if (!(await send()))
        this.#dependencies.log.warn('an outage of the database could not be told');
      else if (outage.endedAtMs === null) outage.told.add(who);
      else outage.told.delete(who);
    };
    await Promise.all(this.#untold(outage).map(tell));
  }

  /** The ways to whoever has yet to hear of it; of an end those who had heard of the outage. */
  #untold(outage: Outage): Way[] {
    const { mailer, post } = this.#dependencies;
    const isOver = outage.endedAtMs !== null;
    const ways = [
      ...(mailer ? this.#listeners : []).map((listener) => ({
        who: listener.email,
        send: () => this.#mail(mailer!, listener, outage),
      })),
      ...(post ? [{ who: post.webhook.url, send: () => this.#post(post, outage) }] : []),
    ];
    return ways.filter(({ who }) => outage.told.has(who) === isOver);
  }

  async #mail(mailer: Mailer, { email, language }: Listener, outage: Outage): Promise<boolean> {
    const { consoleUrl, staffFolder, wallClock, cell } = this.#dependencies;
    const { title, text, look } = databaseWords(language, outage.endedAtMs !== null, cell);
    const link = { label: look, url: `${consoleUrl}${staffFolder}/doctor` };
    const id = messageIdOf(outage, email);
    const mail = { to: email, id, atMs: wallClock.nowMs(), subject: title, language };
    return (await mailer.send({ ...mail, parts: [{ title, text, link }] })).kind === 'SENT';
  }

  async #post(
    { webhook, sender }: NonNullable<DatabaseWatchDependencies['post']>,
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

  /** As the notices that the database holds. */
  #event(outage: Outage) {
    const { consoleUrl, staffFolder, cell } = this.#dependencies;
    const { id, beganAtMs, endedAtMs } = outage;
    const isOver = endedAtMs !== null;
    const { title, text } = databaseWords('en', isOver, cell);
    const notice = {
      id: formatId('no', id),
      version: versionOf(outage),
      kind: 'ALERT',
      title,
      text,
      detail: { alert: 'DatabaseFiguresMissing', of: '' },
      merchantId: null,
      at: new Date(beganAtMs).toISOString(),
      endedAt: isOver ? new Date(endedAtMs).toISOString() : null,
      more: 0,
      url: `${consoleUrl}${staffFolder}/doctor`,
      ...(cell !== undefined && { cell }),
    };
    return { type: isOver ? 'notice.over' : 'notice.on', data: { notice } };
  }
}
