import type { Queryable } from '../../platform/postgres/database.ts';
import { prepare } from '../../platform/postgres/statement.ts';
import { addMonths, dayStartMs, wallClock } from '../../platform/values/local-day.ts';

/** This many days, the last of them today. */
export type Days = 1 | 7 | 30 | 90;

/** The last days, or a calendar month as `2026-11`, up to now at most. */
export type Period = { days: Days } | { month: string };

const rangeStatement = prepare({
  name: 'totals.range',
  given: { now: 'timestamptz', timeZone: 'text', days: 'integer' },
  text: ({ now, timeZone, days }) => `
SELECT (today - make_interval(days => ${days} - 1)) AT TIME ZONE ${timeZone} AS "fromMs",
  (today - make_interval(days => 2 * ${days} - 1)) AT TIME ZONE ${timeZone} AS "beforeFromMs",
  (local - make_interval(days => ${days})) AT TIME ZONE ${timeZone} AS "beforeUntilMs",
  today AT TIME ZONE ${timeZone} AS "todayMs",
  (today - make_interval(days => ${days})) AT TIME ZONE ${timeZone} AS "beforeTodayMs"
FROM (
  SELECT ${now} AT TIME ZONE ${timeZone} AS local, date_trunc('day', ${now} AT TIME ZONE ${timeZone}) AS today
) AS day`,
});

/** Where a period begins and ends in a time zone, and the period that it is compared with. */
export async function rangeOf(
  database: Queryable,
  question: Period & { timeZone: string; nowMs: number },
): Promise<Range> {
  return 'month' in question ? rangeOfMonth(question) : rangeOfDays(database, question);
}

/** A period and the one before, in milliseconds. */
export interface Range {
  fromMs: number;
  /** Undefined: now. */
  untilMs: number | undefined;
  beforeFromMs: number;
  beforeUntilMs: number;
  /** Where the whole days end that totals by the day may cover. */
  todayMs: number;
  beforeTodayMs: number;
}

async function rangeOfDays(
  database: Queryable,
  { days, timeZone, nowMs }: { days: Days; timeZone: string; nowMs: number },
): Promise<Range> {
  type Row = Omit<Range, 'untilMs'>;
  const [row] = await rangeStatement.run<Row>(database, { now: nowMs, timeZone, days });
  return { ...row!, untilMs: undefined };
}

/** A whole month is compared with the whole month before, the current one with as much of that month. */
function rangeOfMonth({
  month,
  timeZone,
  nowMs,
}: {
  month: string;
  timeZone: string;
  nowMs: number;
}): Range {
  const startMs = (months: number) => dayStartMs(addMonths(`${month}-01`, months), timeZone);
  const [beforeFromMs, fromMs, endMs] = [startMs(-1), startMs(0), startMs(1)];
  if (nowMs >= endMs) {
    const [untilMs, todayMs] = [endMs, endMs];
    return { fromMs, untilMs, beforeFromMs, beforeUntilMs: fromMs, todayMs, beforeTodayMs: fromMs };
  }
  const todayMs = dayStartMs(wallClock(nowMs, timeZone).slice(0, 10), timeZone);
  const before = (ms: number) => Math.min(beforeFromMs + (ms - fromMs), fromMs);
  return {
    fromMs,
    untilMs: undefined,
    beforeFromMs,
    beforeUntilMs: before(nowMs),
    todayMs,
    beforeTodayMs: before(todayMs),
  };
}
