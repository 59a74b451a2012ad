/** The total number of members of all objects in a JSON value. */
export function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') count += countMembers(item);
    return count;
  }
  // Faster than Object.values; the objects of JSON.parse inherit nothing enumerable.
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    count += typeof member === 'object' ? countMembers(member) + 1 : 1;
  }
  return count;
}

/** The state of an object or array at the current position of the scan. */
type Level = { keys: Set<string>; key: string } | { index: number };

interface Wanted {
  /** A key that occurs twice in its object. */
  repeatedKey?: boolean;
  /** A number, given by its text. */
  number?: (source: string) => boolean;
}

/**
 * The path of the first match: `items[0].name`; undefined if there is none. JSON.parse cannot find it: it keeps only one of two equal keys, and does not always pass the source text of a number to its reviver.
 * @param text valid JSON
 */
export function lookThrough(text: string, { repeatedKey, number }: Wanted): string | undefined {
  const levels: Level[] = [];
  let last = '';
  for (let at = 0; at < text.length; at++) {
    const level = levels.at(-1);
    const character = text[at]!;
    if (character === '"') {
      const end = endOfString(text, at);
      last = text.slice(at, end + 1);
      at = end;
    } else if (character === ':' && level && 'keys' in level) {
      level.key = JSON.parse(last) as string;
      if (repeatedKey && level.keys.has(level.key)) return wayTo(levels);
      level.keys.add(level.key);
    } else if (character === ',' && level && 'index' in level) level.index++;
    else if (character === '{') levels.push({ keys: new Set(), key: '' });
    else if (character === '[') levels.push({ index: 0 });
    else if (character === '}' || character === ']') levels.pop();
    else if (character === '-' || (character >= '0' && character <= '9')) {
      const end = endOfNumber(text, at);
      if (number?.(text.slice(at, end))) return wayTo(levels);
      at = end - 1;
    }
  }
  return undefined;
}

/**
 * The same JSON with unescaped keys: V8 takes `"\\u0062"` for the key `"\\"` if it has parsed an object with
 * that key before, for any client.
 */
export function withPlainKeys(text: string): string {
  let plain = '';
  let done = 0;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at)) {
    const end = endOfString(text, at) + 1;
    const written = text.slice(at, end);
    if (written.includes('\\') && /^\s*:/.test(text.slice(end, end + 1_000))) {
      plain += text.slice(done, at) + JSON.stringify(JSON.parse(written));
      done = end;
    }
    at = end;
  }
  return plain + text.slice(done);
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

const numberEnd = /[^\d+\-.eE]|$/g;

function endOfNumber(text: string, start: number): number {
  numberEnd.lastIndex = start;
  return numberEnd.exec(text)!.index;
}

function wayTo(levels: readonly Level[]): string {
  let way = '';
  for (const level of levels) {
    if ('index' in level) way += `[${level.index}]`;
    else way += way === '' ? level.key : `.${level.key}`;
  }
  return way;
}
