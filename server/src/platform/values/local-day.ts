import { dateTimeFormat, keptIn } from './intl-formats.ts';

/** The first instant of a day, `2026-11-01`, in a time zone. */
export const dayStartMs = (day: string, timeZone: string): number =>
  instantAtMs(Date.parse(day), timeZone);

/** The instant of a local time, as of {@link wallClockMs}. */
export function instantAtMs(wallMs: number, timeZone: string): number {
  const offsetMs = (atMs: number) => wallClockMs(atMs, timeZone) - atMs;
  // Repeated, because the offset may change between the two.
  return wallMs - offsetMs(wallMs - offsetMs(wallMs));
}

/** Local time as text: `2026-11-01T00:00:00`. */
export const wallClock = (atMs: number, timeZone: string): string =>
  new Date(wallClockMs(atMs, timeZone)).toISOString().slice(0, 19);

const quarterMs = 900_000;
const latestQuarters = new Map<string, { fromMs: number; offsetMs: number }>();

/**
 * Local time in milliseconds, encoded as if it were UTC, for the years 1000 to 9999. Today, time zones change at whole
 * quarters of an hour, so the latest quarter of each is kept.
 */
export function wallClockMs(atMs: number, timeZone: string): number {
  const fromMs = Math.floor(atMs / quarterMs) * quarterMs;
  const kept = keptIn(latestQuarters, timeZone, () => ({ fromMs: Number.NaN, offsetMs: 0 }));
  if (kept.fromMs !== fromMs)
    Object.assign(kept, { fromMs, offsetMs: offsetMsAt(fromMs, timeZone) });
  return atMs + kept.offsetMs;
}

function offsetMsAt(atMs: number, timeZone: string): number {
  const parts = dateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(atMs);
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
  const [year, month, day] = [part('year'), part('month'), part('day')];
  return Date.UTC(year, month - 1, day, part('hour'), part('minute'), part('second')) - atMs;
}

/** The first day of a later month. */
export function addMonths(day: string, count: number): string {
  const [year, month] = day.split('-').map(Number);
  return new Date(Date.UTC(year!, month! - 1 + count, 1)).toISOString().slice(0, 10);
}
