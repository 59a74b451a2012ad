/** The first instant of a day, `2026-11-01`, in a time zone. */
export function dayStartMs(day: string, timeZone: string): number {
  const offsetMs = (atMs: number) => Date.parse(`${wallClock(atMs, timeZone)}Z`) - atMs;
  const wallMs = Date.parse(day);
  return wallMs - offsetMs(wallMs - offsetMs(wallMs));
}

/** Local time as text: `2026-11-01T00:00:00`. */
export const wallClock = (atMs: number, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
    .format(atMs)
    .replace(' ', 'T');

/** The first day of a later month. */
export function addMonths(day: string, count: number): string {
  const [year, month] = day.split('-').map(Number);
  return new Date(Date.UTC(year!, month! - 1 + count, 1)).toISOString().slice(0, 10);
}
