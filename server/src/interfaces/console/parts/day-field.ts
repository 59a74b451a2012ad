import { addDays, isDay, dayStartMs as startMsOf } from './calendar-days.ts';

/** Midnight at the start of a form's day, `2026-11-22`; undefined for an invalid day. */
export const dayStartMs = (day: string, timeZone: string): number | undefined =>
  isDay(day) ? startMsOf(day, timeZone) : undefined;

/** The last millisecond of a day. */
export const dayEndMs = (day: string, timeZone: string): number | undefined =>
  isDay(day) ? startMsOf(addDays(day, 1), timeZone) - 1 : undefined;
