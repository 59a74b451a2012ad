import type { Slice } from './records.ts';
import { Refused } from './standard.ts';

/** The standard's: of a request that names none. */
const usualLimit = 50;
const mostOfInt32 = 2 ** 31 - 1;
const instantShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;
const types = [
  'billpay',
  'deposit',
  'disbursement',
  'transfer',
  'merchantpay',
  'inttransfer',
  'adjustment',
  'reversal',
  'withdrawal',
];

/** Which part of a list the query of the standard asks for. @throws Refused */
export function sliceOf(query: URLSearchParams): Slice {
  const kind = query.get('transactionType');
  if (kind !== null && !types.includes(kind)) {
    throw new Refused('validation', 'formatError', `transactionType must be ${types.join(', ')}`);
  }
  return {
    limit: integerOf(query, 'limit') ?? usualLimit,
    offset: integerOf(query, 'offset') ?? 0,
    fromMs: instantOf(query, 'fromDateTime') ?? 0,
    toMs: instantOf(query, 'toDateTime') ?? Number.MAX_SAFE_INTEGER,
    status: query.get('transactionStatus'),
    kind,
  };
}

function integerOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const value = /^-?\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value < 0) throw new Refused('validation', 'negativeValue', `${name} must not be negative`);
  if (value <= mostOfInt32) return value;
  throw new Refused('validation', 'formatError', `${name} must be an integer of 32 bits`);
}

function instantOf(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const atMs = instantShape.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(atMs)) return atMs;
  throw new Refused('validation', 'formatError', `${name} must be like 2026-01-31T09:00:00Z`);
}
