import { wallClockMs } from '../../platform/values/local-day.ts';

/** The time of the daily run: the hour of the day in a time zone of the IANA database. */
export interface DailyRun {
  hour: number;
  timeZone: string;
}

const dayMs = 86_400_000;

/** The instant of the latest daily run that is not in the future, in milliseconds. */
export function latestRunMs(nowMs: number, { hour, timeZone }: DailyRun): number {
  const wall = wallClockMs(nowMs, timeZone);
  const midnight = wall - (wall % dayMs);
  const runToday = midnight + hour * 3_600_000 - (wall - nowMs);
  return runToday <= nowMs ? runToday : runToday - dayMs;
}
