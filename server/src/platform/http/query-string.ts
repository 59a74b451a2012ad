import type { TSchema } from 'typebox';
import { DomainError, invalid } from '../errors/errors.ts';
import { shortened } from './validation-message.ts';

type Query = Record<string, unknown>;
type Coercion = (text: string) => unknown;
type Parser = (query: Query) => void;

const integer: Coercion = (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text);
const boolean: Coercion = (text) => (text === 'true' ? true : text === 'false' ? false : text);
const array: Coercion = (text) => text.split(',');
const coercions: Record<string, Coercion> = { integer, boolean, array };

/**
 * The parsers of the query parameters in a schema that are not text. They are strict, unlike Ajv's own
 * coercion, which accepts `0x10`, ` 10` and `1e1`. A value that cannot be parsed stays text and fails the
 * schema. An array has its values separated by commas, or repeats its name, as many generated clients do; the keys of
 * an object stand in brackets.
 */
export function coercionsOf(schema: TSchema): Parser[] {
  const { properties = {} } = schema as { properties?: Record<string, { type?: unknown }> };
  return Object.entries(properties).flatMap(([name, { type }]) => {
    if (type === 'object') return [objectParser(name)];
    const coercion = coercions[String(type)];
    return coercion === undefined ? [] : [valueParser(name, coercion)];
  });
}

const valueParser =
  (name: string, coercion: Coercion): Parser =>
  (query) => {
    const value = query[name];
    if (typeof value === 'string') query[name] = coercion(value);
    else if (Array.isArray(value) && coercion === array) query[name] = array(value.join(','));
    else if (Array.isArray(value)) throw invalid(name, 'must be given only once');
  };

/** `metadata[order]=42` becomes a field of the object `metadata`. */
const objectParser =
  (name: string): Parser =>
  (query) => {
    const start = `${name}[`;
    if (query[name] !== undefined) throw invalid(name, `must be written as ${start}KEY]=VALUE`);
    const given = Object.entries(query).filter(
      ([each]) => each.startsWith(start) && each.endsWith(']'),
    );
    if (given.length === 0) return;
    // Without a prototype, every key is a plain one.
    const fields = Object.create(null) as Query;
    for (const [each, value] of given) {
      if (Array.isArray(value)) throw invalid(shortened(each), 'must be given only once');
      fields[each.slice(start.length, -1)] = value;
      delete query[each];
    }
    query[name] = fields;
  };

export function coerceQuery(query: Query, parsers: readonly Parser[]): void {
  for (const parse of parsers) parse(query);
}

/** Refuses query strings that are not percent-encoded UTF-8, or contain NUL. */
export function refuseUnsafeQuery(url: string): void {
  const start = url.indexOf('?');
  if (start < 0 || isSafe(url.slice(start + 1))) return;
  for (const pair of url.slice(start + 1).split('&')) {
    if (isSafe(pair)) continue;
    const name = pair.split('=', 1)[0]!;
    if (!isSafe(name)) break;
    throw invalid(shortened(decodeURIComponent(name)), 'must be percent-encoded UTF-8 without NUL');
  }
  throw new DomainError(
    'VALIDATION_ERROR',
    'The query string must be percent-encoded UTF-8 without NUL.',
  );
}

function isSafe(text: string): boolean {
  // The parser decodes non-ASCII bytes as Latin-1, which would silently change the text.
  if (/\P{ASCII}/u.test(text)) return false;
  try {
    return !decodeURIComponent(text).includes('\0');
  } catch {
    return false;
  }
}
