import { countries } from '../../platform/config/operator-catalogue.ts';
import { endOfReferenced, type IdPrefix, readId } from '../../platform/values/ids.ts';
import {
  dialledPhone,
  keypadText,
  normalizePhone,
  plainDigits,
} from '../../platform/values/phone.ts';

/** The possible meanings of the text in the search box: any of these that is not empty. */
export interface SearchTerm {
  /** The id of a payment, or of its checkout session, refund or return of a wrong debit. */
  id?: string;
  /** The end of payments' ids, from the short reference on a receipt. */
  endOfId?: string;
  /** In stored form: a national number may belong to either country. */
  phones: string[];
  /** Part of a phone. */
  partOfPhone?: PartOfPhone;
  /** An order, customer or operator's transaction. */
  reference?: string;
  /** For `~`: the same in other spellings; only where the text can be nothing but a name. */
  spelling?: string;
  amountMinor?: bigint;
}

export interface PartOfPhone {
  /** For LIKE. */
  pattern: string;
  /** Whether it says no more of the phone than everyone sees: a masked phone, or three digits as on a receipt. */
  isShown: boolean;
}

/** No reference is longer. */
const maxLength = 255;
const maxAmountMinor = 9_223_372_036_854_775_807n;

const idPrefixes: readonly IdPrefix[] = ['pi', 'cs', 're', 'rb'];
/** Within an address of the console, say. */
const idInText = /(?:^|[^a-z0-9])((?:pi|cs|re|rb)_[0-9a-z]{26})(?![a-z0-9])/i;
const unseen = /\p{Default_Ignorable_Code_Point}|\p{Cc}/gu;

/** Parses the search text; undefined if it cannot match anything. */
export function readSearch(typed: string): SearchTerm | undefined {
  const reference = typed.trim();
  // No text in the database contains a NUL or a lone surrogate.
  if (reference.length > maxLength || reference.includes('\0') || !reference.isWellFormed())
    return undefined;
  const text = plainDigits(reference).normalize('NFKC').replace(unseen, '').trim();
  if (text === '') return undefined;
  const named = idInText.exec(text)?.[1];
  const namedId = named && readId(idPrefixes, named);
  if (namedId) return { phones: [], id: namedId };
  const meanings = {
    id: readId(idPrefixes, text),
    endOfId: endOfReferenced(text),
    partOfPhone: partOfPhone(text),
    amountMinor: amountOf(text),
  };
  // A pattern takes five times as long as a comparison.
  const isName = Object.values(meanings).every((meaning) => meaning === undefined);
  return withoutUndefined({
    ...meanings,
    phones: phonesOf(text),
    reference,
    spelling: isName ? spellingPattern(reference) : undefined,
  });
}

const withoutUndefined = (term: { [Name in keyof SearchTerm]: SearchTerm[Name] | undefined }) =>
  Object.fromEntries(
    Object.entries(term).filter(([, value]) => value !== undefined),
  ) as unknown as SearchTerm;

/** A slash does not separate two phones here: nothing is charged. */
const withoutSlashes = (text: string) => text.replaceAll('/', ' ');

/** `+238 991 23 45`, `00238…`, `238…`, `991 23 45`: in any spelling. */
function phonesOf(text: string): string[] {
  const dialled = dialledPhone(withoutSlashes(text));
  if (dialled.startsWith('+')) return [normalizePhone(dialled) ?? []].flat();
  if (!/^\d+$/.test(dialled)) return [];
  return Object.values(countries).flatMap(({ callingCode, nationalDigits }) => {
    if (dialled.length === nationalDigits) return [`+${callingCode}${dialled}`];
    const isWhole = dialled.length === callingCode.length + nationalDigits;
    return isWhole && dialled.startsWith(callingCode) ? [`+${dialled}`] : [];
  });
}

const digitsOfReceipt = 3;
const mostDigits = 14;

/** `345`, `2345`, `••• 345`, and `+238•••••45`. */
function partOfPhone(text: string): PartOfPhone | undefined {
  const [, start = '', hidden = '', end = ''] =
    /^(\+\d{3})?(•*)(\d+)$/.exec(keypadText(withoutSlashes(text))) ?? [];
  if (start !== '') {
    if (hidden === '') return undefined;
    return { pattern: start + '_'.repeat(hidden.length) + end, isShown: end.length <= 2 };
  }
  if (end.length < digitsOfReceipt || end.length > mostDigits) return undefined;
  return { pattern: `%${end}`, isShown: end.length === digitsOfReceipt };
}

const currencyWords = /^(?:CVE|AOA|KZ|ESC|\$)\s*|\s*(?:CVE|AOA|KZ|ESC|\$)$/gi;

/** `1000`, `1.000,00`, `1,000.00`, `1 000$50`: in minor units, if the text can be an amount. */
export function amountOf(text: string): bigint | undefined {
  const number = text.replace(currencyWords, '').replace(/[\s'’]/g, ' ');
  const found = /^(\d{1,3}(?:([ .,])\d{3})(?:\2\d{3})*|\d+)(?:[.,$](\d{1,2}))?$/.exec(number);
  if (!found) return undefined;
  const [, whole, , fraction = ''] = found;
  const amountMinor = BigInt(whole!.replace(/\D/g, '') + fraction.padEnd(2, '0'));
  return amountMinor > 0n && amountMinor <= maxAmountMinor ? amountMinor : undefined;
}

/** A longer text is not typed. */
const mostLetters = 64;

/** Nobody types these as they are printed: spaces, hyphens, the marks of numbers, and what takes no ink. */
const separators = /[\s\p{Dash}\p{M}\p{Default_Ignorable_Code_Point}._/#,;:]/gu;
const anySeparators =
  '[\\s\\u00ad\\u0300-\\u036f\\u2000-\\u2015\\u00a0\\u202f\\u2060\\u2212ºª°._/#,;:-]*';
const ordinals = 'ºª°';
const anyOrdinal = '[oOaAºª°]?';

const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Each small letter with all its spellings in Latin script. */
const spellings = spellingsOf();

function spellingsOf(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (let code = 0xc0; code < 0x250; code += 1) {
    const letter = String.fromCodePoint(code);
    const base = plain(letter);
    if (/^[a-z]$/.test(base)) found.set(base, (found.get(base) ?? '') + letter);
  }
  found.set('o', `${found.get('o')}º°`);
  found.set('a', `${found.get('a')}ª`);
  return found;
}

/**
 * A pattern of PostgreSQL for the names that are the typed one but for case, accents, hyphens and spaces: `no 12a` for
 * `Nº 12-A`. Undefined for text without a letter or digit, and for what is too long to be typed.
 */
function spellingPattern(typed: string): string | undefined {
  const marked = Array.from(typed.replace(separators, ''));
  if (marked.length > mostLetters) return undefined;
  const parts = marked.flatMap((each) =>
    ordinals.includes(each) ? anyOrdinal : Array.from(plain(each), partFor),
  );
  if (!parts.some((part) => part !== anyOrdinal)) return undefined;
  return `^${anySeparators}${parts.join(anySeparators)}${anySeparators}$`;
}

function partFor(letter: string): string {
  const cases = new Set([letter, letter.toUpperCase()]);
  const codes = [...cases].filter((each) => Array.from(each).length === 1).map(escaped);
  return `[${codes.join('')}${spellings.get(letter) ?? ''}]`;
}

/** Never a special character of the pattern. */
const escaped = (letter: string) => `\\U${letter.codePointAt(0)!.toString(16).padStart(8, '0')}`;
