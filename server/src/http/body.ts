import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { DomainError, invalid } from '../errors.ts';
import { shortened } from './validation-message.ts';

const deepestLevel = 64;
const wholeBody = 'The request body';

/** Fastify's content parser for JSON: an empty body is no body, and the schema says whether one is needed. */
export function parseJsonBody(
  request: FastifyRequest,
  bytes: Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  request.weighBody?.(bytes.length);
  let body: unknown;
  try {
    body = readJsonBody(request, bytes);
  } catch (error) {
    done(error as Error);
    return;
  }
  done(null, body);
}

/** The same for a route that needs the bytes first. */
export function readJsonBody(request: Pick<FastifyRequest, 'headers'>, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  refuseEncoded(request);
  return parseJson(bytes);
}

function refuseEncoded({ headers }: Pick<FastifyRequest, 'headers'>): void {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() === 'identity') return;
  throw invalid('Content-Encoding', 'must be left out: send the body as plain JSON, uncompressed');
}

/** Everything that is not JSON: an empty body is ignored whatever it calls itself. */
export function refuseOtherBody(
  _request: FastifyRequest,
  bytes: Buffer,
  done: (error: Error | null, body?: unknown) => void,
): void {
  done(
    bytes.length === 0
      ? null
      : new DomainError(
          'VALIDATION_ERROR',
          'The Content-Type of a request body must be application/json.',
        ),
  );
}

/**
 * JSON that can be stored and echoed unchanged: UTF-8, no NUL, no half surrogate pair, no number that
 * a double changes, no key `__proto__`, at most 64 levels.
 */
export function parseJson(bytes: Uint8Array): unknown {
  if (!isUtf8(bytes)) throw invalid(wholeBody, 'must be encoded in UTF-8');
  const look = inspect(bytes);
  if (look === 'too deep') {
    throw invalid(wholeBody, `must not be nested deeper than ${deepestLevel} levels`);
  }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  if (look !== 'unusual') return parse(text);
  const value = parse(text, markChanged);
  refuseUnsafe(value, '');
  return value;
}

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;

function parse(text: string, reviver?: Reviver): unknown {
  try {
    return JSON.parse(text, reviver as Parameters<typeof JSON.parse>[1]);
  } catch (error) {
    throw new DomainError(
      'VALIDATION_ERROR',
      `The request body is not valid JSON${faultOf(error)}.`,
    );
  }
}

/** Where parsing fails, without quoting the text: answers are logged, and bodies contain phones. */
function faultOf(error: unknown): string {
  const { message } = error as Error;
  if (message.includes('Unexpected end')) return ': it ends too early';
  const [place] = /line \d+ column \d+/.exec(message) ?? [];
  return place === undefined ? '' : `: look at ${place}`;
}

/** Stands where a number would not be the one that was sent. */
const changedNumber = Symbol('a number that a double changes');

const markChanged: Reviver = (_key, value, { source }) =>
  typeof value === 'number' && decimalOf(source ?? '') !== decimalOf(String(value))
    ? changedNumber
    : value;

/** The same text for two ways to write one number: its digits, and the power of ten of the last. */
function decimalOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return whole === '' ? text : '0';
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign}${significant}e${power}`;
}

const quote = 0x22;
const backslash = 0x5c;
const underscore = 0x5f;
const mostExactDigits = 15;

/**
 * One cheap pass over the bytes, so that nearly every body needs no second look at its values: only
 * `\u` can spell NUL or a half surrogate pair, only a long run of digits or an exponent a number out
 * of range, and only two underscores in a row the key `__proto__`.
 */
function inspect(bytes: Uint8Array): 'plain' | 'unusual' | 'too deep' {
  let unusual = false;
  let inString = false;
  let depth = 0;
  let digits = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]!;
    if (inString) {
      if (byte === quote) inString = false;
      else if (byte === backslash) unusual = bytes[++index] === 0x75 || unusual;
      else if (byte === underscore) unusual = bytes[index + 1] === underscore || unusual;
    } else if (byte >= 0x30 && byte <= 0x39) {
      digits++;
      unusual = digits > mostExactDigits || unusual;
    } else {
      // An `e` after a digit is an exponent; those of `true` and `false` follow a letter.
      unusual = (digits > 0 && (byte | 0x20) === 0x65) || unusual;
      digits = 0;
      if (byte === quote) inString = true;
      // `{` and `[`, then `}` and `]`: the pairs differ only in one bit.
      else if ((byte | 0x20) === 0x7b && ++depth > deepestLevel) return 'too deep';
      else if ((byte | 0x20) === 0x7d) depth--;
    }
  }
  return unusual ? 'unusual' : 'plain';
}

function refuseUnsafe(value: unknown, path: string): void {
  if (typeof value === 'string') {
    const fault = textFault(value);
    if (fault !== undefined) throw invalid(named(path), `must not contain ${fault}`);
  } else if (value === changedNumber) {
    throw invalid(named(path), 'must be a number that a double holds exactly; send it as text');
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
  if (key === '__proto__') throw invalid(named(path), 'must not have a key "__proto__"');
  const fault = textFault(key);
  if (fault !== undefined) throw invalid(named(path), `must not have a key with ${fault}`);
}

function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'the NUL character';
  return text.isWellFormed() ? undefined : 'half of a surrogate pair';
}

const named = (path: string) => (path === '' ? wholeBody : shortened(path));
