import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import { createMailer, type Mailer } from '../../src/integrations/mail/send.ts';
import { EndpointHealth } from '../../src/integrations/webhooks/health.ts';
import type { Sender } from '../../src/integrations/webhooks/send.ts';
import { makeRequestReview } from '../../src/money/review/request-review.ts';
import { failSettlement } from '../../src/money/settlements/finish.ts';
import { findSettlement } from '../../src/money/settlements/store.ts';
import { assignRecipients } from '../../src/operations/notifications/assign-recipients.ts';
import { batchMails } from '../../src/operations/notifications/batch-mails.ts';
import { detectFaults } from '../../src/operations/notifications/detect-faults.ts';
import { endNotices } from '../../src/operations/notifications/end-notices.ts';
import {
  type SendMailsDependencies,
  sendMails,
} from '../../src/operations/notifications/send-mails.ts';
import { sendNoticeWebhooks } from '../../src/operations/notifications/send-webhooks.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { type Clock, systemClock } from '../../src/platform/process/clock.ts';
import { noFourEyes } from '../../src/platform/values/four-eyes.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import { changeBankAccount } from '../../src/tenants/merchants/change-bank-account.ts';
import type { Role } from '../../src/tenants/people/permissions.ts';
import type { StaffRole } from '../../src/tenants/people/staff-permissions.ts';
import { approvalWorld } from './approvals.ts';
import { silentLog } from './database.ts';
import { mailServer } from './mail-server.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const companySecret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;

export type NoticeWorld = Awaited<ReturnType<typeof noticeWorld>>;

/** A merchant with people, a clock that the test sets, a mail server, and the gateway's notice workers. */
export async function noticeWorld(context: Pick<TestContext, 'after'>) {
  const world = await approvalWorld(context);
  const { database, clock, merchantId, tenantId } = world;
  const smtp = await mailServer(context);
  const posts: { headers: Record<string, string>; body: string }[] = [];
  const company = { answer: true as boolean };
  const sender: Pick<Sender, 'send'> = {
    async send({ headers, body }) {
      posts.push({ headers, body: String(body) });
      const rest = { durationMs: 1, retryAfterMs: null, responseSnippet: null };
      return company.answer
        ? { delivered: true, statusCode: 200, error: null, ...rest }
        : { delivered: false, statusCode: 500, error: 'HTTP 500', ...rest };
    },
  };
  const from = { name: 'Zimbo', address: 'zimbo@example.cv' };
  const at = (port: number) => ({ host: '127.0.0.1', port, isSecure: false, login: undefined });
  const mailerAt = (port: number) => createMailer({ server: at(port), from, timeoutMs: 5_000 });
  const base = { database, clock, ids: randomIds(), log: silentLog, mailDelayMs: minuteMs };
  const outcomes: string[] = [];
  const mail: Omit<SendMailsDependencies, 'mailer'> = {
    ...base,
    consoleUrl: 'https://pay.example.cv',
    staffFolder: '/console/staff',
    timeZone: 'Atlantic/Cape_Verde',
    onMail: (outcome) => outcomes.push(outcome),
  };
  const webhook = { url: 'https://alerts.example.cv/', secret: companySecret };
  const run = {
    assign: (on: Database = database) =>
      assignRecipients({ ...base, database: on, hasMail: true, hasWebhook: true }),
    batch: () => batchMails(base),
    send: (mailer: Mailer = mailerAt(smtp.port)) => sendMails({ ...mail, mailer }),
    detect: () => detectFaults({ ...base, config: { operators: { CVMOVEL: {} as never } } }),
    end: () => endNotices(database, clock.at),
    post: () =>
      sendNoticeWebhooks({ ...mail, wallClock: clock, sender, webhook, random: () => 0.5 }),
  };
  return {
    ...world,
    smtp,
    mailerAt,
    posts,
    company,
    outcomes,
    run,
    /** Assigns and batches every notice, and returns the mails. */
    async mailed() {
      while ((await run.assign()) > 0);
      world.later(minuteMs);
      await run.batch();
      while ((await run.send()) > 0);
      return smtp.taken.splice(0);
    },
    sql: <Row>(text: string, values: unknown[] = []) => database.query<Row>({ text }, values),
    person: (role: Role, email?: string) => world.member(role, email),
    worker: (role: StaffRole) => world.staff(role),
    cause: causes(database, { tenantId, merchantId, clock }),
  };
}

type Place = { tenantId: string; merchantId: string; clock: { at: number } };

/** Ignores the news that an endpoint was disabled. */
const silent = { clock: systemClock, ids: randomIds(), log: silentLog, onDisabled() {} };

/** Each causes a notice as the gateway does. */
function causes(database: Database, { tenantId, merchantId, clock }: Place) {
  const instant = () => new Date(clock.at).toISOString();
  return {
    async endpointGone(tenant = tenantId): Promise<string> {
      const endpointId = randomUUID();
      const insert = `
INSERT INTO webhook_endpoints (tenant_id, id, version, url, events, status, secret_box, created_at, updated_at)
VALUES ($1, $2, 1, 'https://loja.cv/hooks?token=s3cret', '{*}', 'ACTIVE', '', $3, $3)`;
      await database.query({ text: insert }, [tenant, endpointId, instant()]);
      await this.answersGone(endpointId, tenant);
      return endpointId;
    },
    async answersGone(endpointId: string, tenant = tenantId) {
      const text = 'SELECT version FROM webhook_endpoints WHERE id = $1';
      const [row] = await database.query<{ version: number }>({ text }, [endpointId]);
      const delivery = {
        tenantId: tenant,
        mode: 'live' as const,
        endpointId,
        endpointVersion: row!.version,
        eventId: randomUUID(),
        sequence: 1,
        body: '',
        attemptCount: 0,
        dueAtMs: clock.at,
      };
      const detail = {
        at: instant(),
        statusCode: 410,
        durationMs: 1,
        error: null,
        response: null,
      };
      const attempt = { delivery, attemptCount: 1, atMs: clock.at, dueAtMs: null, error: null };
      const health = new EndpointHealth({ ...silent, database });
      await health.note([{ ...attempt, status: 'FAILED', statusCode: 410, detail }]);
    },
    async settlementFailed(currency = 'CVE') {
      const id = randomUUID();
      const insert = `
INSERT INTO settlements (tenant_id, id, merchant_id, status, version, currency, gross_minor, fee_minor, refund_minor,
  net_minor, item_count, payout_ref, period_start, period_end, created_at)
VALUES ($1, $2, $3, 'PROCESSING', 2, $4, 2, 1, 0, 1, 1, 'payout.csv', now(), now(), now())`;
      await database.query({ text: insert }, [tenantId, id, merchantId, currency]);
      await database.transaction(async (transaction) => {
        const seen = await findSettlement(transaction, tenantId, id);
        const dependencies = { database: transaction, clock: clockOf(clock), fourEyes: noFourEyes };
        await failSettlement(dependencies, seen!);
      });
      return id;
    },
    async review(about: string = randomUUID(), tenant = tenantId) {
      const request = makeRequestReview({
        database,
        clock: clockOf(clock),
        log: silentLog,
        onReview() {},
      });
      const subject = { tenantId: tenant, id: about, operator: 'CVMOVEL' } as const;
      await request('PAYMENT', subject, { kind: 'CLASH', about, detail: { phone: '+2389912345' } });
    },
    bankAccountChanged: (holder = 'Loja da Praia') =>
      changeAccount({ database, clock: clockOf(clock) }, merchantId, holder),
    ...states(database, tenantId),
  };
}

function changeAccount(
  base: { database: Database; clock: Clock },
  merchantId: string,
  holder: string,
) {
  const dependencies = { ...base, ids: randomIds(), actor: 'cli:test', fourEyes: noFourEyes };
  const accountNumber = 'CV64000500000020108215144';
  return changeBankAccount(dependencies, merchantId, {
    currency: 'CVE',
    accountNumber,
    holder,
    bic: null,
  });
}

/** The conditions that the gateway detects. */
function states(database: Database, tenantId: string) {
  return {
    /** A process reports these operators as paused. */
    async operatorDown(operators: string[]) {
      const text = `
WITH process AS (
  INSERT INTO running_processes (id, role, host, pid, version, settings, clock_offset_ms, started_at, seen_at)
  VALUES (md5('a')::uuid, 'all', 'a', 1, '1', '{}', 0, now(), now()) ON CONFLICT DO NOTHING
)
INSERT INTO operator_watchers (process_id, flush_number, states, seen_at) VALUES (md5('a')::uuid, 1, $1, now())
ON CONFLICT (process_id) DO UPDATE SET states = excluded.states`;
      const pause = {
        reason: 'UNANSWERED',
        sinceMs: 0,
        untilMs: Date.parse('2100-01-01T00:00:00Z'),
      };
      const states = Object.fromEntries(operators.map((name) => [name, { pause, waiting: 0 }]));
      await database.query({ text }, [JSON.stringify(states)]);
    },
    async balance(minor: number) {
      const text = `
INSERT INTO balances VALUES ($1, 'suspense', 'CVE', $2)
ON CONFLICT (tenant_id, account, currency) DO UPDATE SET balance_minor = excluded.balance_minor`;
      await database.query({ text }, [tenantId, minor]);
    },
  };
}

const clockOf = (clock: { at: number }) => ({ nowMs: () => clock.at });
