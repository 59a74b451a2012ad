/**
 * The alphabet of names from outside, such as an operator's transaction reference or request id: characters that can
 * be seen, and single spaces' worth of U+0020 between them. What has no glyph (control characters, lone surrogates,
 * marks of direction, zero widths) cannot be stored, or makes two names look like one.
 */
const outsideTheAlphabet = /(?! )[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
const allOutside = new RegExp(outsideTheAlphabet.source, 'gu');

/** In characters, as the standard has it. */
const longestName = 256;

/** Whether a value is a name that can be booked: 1 to 256 characters of the alphabet, no space at either end. */
export function isName(value: unknown): value is string {
  if (typeof value !== 'string' || value === '' || value.length > 2 * longestName) return false;
  if (outsideTheAlphabet.test(value) || value.trim() !== value) return false;
  return value.length <= longestName || Array.from(value).length <= longestName;
}

const uuidShape = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Whether two names are the same; a UUID may be written in capitals. */
export const isSameName = (one: string | null | undefined, other: string | null): boolean =>
  one === other ||
  (typeof one === 'string' && uuidShape.test(one) && one.toLowerCase() === other?.toLowerCase());

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
