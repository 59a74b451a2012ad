import { parseId } from '../../platform/values/ids.ts';
import { normalizePhone } from '../../platform/values/phone.ts';

/** The possible meanings of the text in the search box: any of these that is not empty. */
export interface SearchTerm {
  paymentId?: string;
  sessionId?: string;
  /** In stored form: a national number may belong to either country. */
  phones: string[];
  /** An order, customer or operator's transaction, matched exactly. */
  reference?: string;
  amountMinor?: bigint;
}

/** No reference is longer. */
const maxLength = 255;
const maxAmountMinor = 9_223_372_036_854_775_807n;

/** Parses the search text; undefined if it cannot match anything. */
export function readSearch(typed: string): SearchTerm | undefined {
  const text = typed.trim();
  // No text in the database contains a NUL or a lone surrogate.
  if (text === '' || text.length > maxLength || text.includes('\0') || !text.isWellFormed())
    return undefined;
  const paymentId = parseId('pi', text);
  if (paymentId !== undefined) return { phones: [], paymentId };
  const sessionId = parseId('cs', text);
  if (sessionId !== undefined) return { phones: [], sessionId };
  const amountMinor = amountOf(text);
  const term: SearchTerm = { phones: phonesOf(text), reference: text };
  return amountMinor === undefined ? term : { ...term, amountMinor };
}

/** Digits after the country code: Cape Verde has 7, Angola 9. */
const countries = [
  { code: '238', length: 7 },
  { code: '244', length: 9 },
];

/** `+238 991 23 45`, `00238…`, `238…`, `991 23 45`: digits with the usual separators. */
function phonesOf(text: string): string[] {
  const digits = text.replace(/[\s.\-()[\]{}/]/g, '');
  if (!/^\+?\d+$/.test(digits)) return [];
  const written = digits.startsWith('00') ? `+${digits.slice(2)}` : digits;
  if (written.startsWith('+')) return [normalizePhone(written) ?? []].flat();
  return countries.flatMap(({ code, length }) => {
    if (digits.length === length) return [`+${code}${digits}`];
    return digits.startsWith(code) && digits.length === code.length + length ? [`+${digits}`] : [];
  });
}

const currencyWords = /^(?:CVE|AOA|KZ|ESC|\$)\s*|\s*(?:CVE|AOA|KZ|ESC|\$)$/gi;

/** `1000`, `1.000,00`, `1,000.00`, `1 000$50`: in minor units, if the text can be an amount. */
export function amountOf(text: string): bigint | undefined {
  const number = text.replace(currencyWords, '').replace(/[\s\u00a0\u202f']/g, ' ');
  const found = /^(\d{1,3}(?:([ .,])\d{3})(?:\2\d{3})*|\d+)(?:[.,$](\d{1,2}))?$/.exec(number);
  if (!found) return undefined;
  const [, whole, , fraction = ''] = found;
  const amountMinor = BigInt(whole!.replace(/\D/g, '') + fraction.padEnd(2, '0'));
  return amountMinor > 0n && amountMinor <= maxAmountMinor ? amountMinor : undefined;
}
