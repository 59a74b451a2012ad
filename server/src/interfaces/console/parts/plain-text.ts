/** Characters that are invisible, or that reorder text: they are shown as escapes. */
const unseen = /[^\P{C}\n\t]|[\p{Zl}\p{Zp}]/gu;

/**
 * Strangers' text for display: truncated, and without characters that affect the rest. The page
 * escapes it like any text.
 */
export function plainText(text: string, longest = 2_000): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return cut
    .toWellFormed()
    .replace(unseen, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/** A truncated text extends to the end: otherwise each quote would start a search through the rest. */
const token = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/g;

/**
 * Formats JSON in lines, even if truncated. Words, numbers and texts stay as written, because
 * foreign numbers may exceed ours.
 */
export function prettyJson(json: string): string {
  let depth = 0;
  let before = '';
  let pretty = '';
  const line = () => `\n${'  '.repeat(depth)}`;
  for (const [text] of json.matchAll(token)) {
    if (text === '}' || text === ']') {
      depth -= 1;
      if (before !== '{' && before !== '[') pretty += line();
    } else if (before === '{' || before === '[' || before === ',') {
      pretty += line();
    }
    pretty += text === ':' ? ': ' : text;
    if (text === '{' || text === '[') depth += 1;
    before = text;
  }
  return pretty;
}
