import { isUnanswered } from '../../money/review/subjects.ts';
import { dueRows } from '../../platform/jobs/due-rows.ts';
import { type AlertName, alertRules } from '../../platform/notices/alert-rules.ts';
import { type Database, timestamp } from '../../platform/postgres/database.ts';
import { longestOffsetMs } from '../../platform/postgres/database-clock.ts';
import { rowsQuery } from '../../platform/postgres/query.ts';
import { differencesOf, type RunningProcess } from '../doctor/process-registry.ts';
import type { ProcessFigures } from './process-metrics.ts';

/** A figure that a rule looks at. */
export interface Figure {
  rule: AlertName;
  /** An operator, a currency, a kind of work; empty where there is only one. */
  subject: string;
  value: number;
}

/** The figures that are above what their rule allows. */
export const firing = (figures: readonly Figure[]): Figure[] =>
  figures.filter(({ rule, value }) => value > alertRules[rule].above);

/* Where no backup was ever good, what counts is for how long it was tried. */
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

/** All figures of now, from the database and from what each process said last. */
export async function figuresNow(
  { database, config }: FigureDependencies,
  nowMs: number,
): Promise<Figure[]> {
  const due = await dueRows(database, nowMs);
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
    ...figuresOf(await beats(database)),
  ];
}

/** What all processes say together. */
export function figuresOf(processes: readonly Beat[]): Figure[] {
  const said = processes.flatMap(({ figures }) => figures ?? []);
  const sum = (of: (figures: ProcessFigures) => number) =>
    said.reduce((total, figures) => total + of(figures), 0);
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
    ...Object.entries(added(said.map((each) => each.refusedCallbacks))).map(
      ([subject, value]): Figure => ({ rule: 'CallbacksRefused', subject, value }),
    ),
    ...slowOperators(said),
  ];
}

const share = (part: number, all: number) => (all === 0 ? 0 : part / all);

/** 1 in 20 takes longer: what 95 % of calls take is above the limit of the rule, whatever it is exactly. */
function slowOperators(said: readonly ProcessFigures[]): Figure[] {
  const calls = added(said.map((each) => each.calls));
  const slow = added(said.map((each) => each.slowCalls));
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
