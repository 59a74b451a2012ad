import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { DomainError, invalid, invalidBody } from '../errors/errors.ts';
import { countMembers, lookThrough, withPlainKeys } from './scan-json.ts';
import { shortened } from './validation-message.ts';

const deepestLevel = 64;

/**
 * Fastify's content parser for JSON: an empty body counts as no body, and the schema decides whether a body
 * is required.
 */
export function parseJsonBody(
  request: FastifyRequest,
  bytes: Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  admit(request, bytes, (refusal) => {
    if (refusal) {
      done(refusal);
      return;
    }
    let body: unknown;
    try {
      body = readStrictBody(request, bytes);
    } catch (error) {
      done(error as Error);
      return;
    }
    done(null, body);
  });
}

/** A parsed body is many times as large, so parsing waits until there is room for it. */
function admit(
  request: FastifyRequest,
  bytes: Buffer,
  onDecision: (refusal?: Error) => void,
): void {
  if (request.admitBody) request.admitBody(bytes.length, onDecision);
  else onDecision();
}

/**
 * The same for bodies from an operator, whose mistakes nobody here can correct: such a body may contain text that cannot be stored unchanged.
 * @param parsed as `JSON.parse`
 */
export function readAnyJson(
  request: Pick<FastifyRequest, 'headers'>,
  bytes: Buffer,
  parsed: (text: string) => unknown,
): unknown {
  if (bytes.length === 0) return undefined;
  refuseEncoded(request);
  return parse(readable(withoutMark(bytes)).text, parsed);
}

/** The same, but refuses repeated keys: a body with two amounts could mean either. */
function readStrictBody(request: Pick<FastifyRequest, 'headers'>, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  refuseEncoded(request);
  return parseJson(bytes, { refusesRepeatedKeys: true });
}

function refuseEncoded({ headers }: Pick<FastifyRequest, 'headers'>): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() === 'identity') return;
  throw invalid('Content-Encoding', 'must be left out: send the body as plain JSON, uncompressed');
}

const invalidType = (message: string) =>
  new DomainError('VALIDATION_ERROR', message, 'Content-Type');

/** Handles bodies that are not JSON: an empty body is ignored regardless of its Content-Type. */
export function refuseOtherBody(
  request: FastifyRequest,
  bytes: Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  // The default Content-Type of curl.
  const isForm = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(
    request.headers['content-type'] ?? '',
  );
  const hint = isForm ? " With curl, add -H 'Content-Type: application/json'." : '';
  const refusal = invalidType(
    `The Content-Type of a request body must be application/json.${hint}`,
  );
  if (bytes.length > 0) done(refusal);
  else admit(request, bytes, (crowded) => done(crowded ?? null));
}

/**
 * JSON that can be stored and echoed unchanged: UTF-8, no NUL, no half surrogate pair, no number that
 * a double changes, no key `__proto__`, at most 64 levels.
 */
export function parseJson(given: Uint8Array, { refusesRepeatedKeys = false } = {}): unknown {
  const { text, fault, colons, hasEscapedKey } = readable(withoutMark(given));
  let value = parse(text);
  if (hasEscapedKey) value = parse(withPlainKeys(text));
  if (fault === 'unusual') {
    refuseUnsafe(value, '');
    refuseChanged(text);
  }
  // Each colon stands for one member, so parsing lost some members.
  if (refusesRepeatedKeys && (hasEscapedKey || countMembers(value) !== colons)) {
    const key = lookThrough(text, { repeatedKey: true });
    if (key !== undefined) throw invalid(shortened(key), 'must be given only once');
  }
  return value;
}

/** @throws VALIDATION_ERROR the body is not UTF-8, or nested too deeply to be traversed safely */
function readable(bytes: Uint8Array): Look & { text: string } {
  if (!isUtf8(bytes)) throw invalidBody('must be encoded in UTF-8');
  const look = inspect(bytes);
  if (look.fault === 'too deep') {
    throw invalidBody(`must not be nested deeper than ${deepestLevel} levels`);
  }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return { ...look, text };
}

/** A byte order mark is meaningless in UTF-8, but editors and PowerShell still write it. */
const withoutMark = (bytes: Uint8Array) =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;

function parse(text: string, parsed: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parsed(text);
  } catch (error) {
    // UTF-16 without a byte order mark is valid UTF-8 too.
    if (text.includes('\0')) throw invalidBody('must be encoded in UTF-8');
    const form = looksLikeForm(text)
      ? ' It looks like a form: send a JSON object, such as {"amount": 1000}.'
      : '';
    throw invalidBody(`is not valid JSON${faultOf(error)}.${form}`);
  }
}

/**
 * The place where parsing fails, without quoting the text: responses are logged, and bodies contain phones.
 */
function faultOf(error: unknown): string {
  const { message } = error as Error;
  if (message.includes('Unexpected end')) return ': it ends too early';
  const [place] = /line \d+ column \d+/.exec(message) ?? [];
  return place === undefined ? '' : `: look at ${place}`;
}

/** Recognizes a form: `amount=1000&operator=MOCK`, or multipart. */
const looksLikeForm = (text: string) =>
  /^[\w.%+[\]-]{1,100}=/.test(text) || /^--[^\r\n]{1,70}\r?\n/.test(text);

function refuseChanged(text: string): void {
  const number = (source: string) => decimalOf(source) !== decimalOf(String(Number(source)));
  const path = lookThrough(text, { number });
  if (path === undefined) return;
  throw wrong(path, 'must be a number that a double holds exactly; send it as text');
}

/** Normalizes the spellings of a number to one text: its digits, and the power of ten of the last. */
function decimalOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = withoutLastZeros(digits);
  if (significant === '') return whole === '' ? text : '0';
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign}${significant}e${power}`;
}

/** `/0+$/` would restart at each zero, which takes quadratic time on a number as long as a body. */
function withoutLastZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end--;
  return digits.slice(0, end);
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const underscore = 0x5f;
const mostExactDigits = 15;

interface Look {
  fault: 'unusual' | 'too deep' | undefined;
  /** Counts only outside strings. */
  colons: number;
  /** Whether a key contains a backslash. */
  hasEscapedKey: boolean;
}

/**
 * One cheap pass over the bytes, so that hardly any body needs a second pass over its values. Only `\u` can
 * spell NUL or a half surrogate pair. Only a long run of digits or an exponent can spell a number out of
 * range. Only two underscores in a row can spell the key `__proto__`.
 */
function inspect(bytes: Uint8Array): Look {
  let unusual = false;
  let inString = false;
  let depth = 0;
  let digits = 0;
  let colons = 0;
  let isEscaped = false;
  let hasEscapedKey = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]!;
    if (inString) {
      if (byte === quote) inString = false;
      else if (byte === backslash) {
        unusual = bytes[++index] === 0x75 || unusual;
        isEscaped = true;
      } else if (byte === underscore) unusual = bytes[index + 1] === underscore || unusual;
    } else if (byte >= 0x30 && byte <= 0x39) {
      digits++;
      unusual = digits > mostExactDigits || unusual;
    } else {
      // An `e` after a digit is an exponent; those of `true` and `false` follow a letter.
      unusual = (digits > 0 && (byte | 0x20) === 0x65) || unusual;
      digits = 0;
      if (byte === quote) {
        inString = true;
        isEscaped = false;
      } else if (byte === colon) {
        colons++;
        hasEscapedKey ||= isEscaped;
      }
      // `{` and `[`, then `}` and `]`: the members of each pair differ in only one bit.
      else if ((byte | 0x20) === 0x7b && ++depth > deepestLevel)
        return { fault: 'too deep', colons, hasEscapedKey };
      else if ((byte | 0x20) === 0x7d) depth--;
    }
  }
  return { fault: unusual ? 'unusual' : undefined, colons, hasEscapedKey };
}

function refuseUnsafe(value: unknown, path: string): void {
  if (typeof value === 'string') {
    const fault = textFault(value);
    if (fault !== undefined) throw wrong(path, `must not contain ${fault}`);
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) refuseUnsafe(item, `${path}[${index}]`);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      refuseUnsafeKey(key, path);
      refuseUnsafe(member, path === '' ? key : `${path}.${key}`);
    }
  }
}

function refuseUnsafeKey(key: string, path: string): void {
  if (key === '__proto__') throw wrong(path, 'must not have a key "__proto__"');
  const fault = textFault(key);
  if (fault !== undefined) throw wrong(path, `must not have a key with ${fault}`);
}

function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'the NUL character';
  return text.isWellFormed() ? undefined : 'half of a surrogate pair';
}

const wrong = (path: string, rule: string) =>
  path === '' ? invalidBody(rule) : invalid(shortened(path), rule);
