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

const formats = new Map<string, Intl.DateTimeFormat>();

/** Cached: constructing a formatter costs a hundred times as much as using it. */
function formatIn(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(timeZone, format);
  }
  return format;
}

/** Local time, encoded as if it were UTC. */
export function wallClockMs(nowMs: number, timeZone: string): number {
  const dependencies = formatIn(timeZone).formatToParts(nowMs);
  const part = (type: string) => Number(dependencies.find((entry) => entry.type === type)?.value);
  const [year, month, day] = [part('year'), part('month'), part('day')];
  const ms = ((nowMs % 1_000) + 1_000) % 1_000;
  return Date.UTC(year, month - 1, day, part('hour'), part('minute'), part('second'), ms);
}
