import type { Currency } from './money.ts';

export const phoneRule =
  'must be an international number: + and 8 to 15 digits, the first of them not 0';

/** The name of the format in schemas. */
export const phoneFormat = 'phone';

const phonePattern = /^\+[1-9]\d{7,14}$/;

/**
 * What stands between digits without meaning anything: all that cannot be seen, every dash, dots, and brackets. No
 * slash, comma or semicolon, since two numbers may stand around it.
 */
const separators =
  /[\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\p{Dash}\u02d7\u2043\u2796.\u00b7\u2024\u2027\u3002()[\]{}]/gu;
const wideForms = /[\uff01-\uff5e]/g;
const pluses = /[\u207a\u208a\u2795\ufb29\ufe62]/g;
const wideToPlain = 0xfee0;

/** A phone as typed or pasted, in the characters of a keypad: without separators, its digits those from 0 to 9. */
export const keypadText = (typed: string): string =>
  typed
    .replace(wideForms, (wide) => String.fromCharCode(wide.charCodeAt(0) - wideToPlain))
    .replace(/(?![0-9])\p{Nd}/gu, digitOf)
    .replace(separators, '')
    .replace(pluses, '+');

/** The same without `tel:`, and with `+` for `00`: what is dialled. Whatever else was typed remains. */
export function dialledPhone(typed: string): string {
  if (phonePattern.test(typed)) return typed;
  return keypadText(typed).replace(/^tel:/i, '').replace(/^00/, '+');
}

const escapes = /\\u([0-9a-f]{4})/gi;
const needsTyping = /[^\n -~]|\\u/i;

/**
 * A text with every digit, dash and plus as on a keyboard, and without what cannot be seen, so that a search sees its
 * phones as a reader does. JSON's escapes are read where they stand for such a character.
 */
export function plainDigits(text: string): string {
  if (!needsTyping.test(text)) return text;
  return text
    .replace(escapes, (escaped, code: string) => {
      const character = String.fromCharCode(Number.parseInt(code, 16));
      return /[\p{Nd}\p{Dash}\p{Z}\p{Default_Ignorable_Code_Point}+\uff0b]/u.test(character)
        ? character
        : escaped;
    })
    .replace(/[\uff0b\uff10-\uff19]/g, (wide) =>
      String.fromCharCode(wide.charCodeAt(0) - wideToPlain),
    )
    .replace(/(?![0-9])\p{Nd}/gu, digitOf)
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\p{Dash}/gu, '-')
    .replace(pluses, '+');
}

const isDigit = /^\p{Nd}$/u;

/** The digits of each script follow each other, from 0 to 9. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0)!;
  let value = 0;
  while (isDigit.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value % 10);
}

/**
 * The stored form, `+2389912345`, of a phone in any spelling; undefined unless it has a country code and 8 to 15
 * digits. No country code begins with 0.
 */
export function normalizePhone(typed: string): string | undefined {
  const phone = dialledPhone(typed);
  return phonePattern.test(phone) ? phone : undefined;
}

/** The currency of the phone's country; undefined for an unknown country. */
export function currencyOfCountry(phone: string): Currency | undefined {
  if (phone.startsWith('+238')) return 'CVE';
  return phone.startsWith('+244') ? 'AOA' : undefined;
}

/** The default currency of a phone. */
export const currencyOfPhone = (phone: string): Currency => currencyOfCountry(phone) ?? 'CVE';

/** The placeholder for an erased phone; no country has such numbers. */
export const erasedPhone = '+00000000';

/** `+238•••••45`: enough to ask a customer whether it is theirs, and too little to call them. */
export function maskPhone(phone: string): string {
  if (phone === erasedPhone) return phone;
  return `${phone.slice(0, 4)}${'•'.repeat(Math.max(0, phone.length - 6))}${phone.slice(-2)}`;
}

/** `••• 345`: the part that anyone with a link may see. */
export const endOfPhone = (phone: string): string => `••• ${phone.slice(-3)}`;

/** The permission to read phones; without it they are masked. */
export const readsPhones = 'phones:read';

/**
 * JSON of a payment or an event with its phone masked. The first such field is ours: fields of metadata come later, and
 * within a string the quotation marks would be escaped.
 */
export function maskJson(json: string): string {
  return json.replace(
    /"operatorPhone":"([^"]*)"/,
    (_field, phone: string) => `"operatorPhone":"${maskPhone(phone)}"`,
  );
}

/** Replaces a phone inside a text: valid there as a word and as a JSON number. */
export const erasedDigits = '0';

/** The separators between digits of a phone, without the separators of JSON values. */
const between = '[^A-Za-z0-9"\\\\,:{}\\[\\]]{0,4}';

const digitsOf = (phone: string) => phone.replace('+', '');
const apart = (phone: string) => digitsOf(phone).split('').join(between);

/** Finds a phone in a text: with `+`, `00` or nothing before it, and any separators. */
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
