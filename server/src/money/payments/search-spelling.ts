const longest = 64;

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
export function spellingPattern(typed: string): string | undefined {
  const marked = Array.from(typed.replace(separators, ''));
  if (marked.length > longest) return undefined;
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
