import type { Currency } from './money.ts';

const separator = '[\\s.\\-()\\[\\]{}]*';

/** What {@link normalizePhone} takes, as a regular expression. */
export const writtenPhone = `^${separator}\\+${separator}[1-9](?:${separator}[0-9]){7,14}${separator}$`;

export const phoneRule =
  'must be an international number: + and 8 to 15 digits, the first of them not 0';

const phonePattern = /^\+[1-9]\d{7,14}$/;

/** `+2389912345`: separators are dropped; undefined unless `+` and 8 to 15 digits are left. No country code begins with 0. */
export function normalizePhone(phone: string): string | undefined {
  const digits = phone.replace(/[\s.\-()[\]{}]/g, '');
  return phonePattern.test(digits) ? digits : undefined;
}

/** The currency of the phone's country; undefined where we do not know the country. */
export function currencyOfCountry(phone: string): Currency | undefined {
  if (phone.startsWith('+238')) return 'CVE';
  return phone.startsWith('+244') ? 'AOA' : undefined;
}

/** In what a phone pays if nobody says otherwise. */
export const currencyOfPhone = (phone: string): Currency => currencyOfCountry(phone) ?? 'CVE';

/** What stands in the place of a phone that was erased; no country has such numbers. */
export const erasedPhone = '+00000000';

/** `+238•••••45`: enough to ask a customer whether it is theirs, and too little to call them. */
export function maskPhone(phone: string): string {
  if (phone === erasedPhone) return phone;
  return `${phone.slice(0, 4)}${'•'.repeat(Math.max(0, phone.length - 6))}${phone.slice(-2)}`;
}

/** `••• 345`: what whoever has a link may see. */
export const endOfPhone = (phone: string): string => `••• ${phone.slice(-3)}`;

/** What a key must hold to read phones; without it they are masked. */
export const readsPhones = 'phones:read';

/**
 * JSON of a payment or an event with its phone masked. The first such field is ours: those of metadata stand behind
 * it, and within a text the quotation marks would be escaped.
 */
export function maskJson(json: string): string {
  return json.replace(
    /"operatorPhone":"([^"]*)"/,
    (_field, phone: string) => `"operatorPhone":"${maskPhone(phone)}"`,
  );
}

/** What replaces a phone in the middle of a text: valid there as a word and as a number of JSON. */
export const erasedDigits = '0';

/** What may stand between two digits of a phone. Not what keeps the values of JSON apart. */
const between = '[^A-Za-z0-9"\\\\,:{}\\[\\]]{0,4}';

const digitsOf = (phone: string) => phone.replace('+', '');
const apart = (phone: string) => digitsOf(phone).split('').join(between);

/** Finds a phone in a text: with `+`, `00` or nothing before it, and whatever separates its digits. */
export function phoneInText(phone: string): string {
  return `(?<![0-9])(?:00)?${apart(phone)}(?![0-9])`;
}

/**
 * Finds a phone where it is written as one: with `+` or `00` before it, which is kept as the first group, or with
 * its digits apart. Bare digits may be an order number, and digits with one point a decimal number.
 */
export function phoneWrittenInText(phone: string): string {
  const prefixed = `(\\+|%2[Bb]|(?<![0-9])00)${between}${apart(phone)}`;
  const isDecimal = `[0-9]+[.][0-9]+(?!${between}[0-9])`;
  const bare = `(?<![0-9])(?!${digitsOf(phone)}(?![0-9]))(?!${isDecimal})${apart(phone)}`;
  return `(?:${prefixed}|${bare})(?![0-9])`;
}
