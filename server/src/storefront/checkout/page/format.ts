import { type Html, html } from '../../../platform/text/html.ts';
import { timeZoneName } from '../../../platform/text/time-zone-name.ts';
import { dateTimeFormat } from '../../../platform/values/intl-formats.ts';
import { type TimeZones, timeZoneAt } from '../../../tenants/merchants/time-zone.ts';
import type { Locale } from './locale.ts';

/** A line of a list of facts. */
export const fact = (name: string, value: string | Html): Html =>
  html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

/** Date and time as people write them, in the shop's time zone, with its name. */
export const zonedInstant = (atMs: number, zones: TimeZones, words: Locale): Html =>
  html`${instantOf(atMs, zones, words)} <small>${timeZoneName(words.language, timeZoneAt(zones, atMs))}</small>`;

/** The same without the name. */
export function instantOf(atMs: number, zones: TimeZones, { tag }: Locale): string {
  const timeZone = timeZoneAt(zones, atMs);
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone } as const;
  return dateTimeFormat(tag === 'en' ? 'en-GB' : tag, format).format(atMs);
}
