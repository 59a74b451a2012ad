import type { TSchema } from 'typebox';
import { DomainError, invalid } from '../errors/errors.ts';
import { shortened } from './validation-message.ts';

type Query = Record<string, unknown>;
type Coercion = (text: string) => unknown;

const integer: Coercion = (text) => (/^-?\d{1,15}$/.test(text) ? Number(text) : text);
const boolean: Coercion = (text) => (text === 'true' ? true : text === 'false' ? false : text);
const coercions: Record<string, Coercion> = { integer, boolean };

/**
 * Which query parameters of a schema are not text, and how each is read. Strictly, unlike Ajv's own
 * coercion, which takes `0x10`, ` 10` and `1e1`; what cannot be read stays text and fails the schema.
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
    if (typeof value === 'string') query[name] = coercion(value);
  }
}

/** Refuses text in a query string that is not proper percent-encoded UTF-8, or holds NUL. */
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
  // The parser hands on bytes beyond ASCII as Latin-1, where they would change silently.
  if (/\P{ASCII}/u.test(text)) return false;
  try {
    return !decodeURIComponent(text).includes('\0');
  } catch {
    return false;
  }
}
