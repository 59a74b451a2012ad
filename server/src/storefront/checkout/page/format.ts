import { type Html, html } from '../../../platform/text/html.ts';
import { type Currency, timeZoneOf } from '../../../platform/values/money.ts';
import type { Locale } from './locale.ts';

/** A line of a list of facts. */
export const fact = (name: string, value: string | Html): Html =>
  html`<div><dt>${name}</dt><dd>${value}</dd></div>`;

/** Date and time as people write them in the country of the currency. */
export function instantOf(atMs: number, currency: Currency, { tag }: Locale): string {
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: timeZoneOf[currency] } as const;
  return new Intl.DateTimeFormat(tag === 'en' ? 'en-GB' : tag, format).format(atMs);
}
