import { bucketCount, bucketOf } from '../../src/integrations/operators/measurements/durations.ts';
import type { Database } from '../../src/platform/postgres/database.ts';

interface History {
  operator: string;
  /** The age of the oldest row. */
  days: number;
  /** How far back rows for single minutes go. */
  minuteHours?: number;
  /** Unusable answers per minute in the last 20 minutes; before that, one every two minutes. */
  unanswered?: number;
  /** The duration of most calls in the last 20 minutes. */
  tookMs?: number;
}

/** The index of a bucket in PostgreSQL's array. */
const placeOf = (durationMs: number) => bucketOf(durationMs) + 1;

/** Each kind of row of a slot: the calls of a minute, and their durations. */
const rows = `(VALUES
  ('requestDebit', 'PENDING', 'ANSWERED', 12, ${placeOf(180)}),
  ('queryDebit', 'succeeded', 'ANSWERED', 10, ${placeOf(90)}),
  ('queryDebit', 'PENDING', 'ANSWERED', 4, ${placeOf(90)}),
  ('queryDebit', 'INSUFFICIENT_FUNDS', 'REFUSED', 3, ${placeOf(140)}),
  ('queryDebit', 'PAYER_DECLINED', 'REFUSED', 1, ${placeOf(140)}),
  ('requestDebit', 'UNREACHABLE', 'UNKNOWN', 1, ${placeOf(10_000)}),
  ('reverse', 'PENDING', 'ANSWERED', 1, ${placeOf(400)}),
  ('queryReversal', 'succeeded', 'ANSWERED', 1, ${placeOf(90)})
) AS row (call, answer, outcome, calls, place)`;

/**
 * Measurements of an operator after days of traffic: eight rows for each half-hour, and for each
 * recent minute.
 */
export async function seedOperatorHistory(
  database: Database,
  { operator, days, minuteHours = 3, unanswered = 1, tookMs = 180 }: History,
): Promise<void> {
  const text = `
INSERT INTO operator_measurements
SELECT slot.seconds, $1, slot.at, call, answer, outcome, counted.calls,
  array_fill(0, ARRAY[counted.place - 1]) || counted.calls || array_fill(0, ARRAY[${bucketCount} - counted.place])
FROM (
  SELECT 60 AS seconds, minute AS at, 1 AS weight FROM generate_series(
    date_trunc('minute', now() - make_interval(hours => $5)), date_trunc('minute', now()), INTERVAL '1 minute') AS minute
  UNION ALL
  SELECT 1800, half, 30 FROM generate_series(
    date_trunc('hour', now() - make_interval(days => $2)), date_trunc('hour', now()), INTERVAL '30 minutes') AS half
) AS slot
CROSS JOIN ${rows}
CROSS JOIN LATERAL (
  SELECT slot.seconds = 60 AND slot.at > now() - INTERVAL '20 minutes' AS is_now,
    -- More by day than by night, and never the same twice.
    1 + sin(extract(epoch FROM slot.at) / 13751)::numeric * 0.5 AS tide,
    abs(hashint8(extract(epoch FROM slot.at)::bigint)) % 5 AS chance
) AS of_slot
CROSS JOIN LATERAL (
  SELECT CASE
      WHEN outcome = 'UNKNOWN' AND is_now THEN $3::integer
      WHEN outcome = 'UNKNOWN' THEN (chance / 4 * weight)::integer
      ELSE greatest(1, ((calls * tide + chance) * weight)::integer)
    END AS calls,
    CASE WHEN is_now AND outcome = 'ANSWERED' THEN $4::integer ELSE place + chance % 2 END AS place
) AS counted
WHERE counted.calls > 0
ON CONFLICT DO NOTHING`;
  await database.query({ text }, [operator, days, unanswered, placeOf(tookMs), minuteHours]);
}
