import { invalid } from '../../../platform/errors/errors.ts';
import { wallClock } from '../../../platform/values/local-day.ts';
import { type Currency, timeZoneOf } from '../../../platform/values/money.ts';

/** The first day of a month as `2026-10`, and the day after its last. */
export function monthOf(month: string): { from: string; until: string } {
  const [year, number] = month.split('-').map(Number);
  const next = new Date(Date.UTC(year!, number!, 1)).toISOString().slice(0, 10);
  return { from: `${month}-01`, until: next };
}

/** @throws VALIDATION_ERROR the month has not begun in the time zone of the currency: it has no opening balance yet */
export function requireBegun(month: string, currency: Currency, nowMs: number): void {
  const timeZone = timeZoneOf[currency];
  const now = wallClock(nowMs, timeZone).slice(0, 7);
  if (month <= now) return;
  throw invalid('month', `must be one that has begun: in ${timeZone} it is ${now}`);
}
