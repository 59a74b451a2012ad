/*
 * Letters of Cyrillic and Greek that look like Latin ones, and the full-width forms: a person who reads a text cannot
 * tell them apart. Both texts have the same length.
 */
export const lookAlikes = `АВЕКМНОРСТУХІЈЅаеорсухіјѕΑΒΕΖΗΙΚΜΝΟΡΤΥΧο${wideForms()}`;
export const latin = `ABEKMHOPCTYXIJSaeopcyxijsABEZHIKMNOPTYXo${plainForms()}`;

function wideForms(): string {
  return Array.from(plainForms(), (plain) =>
    String.fromCharCode(plain.charCodeAt(0) + 0xfee0),
  ).join('');
}

function plainForms(): string {
  return '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_./:';
}

const latinOf = new Map(Array.from(lookAlikes, (each, index) => [each, latin[index]!]));
const isPlain = /^[ -~]*$/;

/** A text in the letters that it seems to have. */
export const inLatin = (text: string): string =>
  isPlain.test(text) ? text : Array.from(text, (each) => latinOf.get(each) ?? each).join('');

/**
 * Anything that takes ink; readers would see nothing of a text without it. Characters that Unicode has added since, or
 * leaves to fonts, at least show a box.
 */
const ink = /[[\p{L}\p{N}\p{P}\p{S}\p{Cn}\p{Co}]--\p{Default_Ignorable_Code_Point}--\u2800]/v;

export const isVisible = (text: string): boolean => ink.test(text);

const latinLetter = /\p{Script=Latin}/u;
const otherLetter = /[\p{L}--\p{Script=Latin}--\p{Script=Common}]/v;

/**
 * Whether a word has Latin letters and those of another alphabet: nobody types that but to mislead. It covers the
 * letters that look alike and are not in the list above.
 */
export const mixesAlphabets = (text: string): boolean =>
  text
    .split(/[^\p{L}\p{M}\p{Default_Ignorable_Code_Point}]+/u)
    .some((word) => latinLetter.test(word) && otherLetter.test(word));

/** What readers see of a name: neither its case and accents, nor what takes no ink. */
const seenName = (name: string): string =>
  name
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();

/** Whether readers take two names for the same. */
export const looksLike = (one: string, other: string): boolean =>
  seenName(one) === seenName(other) || seenName(inLatin(one)) === seenName(inLatin(other));
