import { invalid } from '../../platform/errors/errors.ts';
import { type Language, languages } from '../../platform/text/language.ts';
import { type Currency, currencies } from '../../platform/values/money.ts';
import { type MerchantTimeZone, merchantTimeZones } from './time-zone.ts';

/** What a shop prints, and in which languages, currency and time zone it works. */
export interface ShopSettings {
  /** NIF, as receipts show it. */
  taxNumber: string | null;
  /** A few lines at the end of each receipt. */
  receiptText: string | null;
  /** The languages of customers' pages; the first is for browsers that want none of them. Null: all. */
  pageLanguages: Language[] | null;
  /** The currency that the console names first; null: that of the first bank account or payment. */
  defaultCurrency: Currency | null;
  /** The owner's choice; null: that of the first currency. */
  timeZone: MerchantTimeZone | null;
}

/** A change: null clears a value, undefined keeps it. */
export type ShopSettingsChange = {
  [Name in keyof ShopSettings]?: Name extends 'pageLanguages'
    ? readonly string[] | null
    : string | null;
};

export const shopSettingsColumns = `tax_number AS "taxNumber", receipt_text AS "receiptText",
  string_to_array(page_languages, ',') AS "pageLanguages", default_currency AS "defaultCurrency",
  time_zone AS "timeZone"`;

const longestReceiptText = 200;
const mostLines = 5;

/** The columns of a change. @throws VALIDATION_ERROR names the field */
export function shopSettingsColumnsOf(change: ShopSettingsChange): Record<string, string | null> {
  const { taxNumber, receiptText, pageLanguages, defaultCurrency, timeZone } = change;
  return {
    ...(taxNumber !== undefined && { tax_number: taxNumber && taxNumberOf(taxNumber) }),
    ...(receiptText !== undefined && { receipt_text: receiptText && linesOf(receiptText) }),
    ...(pageLanguages !== undefined && {
      page_languages: pageLanguages && languagesOf(pageLanguages),
    }),
    ...(defaultCurrency !== undefined && {
      default_currency: oneOf('defaultCurrency', defaultCurrency, currencies),
    }),
    ...(timeZone !== undefined && { time_zone: oneOf('timeZone', timeZone, merchantTimeZones) }),
  };
}

/** Nine digits in Cape Verde; in Angola ten, or fourteen with letters for people. */
function taxNumberOf(text: string): string {
  const number = text.replaceAll(/[\s.-]/g, '').toUpperCase();
  if (/^[0-9A-Z]{6,20}$/.test(number) && /\d{6}/.test(number)) return number;
  throw invalid('taxNumber', 'must have 6 to 20 digits and letters, such as 254123456');
}

function linesOf(text: string): string | null {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.replaceAll(/\p{Cc}/gu, ' ').trim())
    .filter((line) => line !== '');
  const joined = lines.join('\n');
  if (joined.length <= longestReceiptText && lines.length <= mostLines) return joined || null;
  throw invalid(
    'receiptText',
    `must have at most ${longestReceiptText} characters on ${mostLines} lines`,
  );
}

function languagesOf(given: readonly string[]): string {
  const known = given.every((each) => languages.some((language) => language === each));
  if (known && given.length > 0 && new Set(given).size === given.length) return given.join(',');
  throw invalid('pageLanguages', 'must be pt, en or both, in the order of preference');
}

function oneOf(name: string, given: string | null, all: readonly string[]): string | null {
  if (given === null || all.includes(given)) return given;
  throw invalid(name, `must be ${all.join(' or ')}`);
}
