import { addMonths, dayStartMs, wallClock } from '../../../platform/values/local-day.ts';
import type { MerchantContext } from '../request-context.ts';

export { addMonths, dayStartMs };

/** Calendar days as text, `2026-11-01`, which sorts in order. */

/** Whether a text, from an address for example, is an existing day. */
export function isDay(text: string | null | undefined): text is string {
  if (!text || !/^2\d{3}-\d{2}-\d{2}$/.test(text)) return false;
  const ms = Date.parse(text);
  // Date.parse reads 30 February as 2 March.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * 86_400_000).toISOString().slice(0, 10);
}

/** The current day for the visitor. */
export const today = ({ nowMs, timeZone }: Pick<MerchantContext, 'nowMs' | 'timeZone'>): string =>
  wallClock(nowMs, timeZone).slice(0, 10);
