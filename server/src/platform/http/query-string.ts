import type { TSchema } from 'typebox';
import { DomainError, invalid } from '../errors/errors.ts';
import { shortened } from './validation-message.ts';

type Query = Record<string, unknown>;
type Coercion = (text: string) => unknown;

const integer: Coercion = (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text);
const boolean: Coercion = (text) => (text === 'true' ? true : text === 'false' ? false : text);
const array: Coercion = (text) => text.split(',');
const coercions: Record<string, Coercion> = { integer, boolean, array };

/**
 * The parsers of the query parameters in a schema that are not text. They are strict, unlike Ajv's own
 * coercion, which accepts `0x10`, ` 10` and `1e1`. A value that cannot be parsed stays text and fails the
 * schema. An array has its values separated by commas.
 */
export function coercionsOf(schema: TSchema): [string, Coercion][] {
  const { properties = {} } = schema as { properties?: Record<string, { type?: unknown }> };
  return Object.entries(properties).flatMap(([name, { type }]) => {
    const coercion = coercions[String(type)];
    return coercion === undefined ? [] : [[name, coercion] as [string, Coercion]];
  });
}

export function coerceQuery(query: Query, table: [string, Coercion][]): void {
  for (const [name, coercion] of table) {
    const value = query[name];
    // It would pass for a parsed array.
    if (Array.isArray(value)) throw invalid(name, 'must be given only once');
    if (typeof value === 'string') query[name] = coercion(value);
  }
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
