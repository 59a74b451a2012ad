import { localClock } from '../../payments/export-rows.ts';

const dayMs = 86_400_000;

/** Midnight at the beginning of a day as a form gives it, `2026-11-22`; undefined where it is no day. */
export function dayStartMs(day: string, timeZone: string): number | undefined {
  const wallMs = Date.parse(`${day}T00:00:00.000Z`);
  // Some numbers of days are taken for days of the next month.
  if (!(wallMs >= dayMs) || dayOf(wallMs) !== day) return undefined;
  const local = localClock(timeZone);
  const guessMs = wallMs - (local(wallMs) - wallMs);
  return wallMs - (local(guessMs) - guessMs);
}

/** The last millisecond of a day. */
export function dayEndMs(day: string, timeZone: string): number | undefined {
  if (dayStartMs(day, timeZone) === undefined) return undefined;
  const next = dayStartMs(dayOf(Date.parse(`${day}T00:00:00.000Z`) + dayMs), timeZone);
  return next === undefined ? undefined : next - 1;
}

/** The day that an instant is in, as a form takes it. */
export const localDay = (atMs: number, timeZone: string): string =>
  dayOf(localClock(timeZone)(atMs));

const dayOf = (wallMs: number) => new Date(wallMs).toISOString().slice(0, 10);
