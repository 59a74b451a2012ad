import { type Html, html } from '../../../platform/text/html.ts';
import { timeZoneName, timeZoneNameAt } from '../../../platform/text/time-zone-name.ts';
import { formatId, type IdPrefix } from '../../../platform/values/ids.ts';
import { dateTimeFormat, numberFormat } from '../../../platform/values/intl-formats.ts';
import { wallClock } from '../../../platform/values/local-day.ts';
import { customerMoney, money as plainMoney } from '../../../storefront/checkout/page/money.ts';
import { writtenPhone } from '../../../storefront/checkout/page/phone.ts';
import { always, timeZoneAt } from '../../../tenants/merchants/time-zone.ts';
import type { RequestContext } from '../request-context.ts';

/** Without `timeZones`, the one time zone holds for all instants. */
type Reader = Pick<RequestContext, 'language' | 'timeZone' | 'words'> &
  Partial<Pick<RequestContext, 'timeZones'>>;

/** `1.000,00 CVE`, without line breaks. */
export const amount = (
  { language }: Pick<Reader, 'language'>,
  amountMinor: bigint,
  currency: string,
): Html => html`<span class="amount">${signed(amountMinor, currency, language)}</span>`;

/** The same where a customer reads it, such as on a poster: `1.000$00 CVE`. */
export const customerAmount: typeof amount = ({ language }, amountMinor, currency) =>
  html`<span class="amount">${customerMoney(amountMinor, currency, language)}</span>`;

function signed(amountMinor: bigint, currency: string, language: Reader['language']): string {
  const text = plainMoney(amountMinor < 0n ? -amountMinor : amountMinor, currency, language);
  return amountMinor < 0n ? `−${text}` : text;
}

/** An amount as text: `1.000,00 CVE`, or without a currency where the record names none. */
export const minorText = (
  { language }: Pick<Reader, 'language'>,
  amountMinor: bigint,
  currency = '',
): string => signed(amountMinor, currency, language).trimEnd();

/** Day and time as text. */
export const instantText = (reader: Reader, instantMs: number): string =>
  dayAndTime({ ...reader, timeZone: zoneAt(reader, instantMs) }).format(instantMs);

/**
 * Day and time in the reader's words and time zone. The frame of the page names that zone; an instant from before a
 * change of it names its own. The title has the instant to the millisecond, with its zone.
 */
export const instant = (reader: Reader, instantMs: number): Html =>
  timeOf(reader, instantMs, dayAndTime);

/** Day and time to the second, for developers, and where one step follows another. */
export const instantToSecond = (reader: Reader, instantMs: number): Html =>
  timeOf(reader, instantMs, (local) => dayAndTime(local, { second: '2-digit' }));

/** The time of day alone, for a row below its day. */
export const timeOfDay = (reader: Reader, instantMs: number): Html =>
  timeOf(reader, instantMs, hourAndMinute);

/** The day alone. */
export const day = (reader: Reader, instantMs: number): Html => timeOf(reader, instantMs, dayOnly);

/** The same reader in another time zone, such as that of a statement's currency. */
export const inZone = <Someone extends Reader>(reader: Someone, timeZone: string): Someone => ({
  ...reader,
  timeZone,
  timeZones: always(timeZone),
});

const zoneAt = ({ timeZone, timeZones }: Reader, instantMs: number): string =>
  timeZones === undefined ? timeZone : timeZoneAt(timeZones, instantMs);

function timeOf(reader: Reader, instantMs: number, formatOf: typeof dayOnly): Html {
  const { language } = reader;
  const timeZone = zoneAt(reader, instantMs);
  const iso = new Date(instantMs).toISOString();
  const local = wallClock(instantMs, timeZone).replace('T', ' ');
  const title = `${local}${iso.slice(19, -1)}, ${timeZoneNameAt(language, timeZone, instantMs)}`;
  const other =
    timeZone === reader.timeZone ? undefined : html` (${timeZoneName(language, timeZone)})`;
  const shown = formatOf({ ...reader, timeZone }).format(instantMs);
  return html`<time datetime="${iso}" title="${title}">${shown}${other}</time>`;
}

/** The day in text: the same for all instants of a day. */
export const dayText = (reader: Reader, instantMs: number): string =>
  dayOnly({ ...reader, timeZone: zoneAt(reader, instantMs) }).format(instantMs);

/** A day of the calendar, `2026-11-01`. */
export const calendarDay = (reader: Reader, given: string): Html =>
  html`<time datetime="${given}">${dayOnly({ ...reader, timeZone: 'UTC' }).format(Date.parse(given))}</time>`;

/** British English has days before months and 24 hours, like Portuguese. */
export const localeOf = ({ words }: Pick<Reader, 'words'>): string =>
  words.tag === 'en' ? 'en-GB' : words.tag;

const formatOf = ({ words, timeZone }: Reader, options: Intl.DateTimeFormatOptions) =>
  dateTimeFormat(localeOf({ words }), { timeZone, ...options });

const dayAndTime = (reader: Reader, more: Intl.DateTimeFormatOptions = {}) =>
  formatOf(reader, {
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    ...more,
  });
const hourAndMinute = (reader: Reader) => formatOf(reader, { hour: '2-digit', minute: '2-digit' });
const dayOnly = (reader: Reader) =>
  formatOf(reader, { day: '2-digit', month: 'short', year: 'numeric' });

/** A count with the reader's separators. */
export const count = ({ words }: Pick<Reader, 'words'>, value: number): string =>
  numberFormat(localeOf({ words }), { useGrouping: true }).format(value);

/** A share between 0 and 1 as a percentage. */
export const share = ({ words }: Pick<Reader, 'words'>, value: number): string =>
  numberFormat(localeOf({ words }), { style: 'percent', maximumFractionDigits: 1 }).format(value);

/** An id to copy. */
export const idText = (prefix: IdPrefix, uuid: string): Html =>
  html`<code class="id">${formatId(prefix, uuid)}</code>`;

/** A status as a coloured word; the word alone suffices. */
export const status = ({ words }: Pick<Reader, 'words'>, value: string): Html =>
  html`<span class="status" data-status="${value}">${words.statuses[value] ?? value}</span>`;

/** A phone in groups of digits, to read aloud: as on the payment page. */
export const phone = (given: string): Html =>
  html`<span class="phone">${writtenPhone(given)}</span>`;

/**
 * Another person's text, with its own direction, limited to a line or two. @param most the number
 * of characters shown
 */
export function given(text: string | null | undefined, most = 160): Html | undefined {
  if (text === null || text === undefined || text === '') return undefined;
  const shown = text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text;
  return html`<bdi>${shown}</bdi>`;
}

/** A button that copies; a path is copied as a full address. */
export const copyButton = ({ words }: Pick<Reader, 'words'>, label: string, text: string): Html =>
  html`<button type="button" class="button quiet" data-copy="${text}" data-copied="${words.copied}">${label}</button>`;
