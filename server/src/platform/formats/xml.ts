/** An element, with the prefix of its namespace left out. */
export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: XmlElement[];
  /** Its own text, without that of its children. */
  text: string;
}

/** The kind of problem, for pages with their own texts. */
export type XmlProblem = 'ENCODING' | 'DOCTYPE' | 'ENTITY' | 'SYNTAX' | 'SIZE';

export class XmlError extends Error {
  readonly problem: XmlProblem;

  constructor(problem: XmlProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

const deepest = 40;
const mostElements = 200_000;

const openTag =
  /<([A-Za-z_][\w.:-]{0,99})((?:\s+[A-Za-z_][\w.:-]{0,99}\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/y;
const closeTag = /<\/([A-Za-z_][\w.:-]{0,99})\s*>/y;
const attribute = /([A-Za-z_][\w.:-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
/** Characters that XML cannot contain, not even escaped. */
const notInXml = /(?![\t\n\r])\p{Cc}|[\ufffe\uffff]|\p{Cs}/u;

/**
 * Reads a file of data in XML. It is strict, and knows less than XML: UTF-8 only; no document type, so that no entity
 * can be declared; names in ASCII letters. The time is linear in the size, and the size of the result is limited.
 * @throws XmlError
 */
export function parseXml(bytes: Uint8Array): XmlElement {
  const text = textOf(bytes);
  const root: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [{ element: root, tag: '' }];
  let count = 0;
  let at = 0;
  while (at < text.length) {
    const { element, tag } = open.at(-1)!;
    const next = text.indexOf('<', at);
    const end = next === -1 ? text.length : next;
    const between = text.slice(at, end);
    if (open.length > 1) element.text += unescaped(between);
    else if (between.trim() !== '') throw syntax('text outside of the document');
    if (next === -1) break;
    const skipped = skip(text, next);
    if (skipped !== undefined) {
      if (open.length > 1) element.text += skipped.text;
      else if (skipped.text !== '') throw syntax('text outside of the document');
      at = skipped.end;
      continue;
    }
    closeTag.lastIndex = next;
    const closing = closeTag.exec(text);
    if (closing) {
      if (closing[1] !== tag) throw syntax(`</${closing[1]}> closes nothing that is open`);
      open.pop();
      at = closeTag.lastIndex;
      continue;
    }
    openTag.lastIndex = next;
    const opening = openTag.exec(text);
    if (!opening) throw syntax('"<" begins no tag');
    count += 1;
    if (count > mostElements) throw new XmlError('SIZE', `more than ${mostElements} elements`);
    if (open.length > deepest) throw new XmlError('SIZE', `more than ${deepest} levels`);
    if (element === root && root.children.length > 0) throw syntax('a second document');
    const child = elementOf(opening[1]!, opening[2]!);
    element.children.push(child);
    if (opening[3] !== '/') open.push({ element: child, tag: opening[1]! });
    at = openTag.lastIndex;
  }
  const [document] = root.children;
  if (open.length > 1 || document === undefined) throw syntax('the document is not complete');
  return document;
}

const syntax = (message: string) => new XmlError('SYNTAX', message);

const boms: readonly (readonly number[])[] = [
  [0xff, 0xfe],
  [0xfe, 0xff],
];

function textOf(bytes: Uint8Array): string {
  const isWide = boms.some((bom) => bom.every((byte, index) => bytes[index] === byte));
  const wrong = new XmlError('ENCODING', 'the file must be in UTF-8');
  if (isWide) throw wrong;
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw wrong;
  }
  const declared = /^<\?xml[^>]{0,200}?encoding\s*=\s*["']([^"']{0,40})["']/.exec(text)?.[1];
  if (declared !== undefined && !/^(utf-8|us-ascii)$/i.test(declared)) throw wrong;
  if (notInXml.test(text)) throw syntax('a character that XML does not have');
  return text;
}

/** What is no tag: comments, instructions to programs, and text in CDATA. */
function skip(text: string, at: number): { text: string; end: number } | undefined {
  const until = (begin: string, end: string) => {
    if (!text.startsWith(begin, at)) return undefined;
    const found = text.indexOf(end, at + begin.length);
    if (found === -1) throw syntax(`${begin} without ${end}`);
    return { text: text.slice(at + begin.length, found), end: found + end.length };
  };
  const cdata = until('<![CDATA[', ']]>');
  if (cdata) return cdata;
  const other = until('<!--', '-->') ?? until('<?', '?>');
  if (other) return { text: '', end: other.end };
  if (text.startsWith('<!', at)) throw new XmlError('DOCTYPE', 'a document type is not allowed');
  return undefined;
}

function elementOf(tag: string, given: string): XmlElement {
  const attributes: Record<string, string> = Object.create(null);
  for (const [, name, quoted, single] of given.matchAll(attribute)) {
    if (name! in attributes) throw syntax(`${name} stands twice in <${tag}>`);
    attributes[name!] = unescaped(quoted ?? single ?? '');
  }
  return { name: localName(tag), attributes, children: [], text: '' };
}

const localName = (tag: string) => tag.slice(tag.indexOf(':') + 1);

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/** Only the five entities of XML itself, and numbers of characters. */
function unescaped(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|([A-Za-z]{1,10}));|&/g,
    (all, ...found) => {
      const [decimal, hex, name] = found as (string | undefined)[];
      const named =
        name !== undefined && Object.hasOwn(entities, name) ? entities[name] : undefined;
      if (named !== undefined) return named;
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
      const character = code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffe';
      if (Number.isNaN(code) || notInXml.test(character)) {
        throw new XmlError('ENTITY', `${all.slice(0, 20)} is not allowed`);
      }
      return character;
    },
  );
}
