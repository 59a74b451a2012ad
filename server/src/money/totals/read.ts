import type { Queryable } from '../../platform/postgres/database.ts';
import { listOf, prepare } from '../../platform/postgres/statement.ts';
import { medianMs } from './confirmation-time.ts';
import { allDeltas, dayStartHours, totalColumns } from './count.ts';
import { type Period, rangeOf } from './period.ts';

export type { Days, Period } from './period.ts';

export type TotalsQuestion = Period & {
  tenantId: string;
  /** The time zone of the days, for example `Atlantic/Cape_Verde`. Hours begin with those of UTC. */
  timeZone: string;
  nowMs: number;
};

/** The sums of payments; amounts in minor units. */
export interface Sums {
  /** The amount of payments that SUCCEEDED, before any refund. */
  volumeMinor: bigint;
  feeMinor: bigint;
  succeeded: number;
  failed: number;
  expired: number;
  cancelled: number;
  /** Refunds created in the period, of any payments. */
  refundedMinor: bigint;
  refunds: number;
}

export interface PeriodSums extends Sums {
  /** The share of payments that succeeded among those that ended without being cancelled; undefined without any. */
  successRate: number | undefined;
  /** From the creation to the debit; undefined without any. */
  medianConfirmMs: number | undefined;
}

/** The sums of one currency. */
export interface CurrencyTotals {
  currency: string;
  current: PeriodSums;
  /** The same share of as many days before, or of the month before. */
  before: PeriodSums;
  byOperator: (Sums & { operator: string })[];
  /** Why payments failed, the most frequent first; without a code if none is known. */
  failures: { failureCode: string | null; count: number }[];
  /** By the hour for one day, otherwise by the day; hours and days without payments are left out. */
  series: (Sums & { fromMs: number })[];
}

export interface Totals {
  fromMs: number;
  /** Includes payments that have reached an outcome before this moment. */
  untilMs: number;
  beforeFromMs: number;
  beforeUntilMs: number;
  currencies: CurrencyTotals[];
}

// One pass over the counts, then four views of them. The beginnings of days are computed once: looking up the day of
// each hour would take as long as all the rest. Earlier counts have no slot. Whole days are read from daily totals if
// they begin where those do; `daysUntil` is where they end. Only hours are summed first: a day needs no sum.
const sumsStatement = prepare({
  name: 'totals.sums',
  given: {
    tenantId: 'uuid',
    from: 'timestamptz',
    until: 'timestamptz',
    beforeFrom: 'timestamptz',
    beforeUntil: 'timestamptz',
    daysUntil: 'timestamptz',
    beforeDaysUntil: 'timestamptz',
    unit: 'text',
    timeZone: 'text',
  },
  text: ({
    tenantId,
    from,
    until,
    beforeFrom,
    beforeUntil,
    daysUntil,
    beforeDaysUntil,
    unit,
    timeZone,
  }) => `
WITH slots AS MATERIALIZED (
  SELECT ARRAY (
    SELECT local AT TIME ZONE ${timeZone} FROM generate_series(
      ${from} AT TIME ZONE ${timeZone}, ${until} AT TIME ZONE ${timeZone}, ('1 ' || ${unit})::interval) AS local
  ) AS starts
),
days AS MATERIALIZED (
  SELECT ARRAY (
    SELECT local AT TIME ZONE ${timeZone} FROM generate_series(
      ${beforeFrom} AT TIME ZONE ${timeZone}, ${daysUntil} AT TIME ZONE ${timeZone}, INTERVAL '1 day') AS local
    WHERE local AT TIME ZONE ${timeZone} < ${beforeDaysUntil}
      OR local AT TIME ZONE ${timeZone} >= ${from} AND local AT TIME ZONE ${timeZone} < ${daysUntil}
  ) AS starts
),
part AS MATERIALIZED (
  SELECT hour >= ${from} AS is_current, (SELECT starts FROM slots)[width_bucket(hour, (SELECT starts FROM slots))] AS slot,
    operator, currency, outcome, failure_code, confirm_bucket, sum(item_count) AS item_count,
    sum(amount_minor) AS amount_minor, sum(fee_minor) AS fee_minor
  FROM (
    SELECT ${totalColumns} FROM payment_totals
    WHERE tenant_id = ${tenantId} AND hour >= ${daysUntil} AND hour < ${until}
    UNION ALL
    SELECT ${totalColumns} FROM payment_totals
    WHERE tenant_id = ${tenantId} AND hour >= ${beforeDaysUntil} AND hour < ${beforeUntil}
    UNION ALL
    SELECT ${totalColumns} FROM payment_total_deltas
    WHERE tenant_id = ${tenantId} AND hour >= ${beforeFrom} AND hour < ${until}
      AND (hour >= ${from} OR hour < ${beforeUntil})
  ) AS hours
  GROUP BY 1, 2, 3, 4, 5, 6, 7
  UNION ALL
  SELECT day_start >= ${from}, CASE WHEN day_start >= ${from} THEN day_start END,
    operator, currency, outcome, failure_code, confirm_bucket, item_count, amount_minor, fee_minor
  FROM payment_day_totals
  WHERE tenant_id = ${tenantId} AND day_start = ANY ((SELECT starts FROM days)::timestamptz[])
)
SELECT GROUPING(confirm_bucket, operator, failure_code, slot) AS view, is_current AS "isCurrent",
  slot AS "slotMs", operator, currency, outcome, failure_code AS "failureCode", confirm_bucket AS bucket,
  sum(item_count) AS count, sum(amount_minor) AS "amountMinor", sum(fee_minor) AS "feeMinor"
FROM part
GROUP BY GROUPING SETS (
  (is_current, currency, outcome, confirm_bucket),
  (is_current, currency, outcome, operator),
  (is_current, currency, outcome, failure_code),
  (is_current, currency, outcome, slot))
ORDER BY view, slot, count DESC, operator, failure_code`,
});

/** In the bits of GROUPING: the dimensions that a row does not distinguish. */
const views = { outcomes: 0b0111, operators: 0b1011, failures: 0b1101, series: 0b1110 };

interface Row {
  view: number;
  isCurrent: boolean;
  slotMs: number;
  operator: string;
  currency: string;
  outcome: 'SUCCEEDED' | 'FAILED' | 'EXPIRED' | 'CANCELLED' | 'REFUNDED';
  failureCode: string;
  bucket: number;
  count: bigint;
  amountMinor: bigint;
  feeMinor: bigint;
}

/** The sums of a tenant's payments and refunds, up to this moment. */
export async function readTotals(database: Queryable, question: TotalsQuestion): Promise<Totals> {
  const { tenantId, timeZone, nowMs } = question;
  const { fromMs, untilMs, beforeFromMs, beforeUntilMs, todayMs, beforeTodayMs } = await rangeOf(
    database,
    question,
  );
  const hasDays = haveTotals([beforeFromMs, beforeTodayMs, fromMs, todayMs]);
  // Includes rows that another process wrote with a clock slightly ahead.
  const rows = await sumsStatement.run<Row>(database, {
    tenantId,
    from: fromMs,
    until: untilMs ?? nowMs + 60_000,
    beforeFrom: beforeFromMs,
    beforeUntil: beforeUntilMs,
    daysUntil: hasDays ? todayMs : fromMs,
    beforeDaysUntil: hasDays ? beforeTodayMs : beforeFromMs,
    unit: 'days' in question && question.days === 1 ? 'hour' : 'day',
    timeZone,
  });
  const currencies = [...new Set(rows.map(({ currency }) => currency))].sort();
  return {
    fromMs,
    beforeFromMs,
    beforeUntilMs,
    untilMs: untilMs ?? nowMs,
    currencies: currencies.map((currency) =>
      totalsOf(
        currency,
        rows.filter((row) => row.currency === currency),
      ),
    ),
  };
}

/**
 * Whether all days between these midnights have totals of their own. Where clocks change, one of them is off: no half
 * of a year is shorter than the time between two of them.
 */
function haveTotals(midnightsMs: readonly number[]): boolean {
  const hoursMs = midnightsMs.map((ms) => ms % 86_400_000);
  return dayStartHours.some((hour) => hoursMs.every((ms) => ms === hour * 3_600_000));
}

function totalsOf(currency: string, rows: Row[]): CurrencyTotals {
  const of = (view: number, isCurrent = true) =>
    rows.filter((row) => row.view === view && row.isCurrent === isCurrent);
  return {
    currency,
    current: periodOf(of(views.outcomes)),
    before: periodOf(of(views.outcomes, false)),
    byOperator: grouped(of(views.operators), ({ operator }) => operator).map(
      ([operator, each]) => ({
        operator,
        ...sumsOf(each),
      }),
    ),
    failures: grouped(
      of(views.failures).filter(({ outcome }) => outcome === 'FAILED' || outcome === 'EXPIRED'),
      ({ failureCode }) => failureCode,
    )
      .map(([code, each]) => ({ failureCode: code || null, count: countOf(each) }))
      .sort((one, other) => other.count - one.count),
    series: grouped(of(views.series), ({ slotMs }) => slotMs).map(([slotMs, each]) => ({
      fromMs: slotMs,
      ...sumsOf(each),
    })),
  };
}

const grouped = <Key>(rows: Row[], keyOf: (row: Row) => Key) => [...Map.groupBy(rows, keyOf)];
const countOf = (rows: Row[]) => Number(rows.reduce((sum, { count }) => sum + count, 0n));

function sumsOf(rows: Row[]): Sums {
  const of = (outcome: Row['outcome']) => rows.filter((row) => row.outcome === outcome);
  const amountOf = (some: Row[]) => some.reduce((sum, row) => sum + row.amountMinor, 0n);
  return {
    volumeMinor: amountOf(of('SUCCEEDED')),
    feeMinor: of('SUCCEEDED').reduce((sum, row) => sum + row.feeMinor, 0n),
    succeeded: countOf(of('SUCCEEDED')),
    failed: countOf(of('FAILED')),
    expired: countOf(of('EXPIRED')),
    cancelled: countOf(of('CANCELLED')),
    refundedMinor: amountOf(of('REFUNDED')),
    refunds: countOf(of('REFUNDED')),
  };
}

function periodOf(rows: Row[]): PeriodSums {
  const sums = sumsOf(rows);
  const tried = sums.succeeded + sums.failed + sums.expired;
  const debits = rows.filter(({ outcome }) => outcome === 'SUCCEEDED');
  return {
    ...sums,
    successRate: tried === 0 ? undefined : sums.succeeded / tried,
    medianConfirmMs: medianMs(new Map(debits.map(({ bucket, count }) => [bucket, count]))),
  };
}

const countStatement = prepare({
  name: 'totals.count',
  given: {
    tenantId: 'uuid',
    from: 'timestamptz',
    until: 'timestamptz',
    operators: listOf('text'),
    currencies: listOf('text'),
  },
  text: ({ tenantId, from, until, operators, currencies }) => `
SELECT coalesce(sum(item_count), 0)::float8 AS "all", coalesce(sum(item_count) FILTER (
  WHERE (cardinality(${operators}) = 0 OR operator = ANY (${operators}))
    AND (cardinality(${currencies}) = 0 OR currency = ANY (${currencies}))
), 0)::float8 AS matching
FROM (${allDeltas}) AS all_deltas
WHERE tenant_id = ${tenantId} AND outcome <> 'REFUNDED'
  AND hour > coalesce(${from} - INTERVAL '1 hour', '-infinity') AND hour <= coalesce(${until}, 'infinity')`,
});

/** How many payments of a range have ended, and how many of them are of these operators and currencies, or of any. */
export async function countItems(
  database: Queryable,
  tenantId: string,
  range: {
    fromMs: number | undefined;
    untilMs: number | undefined;
    operator: string | readonly string[] | undefined;
    currency: string | readonly string[] | undefined;
  },
): Promise<{ all: number; matching: number }> {
  const { fromMs = null, untilMs = null, operator = [], currency = [] } = range;
  const given = {
    tenantId,
    from: fromMs,
    until: untilMs,
    operators: [operator].flat(),
    currencies: [currency].flat(),
  };
  const [row] = await countStatement.run<{ all: number; matching: number }>(database, given);
  return row!;
}
