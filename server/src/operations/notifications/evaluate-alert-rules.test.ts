import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { parse } from 'yaml';
import { cleanUp } from '../../../test/support/cleanup.ts';
import { silentLog } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { hourMs, minuteMs, type NoticeWorld, noticeWorld } from '../../../test/support/notices.ts';
import { read } from '../../../test/support/pages.ts';
import {
  type AlertName,
  alertNames,
  alertRules,
  otherAlerts,
} from '../../platform/notices/alert-rules.ts';
import type { NewNotice } from '../../platform/notices/notice.ts';
import { writeNotices } from '../../platform/notices/write.ts';
import { monotonicClock, systemClock } from '../../platform/process/clock.ts';
import { reportProcess } from '../doctor/process-registry.ts';
import { combineFigures, firing } from './alert-metrics.ts';
import { alertWorker } from './alert-worker.ts';
import { evaluateAlertRules } from './evaluate-alert-rules.ts';
import { noticeWords } from './notices.words.ts';
import { sendReminders } from './send-reminders.ts';

interface PrometheusRule {
  alert: string;
  expr: string;
  for?: string;
  annotations: { runbook: string };
}

const prometheusRules: PrometheusRule[] = parse(read('deploy/alerts.yaml')).groups.flatMap(
  ({ rules }: { rules: PrometheusRule[] }) => rules,
);

const msOf = (duration = '0m') =>
  Number.parseInt(duration, 10) * (duration.endsWith('h') ? hourMs : minuteMs);

test('every rule of Prometheus also works without Prometheus, or says how people learn of it', () => {
  const mine = [...Object.keys(alertRules), ...Object.keys(otherAlerts)];
  const theirs = prometheusRules.map(({ alert }) => alert.replace(/^Zimbo/, ''));
  assert.deepEqual(mine.toSorted(), theirs.toSorted());
});

test('rules have the same limit, duration and runbook as in Prometheus', () => {
  for (const { alert, expr, annotations, ...rest } of prometheusRules) {
    const rule = Object.entries(alertRules).find(([name]) => alert === `Zimbo${name}`)?.[1];
    if (!rule) continue;
    assert.equal(rule.forMs, msOf(rest.for), alert);
    assert.equal(`docs/runbooks/${rule.runbook}`, annotations.runbook, alert);
    const [, above] = / > ([\d.]+)\s*$/.exec(expr) ?? [];
    // Prometheus compares the clock with 0.
    if (above !== undefined) assert.equal(rule.above, Number(above), alert);
    else assert.match(expr, /== 0$/, alert);
  }
});

/** Each of two processes evaluates the rules every minute. */
async function looks(world: NoticeWorld, minutes: number) {
  const { database, clock } = world;
  const dependencies = {
    database,
    clock: { nowMs: () => clock.at },
    config: { paymentReviewAfterMs: hourMs },
  };
  for (let minute = 0; minute < minutes; minute += 1) {
    await Promise.all([evaluateAlertRules(dependencies), evaluateAlertRules(dependencies)]);
    world.later(minuteMs);
  }
}

const alertsIn = (world: NoticeWorld) =>
  world.sql<{ subject: string; endedAtMs: number | null }>(
    `SELECT subject, ended_at AS "endedAtMs" FROM notices WHERE kind = 'ALERT' AND subject LIKE 'Suspense%' ORDER BY id`,
  );

test('reports money in suspense once after an hour, however many processes run', async (context) => {
  const world = await noticeWorld(context);
  await world.worker('ADMIN');
  await world.cause.balance(500);
  await looks(world, 60);
  assert.deepEqual(await alertsIn(world), [], 'not before the hour is over');
  await looks(world, 2);
  assert.deepEqual(await alertsIn(world), [{ subject: 'Suspense CVE', endedAtMs: null }]);
  const mails = await world.mailed();
  assert.equal(mails.length, 1);
  assert.match(mails[0]!.text, /conta transitória|suspense/);
  assert.match(mails[0]!.text, /docs\/runbooks\/README\.md#suspense/);
  assert.match(mails[0]!.text, /console\/staff\/doctor/);
});

test('reports every rule when an outage trips them all', async (context) => {
  const world = await noticeWorld(context);
  await world.worker('ADMIN');
  const kinds = ['payments', 'refunds', 'reversals', 'approvals', 'settlements', 'sessions'];
  const alerts: [AlertName, string][] = [
    ...kinds.map((kind): [AlertName, string] => ['WorkOverdue', kind]),
    ...alertNames
      .filter((name) => name !== 'WorkOverdue')
      .map((name): [AlertName, string] => [name, '']),
  ];
  const notices = alerts.map(([alert, of]): NewNotice => {
    const about = { kind: 'ALERT', tenantId: null, subject: `${alert} ${of}`.trim() } as const;
    return { ...about, detail: { alert, of }, atMs: world.clock.at };
  });
  await writeNotices(world.database, notices);
  const mails = await world.mailed();
  const untold = `SELECT subject FROM notices WHERE staff_told_at IS NULL OR post_due_at IS NULL`;
  assert.deepEqual(await world.sql(untold), []);
  assert.equal(mails.length, 1, 'all in one mail');
});

test('does not report a condition shorter than the duration of its rule', async (context) => {
  const world = await noticeWorld(context);
  for (let time = 0; time < 3; time += 1) {
    await world.cause.balance(500);
    await looks(world, 30);
    await world.cause.balance(0);
    await looks(world, 5);
  }
  assert.deepEqual(await alertsIn(world), []);
});

test('reminds after 12 hours, and reports the end to the same recipients', async (context) => {
  const world = await noticeWorld(context);
  const { run, clock, database } = world;
  await world.worker('ADMIN');
  await world.cause.balance(500);
  await looks(world, 62);
  assert.equal((await world.mailed()).length, 1);
  assert.equal(await sendReminders(database, clock.at), 0);
  world.later(12 * hourMs);
  const reminded = await Promise.all([
    sendReminders(database, clock.at),
    sendReminders(database, clock.at),
  ]);
  assert.deepEqual(reminded.toSorted(), [0, 1], 'by one of two processes');
  const [again] = await world.mailed();
  assert.doesNotMatch(again!.text, /^(Over|Resolvido)/m);
  await world.cause.balance(0);
  world.later(5 * minuteMs);
  await run.end();
  const [over] = await world.mailed();
  assert.match(over?.text ?? 'no mail', /^(Over|Resolvido): /m);
  await run.post();
  assert.match(world.posts.at(-1)!.body, /"type":"notice\.over"/);
  await world.cause.balance(500);
  await looks(world, 1);
  await world.sql(`UPDATE alerts SET since = since - interval '2 hours'`);
  await looks(world, 1);
  const within = await alertsIn(world);
  assert.deepEqual(within, [{ subject: 'Suspense CVE', endedAtMs: null }], 'the same notice');
  assert.equal((await world.mailed()).length, 0, 'does not mail a recurrence within the hour');
});

const process = (figures: object, clockOffsetMs = 0) => ({
  id: '',
  role: 'all',
  host: 'a',
  pid: 1,
  version: '1',
  settings: {},
  clockOffsetMs,
  memoryBytes: 100_000_000,
  figures: {
    waitingForConnection: 0,
    requests: 0,
    failedRequests: 0,
    webhooks: 0,
    failedWebhooks: 0,
    refusedCallbacks: {},
    calls: {},
    slowCalls: {},
    ...figures,
  },
});

test('combines the counters of all processes', () => {
  const named = (...processes: ReturnType<typeof process>[]) =>
    firing(combineFigures(processes)).map(({ rule, subject }) => `${rule} ${subject}`.trim());
  const failing = process({ requests: 10, failedRequests: 1 });
  assert.deepEqual(named(failing), ['RequestsFail']);
  assert.deepEqual(named(failing, process({ requests: 95 })), []);
  assert.deepEqual(named(process({ calls: { CVMOVEL: 100 }, slowCalls: { CVMOVEL: 6 } })), [
    'OperatorSlow CVMOVEL',
  ]);
  assert.deepEqual(named(process({ calls: { CVMOVEL: 100 }, slowCalls: { CVMOVEL: 5 } })), []);
  assert.deepEqual(named(process({ refusedCallbacks: { 'CVMOVEL address': 1 } })), [
    'CallbacksRefused CVMOVEL address',
  ]);
  assert.deepEqual(named(process({}), process({}, -61_000)), ['ClockOff', 'ClockWrong']);
  assert.deepEqual(named(process({ webhooks: 4, failedWebhooks: 3 })), ['WebhooksFail']);
  assert.deepEqual(named(process({ webhooks: 4, failedWebhooks: 2 })), []);
});

test('a worker reports what another process counted', async (context) => {
  const world = await noticeWorld(context);
  const { database } = world;
  const { figures, ...described } = process({ refusedCallbacks: { 'CVMOVEL address': 2 } });
  await reportProcess(database, { ...described, id: randomUUID() }, figures);
  const worker = alertWorker({
    database,
    clock: systemClock,
    monotonicClock,
    wallClock: systemClock,
    log: silentLog,
    config: { paymentReviewAfterMs: hourMs },
    consoleUrl: 'https://pay.example.cv',
    staffFolder: '/console/staff',
    mailer: undefined,
    post: undefined,
  });
  worker.start();
  cleanUp(context, () => worker.stop());
  const text = `SELECT detail FROM notices WHERE kind = 'ALERT' AND subject = 'CallbacksRefused CVMOVEL address'`;
  const [notice] = await eventually('it is written down', async () => {
    const rows = await world.sql<{ detail: object }>(text);
    return rows.length > 0 && rows;
  });
  assert.deepEqual(notice!.detail, { alert: 'CallbacksRefused', of: 'CVMOVEL address' });
});

test('shows the name of a rule that a newer version wrote', () => {
  const detail = { alert: 'Later' as never, of: 'CVE' };
  for (const words of Object.values(noticeWords))
    assert.equal(words.title({ kind: 'ALERT', subject: 'Later CVE', detail }), 'Later: CVE');
});
