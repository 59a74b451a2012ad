import type { Database } from '../../platform/postgres/database.ts';
import { prepare } from '../../platform/postgres/statement.ts';
import { currencies, timeZoneOf } from '../../platform/values/money.ts';

/** What payments brought in, in minor units, over days as people of the currency have them. */
export interface Volume {
  todayMinor: bigint;
  weekMinor: bigint;
  monthMinor: bigint;
}

/** One of the merchants with the most volume in a currency, beside the sums of all merchants. */
export interface MerchantVolume extends Volume {
  currency: string;
  merchantId: string;
  allTodayMinor: bigint;
  allWeekMinor: bigint;
  allMonthMinor: bigint;
}

/** At most this many merchants of each currency. */
export const mostMerchants = 10;

// For each tenant one range of the key of daily totals, of at most 30 days; deltas that are not added up yet are few.
const volumeStatement = prepare({
  name: 'totals.volume_of_all',
  given: { now: 'timestamptz', mode: 'text', zones: 'text', names: 'text', most: 'integer' },
  text: ({ now, mode, zones, names, most }) => `
WITH days AS MATERIALIZED (
  SELECT currency, today AT TIME ZONE zone AS today, (today - INTERVAL '6 days') AT TIME ZONE zone AS week,
    (today - INTERVAL '29 days') AT TIME ZONE zone AS month
  FROM (
    SELECT currency, zone, date_trunc('day', ${now} AT TIME ZONE zone) AS today
    FROM unnest(string_to_array(${names}, ','), string_to_array(${zones}, ',')) AS given (currency, zone)
  ) AS local
),
part AS (
  SELECT t.merchant_id, days.currency, days.today, days.week, total.day_start AS at, total.amount_minor
  FROM days CROSS JOIN tenants t CROSS JOIN LATERAL (
    SELECT d.day_start, d.amount_minor FROM payment_day_totals d
    WHERE d.tenant_id = t.id AND d.day_start >= days.month AND d.currency = days.currency AND d.outcome = 'SUCCEEDED'
      AND date_part('hour', d.day_start AT TIME ZONE 'UTC') = date_part('hour', days.today AT TIME ZONE 'UTC')
  ) AS total
  WHERE t.mode = ${mode}
  UNION ALL
  SELECT t.merchant_id, d.currency, days.today, days.week, d.hour, d.amount_minor
  FROM payment_total_deltas d JOIN days ON days.currency = d.currency JOIN tenants t ON t.id = d.tenant_id
  WHERE d.outcome = 'SUCCEEDED' AND d.hour >= days.month AND t.mode = ${mode}
),
merchant AS (
  SELECT merchant_id, currency, coalesce(sum(amount_minor) FILTER (WHERE at >= today), 0) AS today,
    coalesce(sum(amount_minor) FILTER (WHERE at >= week), 0) AS week, sum(amount_minor) AS month
  FROM part GROUP BY merchant_id, currency
),
ranked AS (
  SELECT *, row_number() OVER (PARTITION BY currency ORDER BY month DESC, merchant_id) AS place,
    sum(today) OVER (PARTITION BY currency) AS all_today, sum(week) OVER (PARTITION BY currency) AS all_week,
    sum(month) OVER (PARTITION BY currency) AS all_month
  FROM merchant
)
SELECT merchant_id AS "merchantId", currency, today AS "todayMinor", week AS "weekMinor", month AS "monthMinor",
  all_today AS "allTodayMinor", all_week AS "allWeekMinor", all_month AS "allMonthMinor"
FROM ranked WHERE place <= ${most} ORDER BY currency, place`,
});

const keptMs = 60_000;
const kept = new WeakMap<
  Database,
  Map<string, { atMs: number; rows: Promise<MerchantVolume[]> }>
>();

/**
 * The volume of all merchants of a cell and of the largest, in one mode. Each process asks the database at most once
 * a minute, however many people look.
 */
export function readVolume(
  database: Database,
  { mode, nowMs }: { mode: 'live' | 'test'; nowMs: number },
): Promise<MerchantVolume[]> {
  const ofDatabase = kept.get(database) ?? new Map();
  kept.set(database, ofDatabase);
  const known = ofDatabase.get(mode);
  if (known !== undefined && Math.abs(nowMs - known.atMs) < keptMs) return known.rows;
  const rows = volumeStatement.run<MerchantVolume>(database, {
    now: nowMs,
    mode,
    names: currencies.join(),
    zones: currencies.map((currency) => timeZoneOf[currency]).join(),
    most: mostMerchants,
  });
  ofDatabase.set(mode, { atMs: nowMs, rows });
  // A failure is not kept.
  rows.catch(() => ofDatabase.delete(mode));
  return rows;
}
