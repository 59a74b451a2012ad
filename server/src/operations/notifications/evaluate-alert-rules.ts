import { alertRules } from '../../platform/notices/alert-rules.ts';
import type { NewNotice } from '../../platform/notices/notice.ts';
import { writeNotices } from '../../platform/notices/write.ts';
import { timestamp } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { type Figure, type FigureDependencies, firing, readFigures } from './alert-metrics.ts';

export interface EvaluateRulesDependencies extends FigureDependencies {
  clock: Clock;
}

/** After a gap this long, a condition starts anew. It covers two evaluations and their duration. */
const gapMs = 150_000;
const keptMs = 86_400_000;

/* Processes that evaluate at the same time all see the instant that the first one wrote. */
const seenStatement = {
  name: 'alerts.seen',
  text: `
WITH old AS (
  DELETE FROM alerts WHERE seen_at < $4 AND (rule, subject) NOT IN (SELECT * FROM unnest($1::text[], $2::text[]))
)
INSERT INTO alerts (rule, subject, since, seen_at)
SELECT rule, subject, $3::timestamptz, $3 FROM unnest($1::text[], $2::text[]) AS given (rule, subject)
ON CONFLICT (rule, subject) DO UPDATE SET
  since = CASE WHEN alerts.seen_at AT TIME ZONE 'UTC'
    < excluded.seen_at AT TIME ZONE 'UTC' - interval '${gapMs} milliseconds' THEN excluded.since ELSE alerts.since END,
  seen_at = greatest(alerts.seen_at, excluded.seen_at)
RETURNING rule, subject, since AS "sinceMs"`,
};

type Seen = Pick<Figure, 'rule' | 'subject'> & { sinceMs: number };

/** Evaluates every rule, and writes a notice for each condition that has lasted long enough. */
export async function evaluateAlertRules(dependencies: EvaluateRulesDependencies): Promise<void> {
  const { database, clock } = dependencies;
  const nowMs = clock.nowMs();
  const found = firing(await readFigures(dependencies, nowMs));
  if (found.length === 0) return;
  const values = [
    found.map(({ rule }) => rule),
    found.map(({ subject }) => subject),
    timestamp(nowMs),
    timestamp(nowMs - keptMs),
  ];
  const seen = await database.query<Seen>(seenStatement, values);
  const lasting = seen.filter(({ rule, sinceMs }) => nowMs - sinceMs >= alertRules[rule].forMs);
  await writeNotices(
    database,
    lasting.map(({ rule, subject }): NewNotice => {
      const detail = { alert: rule, of: subject };
      const about = `${rule} ${subject}`.trim();
      return { kind: 'ALERT', tenantId: null, subject: about, detail, atMs: nowMs };
    }),
  );
}
