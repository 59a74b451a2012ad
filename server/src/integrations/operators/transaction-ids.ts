import { inLatin, latin, lookAlikes } from '../../platform/text/look-alikes.ts';
import { derivedUuid } from '../../platform/values/ids.ts';

/**
 * The alphabet of ids from outside, such as an operator's transaction or request id: visible characters, separated by
 * single spaces U+0020. Characters without a glyph (control characters, lone surrogates, direction marks, zero
 * widths) cannot be stored, or make two ids look alike.
 */
const outsideTheAlphabet = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
const allOutside = new RegExp(outsideTheAlphabet.source, 'gu');

/** In characters, as in the standard. */
const longestName = 256;

/**
 * Whether a value is an id that can be booked: 1 to 256 characters of the alphabet, no space at either end, and each
 * letter composed with its accent, since the decomposed form looks the same.
 */
export function isName(value: unknown): value is string {
  if (typeof value !== 'string' || value === '' || value.length > 2 * longestName) return false;
  if (outsideTheAlphabet.test(value) || value.trim() !== value) return false;
  if (value.normalize() !== value) return false;
  return value.length <= longestName || Array.from(value).length <= longestName;
}

/** The rule for such an id, as the end of a sentence about a field. */
export const nameRule = 'must have at most 256 characters, all of which can be seen';

const uuidShape = /^[\dA-Fa-f]{8}(?:-[\dA-Fa-f]{4}){3}-[\dA-Fa-f]{12}$/;

/**
 * The one spelling under which an id is stored where it must be unique: a UUID ignores case, by its own standard, and
 * letters that look alike are the same; in any other id each character counts. People see the operator's spelling.
 */
export const canonicalName = (name: string): string =>
  uuidShape.test(name) ? name.toLowerCase() : inLatin(name);

/** The same debit of the same payment has the same reversal, however often it is reported, and in any spelling. */
export const reversalIdOf = (paymentId: string, operatorTxId: string): string =>
  derivedUuid(paymentId, canonicalName(operatorTxId));

/** Whether two ids are the same, in any spelling. */
export const isSameName = (one: string | null | undefined, other: string | null): boolean =>
  one === other ||
  (typeof one === 'string' && other !== null && canonicalName(one) === canonicalName(other));

/**
 * The spellings under which an id may be stored: first the canonical one, then those of older programs, which stored
 * any.
 */
export const spellingsOf = (name: string): string[] =>
  uuidShape.test(name)
    ? [...new Set([name.toLowerCase(), name.toUpperCase(), name])]
    : [...new Set([inLatin(name), name])];

const isUuid = (name: string) => `${name} ~ '^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$'`;

const isPlainIn = (name: string) => `${name} ~ '^[ -~]*$'`;
const inLatinIn = (name: string) => `translate(${name}, '${lookAlikes}', '${latin}')`;

/** {@link canonicalName} in a statement, of a column or an expression. */
export const canonicalNameIn = (name: string) =>
  `CASE WHEN ${isUuid(name)} THEN lower(${name}) WHEN ${isPlainIn(name)} THEN ${name} ELSE ${inLatinIn(name)} END`;

/** {@link spellingsOf} in a statement: an array. */
export const spellingsIn = (name: string) =>
  `CASE WHEN ${isUuid(name)} THEN ARRAY[lower(${name}), upper(${name}), ${name}]
    WHEN ${isPlainIn(name)} THEN ARRAY[${name}] ELSE ARRAY[${inLatinIn(name)}, ${name}] END`;

/** Makes any text from outside storable and visible: characters without a glyph are replaced by their code points. */
export function escaped(text: string): string {
  return text.replace(allOutside, (each) => `\\u{${each.codePointAt(0)!.toString(16)}}`);
}

/** An id in readable form, even if it is malformed: escaped, and shortened if it is too long. */
export function readableName(text: string): string {
  const characters = Array.from(escaped(text.slice(0, 2 * longestName + 1)));
  if (characters.length <= longestName) return characters.join('');
  return `${characters.slice(0, longestName).join('')}…`;
}
