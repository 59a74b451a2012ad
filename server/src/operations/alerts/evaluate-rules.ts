import { alertRules } from '../../platform/notices/alert-rules.ts';
import type { NewNotice } from '../../platform/notices/notice.ts';
import { writeNotices } from '../../platform/notices/write.ts';
import { timestamp } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { type Figure, type FigureDependencies, figuresNow, firing } from './rule-metrics.ts';

export interface LookDependencies extends FigureDependencies {
  clock: Clock;
}

/** What was not seen for so long has not held: it begins again. Two looks, and the time that they take. */
const gapMs = 150_000;
const keptMs = 86_400_000;

/* Of processes that look at once each finds the instant that the first wrote. */
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

/** Looks at every rule, and writes down what has held for long enough. */
export async function lookForAlerts(dependencies: LookDependencies): Promise<void> {
  const { database, clock } = dependencies;
  const nowMs = clock.nowMs();
  const found = firing(await figuresNow(dependencies, nowMs));
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
