import { isUnanswered } from '../../money/review/subjects.ts';
import { readBacklog } from '../../platform/jobs/backlog.ts';
import { type AlertName, alertRules } from '../../platform/notices/alert-rules.ts';
import { type Database, timestamp } from '../../platform/postgres/database.ts';
import { longestOffsetMs } from '../../platform/postgres/database-clock.ts';
import { rowsQuery } from '../../platform/postgres/query.ts';
import { differencesOf, type RunningProcess } from '../doctor/process-registry.ts';
import type { ProcessFigures } from './process-metrics.ts';

/** A value that an alert rule compares with its limit. */
export interface Figure {
  rule: AlertName;
  /** An operator, currency or kind of work; empty if the rule has only one subject. */
  subject: string;
  value: number;
}

/** Returns the figures above the limit of their rule. */
export const firing = (figures: readonly Figure[]): Figure[] =>
  figures.filter(({ rule, value }) => value > alertRules[rule].above);

/* If no backup ever succeeded, the age counts from the first attempt. */
const storedStatement = {
  name: 'alerts.figures',
  text: `
SELECT 'ReversalRefused' AS rule, '' AS subject, count(*)::float8 AS value
FROM reversals r JOIN tenants t ON t.id = r.tenant_id AND t.mode = 'live'
WHERE r.status = 'FAILED' AND NOT r.by_hand
UNION ALL
SELECT 'Suspense', b.currency, sum(b.balance_minor)::float8
FROM balances b JOIN tenants t ON t.id = b.tenant_id AND t.mode = 'live'
WHERE b.account = 'suspense' AND b.balance_minor > 0 GROUP BY b.currency
UNION ALL
SELECT 'BackupOld', '', extract(epoch FROM $2::timestamptz - coalesce(
  max(began_at) FILTER (WHERE ended_at IS NOT NULL AND error IS NULL), min(began_at)))::float8
FROM backups WHERE began_at <= $2::timestamptz + interval '1 hour' AND NOT EXISTS (SELECT FROM cells)
HAVING count(*) > 0
UNION ALL
SELECT 'PaymentsUnanswered', '', count(*)::float8 FROM payments x WHERE ${isUnanswered}`,
};

type Beat = RunningProcess & { figures: ProcessFigures | null };

const beats = rowsQuery<Beat, []>({
  name: 'alerts.processes',
  text: `
SELECT id, role, host, pid, version, settings, clock_offset_ms AS "clockOffsetMs", figures
FROM running_processes WHERE seen_at > now() - interval '3 minutes'`,
});

export interface FigureDependencies {
  database: Database;
  config: { paymentReviewAfterMs: number };
}

/** Reads all current figures: from the database, and from the latest report of each process. */
export async function readFigures(
  { database, config }: FigureDependencies,
  nowMs: number,
): Promise<Figure[]> {
  const due = await readBacklog(database, nowMs);
  const values = [timestamp(nowMs - config.paymentReviewAfterMs), timestamp(nowMs)];
  const stored = await database.query<Figure>(storedStatement, values);
  return [
    ...due.map(
      ({ kind, oldestSeconds }): Figure =>
        kind === 'deliveries'
          ? { rule: 'WebhookBacklog', subject: '', value: oldestSeconds }
          : { rule: 'WorkOverdue', subject: kind, value: oldestSeconds },
    ),
    ...stored,
    ...combineFigures(await beats(database)),
  ];
}

/** Combines the reports of all processes. */
export function combineFigures(processes: readonly Beat[]): Figure[] {
  const reports = processes.flatMap(({ figures }) => figures ?? []);
  const sum = (of: (figures: ProcessFigures) => number) =>
    reports.reduce((total, figures) => total + of(figures), 0);
  const offsetMs = Math.max(0, ...processes.map((each) => Math.abs(each.clockOffsetMs)));
  const one = (rule: AlertName, value: number): Figure => ({ rule, subject: '', value });
  return [
    one(
      'RequestsFail',
      share(
        sum((each) => each.failedRequests),
        sum((each) => each.requests),
      ),
    ),
    one(
      'WebhooksFail',
      share(
        sum((each) => each.failedWebhooks),
        sum((each) => each.webhooks),
      ),
    ),
    one(
      'ConnectionsExhausted',
      sum((each) => each.waitingForConnection),
    ),
    one('ClockOff', offsetMs / 1_000),
    one('ClockWrong', offsetMs > longestOffsetMs ? 1 : 0),
    one('SettingsDiffer', differencesOf(processes).length),
    ...Object.entries(added(reports.map((each) => each.refusedCallbacks))).map(
      ([subject, value]): Figure => ({ rule: 'CallbacksRefused', subject, value }),
    ),
    ...slowOperators(reports),
  ];
}

const share = (part: number, all: number) => (all === 0 ? 0 : part / all);

/** More than 1 call in 20 is slow, so the 95th percentile exceeds the rule's limit; its exact value does not matter. */
function slowOperators(reports: readonly ProcessFigures[]): Figure[] {
  const calls = added(reports.map((each) => each.calls));
  const slow = added(reports.map((each) => each.slowCalls));
  const { above } = alertRules.OperatorSlow;
  return Object.entries(calls).map(([subject, count]) => ({
    rule: 'OperatorSlow',
    subject,
    value: share(slow[subject] ?? 0, count) > 0.05 ? above + 1 : 0,
  }));
}

function added(counts: readonly Record<string, number>[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const each of counts) {
    for (const [key, count] of Object.entries(each)) sums[key] = (sums[key] ?? 0) + count;
  }
  return sums;
}
