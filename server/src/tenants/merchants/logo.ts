import { invalid } from '../../platform/errors/errors.ts';

export interface Logo {
  type: 'image/svg+xml' | 'image/png';
  bytes: Buffer;
}

/** The whole page should stay below 30 KB. */
const mostBytes = 12 * 1024;
const mostPixels = 1024;
const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');

/**
 * Checks a logo: a PNG, or an SVG that only draws.
 * @throws VALIDATION_ERROR for anything else, or more than 12 KiB
 */
export function checkLogo(bytes: Buffer): Logo {
  if (bytes.length > mostBytes) {
    throw invalid(
      'logo',
      `must have at most ${mostBytes / 1024} KiB; this one has ${bytes.length} bytes`,
    );
  }
  if (bytes.subarray(0, 8).equals(pngSignature))
    return { type: 'image/png', bytes: checkPng(bytes) };
  return { type: 'image/svg+xml', bytes: checkSvg(bytes) };
}

function checkPng(bytes: Buffer): Buffer {
  const isWhole = bytes.length > 45 && bytes.toString('latin1', 12, 16) === 'IHDR';
  const ends = bytes.subarray(-8, -4).toString('latin1') === 'IEND';
  if (!isWhole || !ends) throw invalid('logo', 'must be a whole PNG file; this one is damaged');
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  if (Math.max(width, height) > mostPixels || Math.min(width, height) < 1) {
    throw invalid('logo', `must have at most ${mostPixels} pixels on each side`);
  }
  return bytes;
}

const elements = new Set(
  `svg g path rect circle ellipse line polyline polygon text tspan textPath defs use symbol title desc
  linearGradient radialGradient stop pattern clipPath mask style metadata filter feGaussianBlur feOffset
  feBlend feFlood feComposite feColorMatrix feMerge feMergeNode feDropShadow`.split(/\s+/),
);
const prolog = /^\s*(<\?xml [^<>]*\?>)?\s*/;
/** Encodings that agree with ours about ASCII, of which all markup consists. */
const encodings = /^(?:utf-8|us-ascii|iso-8859-\d+|windows-125\d)$/i;
const comment = /<!--.*?-->/gs;
const tag = /<\/?([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*\/?>/g;
const attribute = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** An allowlist: only attributes known to be harmless pass. */
function checkSvg(bytes: Buffer): Buffer {
  const whole = decode(bytes);
  const declared = /encoding\s*=\s*["']([^"']*)/.exec(prolog.exec(whole)?.[1] ?? '')?.[1];
  if (declared !== undefined && !encodings.test(declared)) refuse('another encoding than UTF-8');
  const text = whole.replace(prolog, '').replace(comment, '').trimStart();
  if (/^<!DOCTYPE/i.test(text)) refuse('a DOCTYPE');
  if (!/^<svg[\s>]/.test(text)) throw invalid('logo', 'must be an SVG or PNG file');
  for (const [, name, attributes] of text.matchAll(tag)) {
    if (!elements.has(name!)) refuse(`<${name!.slice(0, 40)}>`);
    for (const [, key, double, single] of attributes!.matchAll(attribute)) {
      checkAttribute(key!, double ?? single ?? '');
    }
  }
  const remainder = text.replace(tag, '');
  if (remainder.includes('<')) refuse('markup other than elements and comments');
  checkReferences(remainder);
  for (const [, sheet] of text.matchAll(/<style\b[^>]*[^>/]?>(.*?)(?:<\/style\s*>|$)/gs)) {
    checkStyle(sheet!.replace(tag, ''));
  }
  return bytes;
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid('logo', 'must be an SVG in UTF-8, or a PNG');
  }
}

function checkAttribute(name: string, value: string): void {
  if (/^on/i.test(name)) refuse(name);
  if (/(^|:)href$/i.test(name) && !value.startsWith('#'))
    refuse('a reference to something outside');
  if (/^xml:base$/i.test(name)) refuse(name);
  if (name === 'xmlns' && value !== 'http://www.w3.org/2000/svg') refuse('another namespace');
  checkStyle(value);
}

/** Functions of CSS and of `transform` that only compute; `url` refers to a part of the same drawing. */
const functions = new Set(
  `url rgb rgba hsl hsla hwb lab lch oklab oklch color calc min max clamp var matrix matrix3d
  translate translatex translatey translate3d scale scalex scaley rotate skew skewx skewy perspective
  cubic-bezier steps not is where nth-child nth-of-type circle ellipse polygon inset
  blur brightness contrast drop-shadow grayscale hue-rotate invert opacity saturate sepia`.split(
    /\s+/,
  ),
);
const rulesOfSheets = new Set(['media', 'keyframes', '-webkit-keyframes', 'supports']);

/** Checks a style sheet or attribute value for functions and rules that are not allowed. */
function checkStyle(text: string): void {
  // Encoded characters could hide a reference from the next checks.
  if (/&(?!(amp|lt|gt|quot|apos);)/.test(text)) refuse('encoded characters');
  checkReferences(text);
  for (const [, name] of text.matchAll(/([\w-]+)\(/g)) {
    if (!functions.has(name!.toLowerCase())) refuse(`${name!.slice(0, 40)}()`);
  }
  for (const [, name] of text.matchAll(/@([^\s{;(]*)/g)) {
    if (!rulesOfSheets.has(name!.toLowerCase())) refuse(`@${name!.slice(0, 40)}`);
  }
}

function checkReferences(text: string): void {
  if (/\\|@import|image-set|url\(\s*(?!['"]?#)/i.test(text))
    refuse('a reference to something outside');
}

function refuse(what: string): never {
  throw invalid(
    'logo',
    `must only draw; ${what} is not allowed. Export it as plain SVG, or use a PNG`,
  );
}
