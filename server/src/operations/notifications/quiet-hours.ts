import { wallClockMs } from '../../platform/values/local-day.ts';

/** The hours without mail: minutes of the day in the person's time zone. */
export interface QuietHours {
  fromMinutes: number;
  untilMinutes: number;
  timeZone: string;
}

const minuteMs = 60_000;
const dayMinutes = 1_440;
/** No change to or from daylight saving time is longer. */
const longestChangeMinutes = 180;

/** Returns the minutes since midnight in a time zone. */
export const minutesOfDay = (timeZone: string, atMs: number): number =>
  Math.floor(wallClockMs(atMs, timeZone) / minuteMs) % dayMinutes;

function isQuiet({ fromMinutes: from, untilMinutes: until, timeZone }: QuietHours, atMs: number) {
  const now = minutesOfDay(timeZone, atMs);
  return from <= until ? now >= from && now < until : now >= from || now < until;
}

/**
 * Returns the end of the current quiet hours; undefined outside them. In a night when the clocks change, this is the
 * first minute outside quiet hours by the person's local time.
 */
export function quietUntilMs(hours: QuietHours | undefined, nowMs: number): number | undefined {
  if (!hours || !isQuiet(hours, nowMs)) return undefined;
  const now = minutesOfDay(hours.timeZone, nowMs);
  const left = (hours.untilMinutes - now + dayMinutes) % dayMinutes;
  const beginningMs = Math.floor(nowMs / minuteMs) * minuteMs;
  const first = Math.max(1, left - longestChangeMinutes);
  for (let minutes = first; minutes < left + longestChangeMinutes; minutes++) {
    const atMs = beginningMs + minutes * minuteMs;
    if (!isQuiet(hours, atMs)) return atMs;
  }
  return beginningMs + left * minuteMs;
}
