import { parseId } from '../../platform/values/ids.ts';
import { normalizePhone } from '../../platform/values/phone.ts';

/** What somebody may mean by what they typed into the one box: any of these that is not empty. */
export interface SearchTerm {
  paymentId?: string;
  sessionId?: string;
  /** As they are stored: a national number may be of either country. */
  phones: string[];
  /** An order, a customer or an operator's transaction, to the letter. */
  reference?: string;
  amountMinor?: bigint;
}

/** What is longer is no reference of anything. */
const maxLength = 255;
const maxAmountMinor = 9_223_372_036_854_775_807n;

/** Reads what was typed; undefined where nothing can be found by it. */
export function readSearch(typed: string): SearchTerm | undefined {
  const text = typed.trim();
  // Neither a NUL nor half a character is in any text of the database.
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

/** Digits after the code of the country: Cape Verde has 7, Angola 9. */
const countries = [
  { code: '238', length: 7 },
  { code: '244', length: 9 },
];

/** `+238 991 23 45`, `00238…`, `238…`, `991 23 45`; all that is written with digits and what keeps them apart. */
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

/** `1000`, `1.000,00`, `1,000.00`, `1 000$50`: in minor units, where it can be an amount at all. */
export function amountOf(text: string): bigint | undefined {
  const number = text.replace(currencyWords, '').replace(/[\s\u00a0\u202f']/g, ' ');
  const found = /^(\d{1,3}(?:([ .,])\d{3})(?:\2\d{3})*|\d+)(?:[.,$](\d{1,2}))?$/.exec(number);
  if (!found) return undefined;
  const [, whole, , fraction = ''] = found;
  const amountMinor = BigInt(whole!.replace(/\D/g, '') + fraction.padEnd(2, '0'));
  return amountMinor > 0n && amountMinor <= maxAmountMinor ? amountMinor : undefined;
}
