import type { CurrencyTotals, Period, Totals } from '../../../money/totals/read.ts';
import { dayStartMs, wallClock } from '../../../platform/values/local-day.ts';
import { addDays, addMonths } from '../parts/calendar-days.ts';

const hourMs = 3_600_000;
const none = {
  volumeMinor: 0n,
  feeMinor: 0n,
  succeeded: 0,
  failed: 0,
  expired: 0,
  cancelled: 0,
  refundedMinor: 0n,
  refunds: 0,
};

type Shown = Pick<Totals, 'fromMs' | 'untilMs'> & { period: Period; timeZone: string };

/**
 * The same totals with a row for each day up to today, or each hour of today: a chart of the few days with payments
 * would hide how far apart they are.
 */
export function filled<Of extends CurrencyTotals>(totals: Of, shown: Shown): Of {
  if (totals.series.length === 0) return totals;
  const known = new Map(totals.series.map((row) => [row.fromMs, row]));
  const series = startsOf(shown).map((fromMs) => known.get(fromMs) ?? { ...none, fromMs });
  // A row of a clock slightly ahead may lie beyond the last.
  const beyond = totals.series.filter(({ fromMs }) => fromMs > series.at(-1)!.fromMs);
  return { ...totals, series: [...series, ...beyond] };
}

function startsOf({ fromMs, period, timeZone }: Shown): number[] {
  const first = wallClock(fromMs, timeZone).slice(0, 10);
  const days = 'days' in period ? period.days : daysOfMonth(first);
  if (days > 1) {
    return Array.from({ length: days }, (_, index) => dayStartMs(addDays(first, index), timeZone));
  }
  const endMs = dayStartMs(addDays(first, 1), timeZone);
  return Array.from({ length: (endMs - fromMs) / hourMs }, (_, hour) => fromMs + hour * hourMs);
}

/** @param first `2026-11-01` */
const daysOfMonth = (first: string): number =>
  (Date.parse(addMonths(first, 1)) - Date.parse(first)) / 86_400_000;
