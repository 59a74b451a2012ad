/** Letters that Unicode does not decompose, and signs with a different spelling at banks. */
const others: Record<string, string> = {
  Æ: 'AE',
  æ: 'ae',
  Œ: 'OE',
  œ: 'oe',
  Ø: 'O',
  ø: 'o',
  Đ: 'D',
  đ: 'd',
  Ð: 'D',
  ð: 'd',
  Ł: 'L',
  ł: 'l',
  Þ: 'TH',
  þ: 'th',
  ẞ: 'SS',
  ß: 'ss',
  ı: 'i',
  '&': '+',
  '’': "'",
  '‘': "'",
  '–': '-',
  '—': '-',
};

/**
 * Text in the characters that banks take in every message (the Latin set of SEPA): ã becomes a, ç c, º o; a character
 * without an equivalent becomes a full stop. The text neither begins nor ends with a slash, nor has two in a row.
 * @param longest in characters; longer text is cut off
 */
export function bankText(text: string, longest: number): string {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '');
  const latin = plain.replace(/[^ -~]|&/gu, (each) => others[each] ?? each);
  return latin
    .replace(/\s+/g, ' ')
    .replace(/[^A-Za-z0-9 /\-?:().,'+]/gu, '.')
    .replace(/\/{2,}/g, '/')
    .replace(/^[ /]+/, '')
    .slice(0, longest)
    .replace(/[ /]+$/, '');
}
