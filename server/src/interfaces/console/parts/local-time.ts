import { localClock } from '../../../money/payments/export-rows.ts';
import { parseInstant } from '../../../platform/formats/instant.ts';

/**
 * Converts local time to an instant, in the format of browsers: a day (its midnight) or a day with
 * a time. Undefined for anything else.
 */
export function localInstantMs(text: string, timeZone: string): number | undefined {
  const wallMs = /^\d{4}-\d\d-\d\d(T\d\d:\d\d)?$/.test(text)
    ? parseInstant(text.length > 10 ? `${text}Z` : text)
    : undefined;
  if (wallMs === undefined) return undefined;
  const clock = localClock(timeZone);
  const offsetMs = clock(wallMs) - wallMs;
  // Repeated, because the offset may change between the two.
  return wallMs - (clock(wallMs - offsetMs) - (wallMs - offsetMs));
}

/** The reverse: `2026-11-22T09:30`. */
export const localText = (instantMs: number, timeZone: string): string =>
  new Date(localClock(timeZone)(instantMs)).toISOString().slice(0, 16);
