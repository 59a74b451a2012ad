import { parseInstant } from '../../../platform/formats/instant.ts';
import { instantAtMs, wallClock } from '../../../platform/values/local-day.ts';

/**
 * Converts local time to an instant, in the format of browsers: a day (its midnight) or a day with
 * a time. Undefined for anything else.
 */
export function localInstantMs(text: string, timeZone: string): number | undefined {
  const wallMs = /^\d{4}-\d\d-\d\d(T\d\d:\d\d)?$/.test(text)
    ? parseInstant(text.length > 10 ? `${text}Z` : text)
    : undefined;
  return wallMs === undefined ? undefined : instantAtMs(wallMs, timeZone);
}

/** The reverse: `2026-11-22T09:30`. */
export const localText = (instantMs: number, timeZone: string): string =>
  wallClock(instantMs, timeZone).slice(0, 16);
