import { derivedUuid } from '../../platform/values/ids.ts';

/**
 * The alphabet of names from outside, such as an operator's transaction reference or request id: characters that can
 * be seen, and single spaces' worth of U+0020 between them. What has no glyph (control characters, lone surrogates,
 * marks of direction, zero widths) cannot be stored, or makes two names look like one.
 */
const outsideTheAlphabet = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
const allOutside = new RegExp(outsideTheAlphabet.source, 'gu');

/** In characters, as the standard has it. */
const longestName = 256;

/**
 * Whether a value is a name that can be booked: 1 to 256 characters of the alphabet, no space at either end, and each
 * letter with its accent in one, since the same looks the same in two.
 */
export function isName(value: unknown): value is string {
  if (typeof value !== 'string' || value === '' || value.length > 2 * longestName) return false;
  if (outsideTheAlphabet.test(value) || value.trim() !== value) return false;
  if (value.normalize() !== value) return false;
  return value.length <= longestName || Array.from(value).length <= longestName;
}

/** What such a name is, as it goes on after a field. */
export const nameRule = 'must have at most 256 characters, all of which can be seen';

const uuidShape = /^[\dA-Fa-f]{8}(?:-[\dA-Fa-f]{4}){3}-[\dA-Fa-f]{12}$/;

/**
 * The one spelling under which a name is kept where each may stand only once: a UUID is the same in capitals, by its
 * own standard; of any other name each character counts. People are shown what the operator wrote.
 */
export const canonicalName = (name: string): string =>
  uuidShape.test(name) ? name.toLowerCase() : name;

/** The same debit of the same payment has the same reversal, however often it is heard of, and in whatever spelling. */
export const reversalIdOf = (paymentId: string, operatorTxId: string): string =>
  derivedUuid(paymentId, canonicalName(operatorTxId));

/** Whether two names are the same, in whatever spelling. */
export const isSameName = (one: string | null | undefined, other: string | null): boolean =>
  one === other ||
  (typeof one === 'string' && other !== null && canonicalName(one) === canonicalName(other));

/** The spellings in which a name may be kept: first the canonical one, then those of programs that kept any. */
export const spellingsOf = (name: string): string[] =>
  uuidShape.test(name) ? [...new Set([name.toLowerCase(), name.toUpperCase(), name])] : [name];

const isUuid = (name: string) => `${name} ~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$'`;

/** {@link canonicalName} in a statement, of a column or an expression. */
export const canonicalNameIn = (name: string) =>
  `CASE WHEN ${isUuid(name)} THEN lower(${name}) ELSE ${name} END`;

/** {@link spellingsOf} in a statement: an array. */
export const spellingsIn = (name: string) =>
  `CASE WHEN ${isUuid(name)} THEN ARRAY[lower(${name}), upper(${name}), ${name}] ELSE ARRAY[${name}] END`;

/** Any text from outside so that it can be stored and shown: what has no glyph stands there by its code point. */
export function escaped(text: string): string {
  return text.replace(allOutside, (each) => `\\u{${each.codePointAt(0)!.toString(16)}}`);
}

/** A name as a person can read it, even where it is none: escaped, and cut where it is too long. */
export function readableName(text: string): string {
  const characters = Array.from(escaped(text.slice(0, 2 * longestName + 1)));
  if (characters.length <= longestName) return characters.join('');
  return `${characters.slice(0, longestName).join('')}…`;
}
