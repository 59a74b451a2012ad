/** Characters that are not seen, or that turn the order of what is: they are shown as what they are. */
const unseen = /[^\P{C}\n\t]|[\p{Zl}\p{Zp}]/gu;

/**
 * Text of strangers as it can be shown: cut, and without anything that changes how the rest is read. The page
 * escapes it as any other text.
 */
export function plainText(text: string, longest = 2_000): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return cut
    .toWellFormed()
    .replace(unseen, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}

/** A text that is cut off reaches to the end: else each quote in it would begin a search of all the rest. */
const token = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/g;

/**
 * JSON in lines; it may be cut off. Each word, number and text stays as it was written: numbers of others may be larger
 * than ours.
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
