import type { ListFault } from './faults.ts';
import type { Slice, Transaction } from './records.ts';
import { Refused } from './standard.ts';

/** The standard's default. */
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

/** The part of a list that the standard's query requests. @throws Refused */
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

/** The query to the store, as an operator with a fault understands the request. */
export function pageAsked(slice: Slice, fault: ListFault | undefined): Slice {
  const { offset, limit } = slice;
  if (fault === 'list-pages') return { ...slice, offset: Math.min(offset * limit, mostOfInt32) };
  const isRepeated = fault === 'list-repeats' && offset > 0;
  return isRepeated ? { ...slice, offset: Math.max(offset - 2, 0) } : slice;
}

/** The part that the operator returns of the found rows. */
export function rowsGiven(
  found: readonly Transaction[],
  offset: number,
  fault: ListFault | undefined,
): readonly Transaction[] {
  if (fault === 'list-ends-early' && offset > 0) return [];
  return fault === 'list-skips' ? found.filter(({ number }) => number % 7 !== 0) : found;
}

export function countGiven(
  { available, offset, given }: { available: number; offset: number; given: number },
  fault: ListFault | undefined,
): Record<string, string> {
  const said = (count: number) => ({ 'x-records-available-count': String(count) });
  if (fault === 'list-counts-nothing') return {};
  if (fault === 'list-counts-page') return said(given);
  if (fault === 'list-counts-more') return said(available + 5);
  return said(fault === 'list-counts-less' ? Math.min(offset + given, available >> 1) : available);
}

export function noList(nowMs: number) {
  const error = { errorCategory: 'serviceUnavailable', errorCode: 'genericError' };
  return { status: 503, body: { ...error, errorDateTime: new Date(nowMs).toISOString() } };
}

export const listClocks = ['right', 'behind', 'ahead', 'local'] as const;
export type ListClock = (typeof listClocks)[number];

/** By a clock that is hours off; a local time, of Cape Verde, has no zone. */
export function dateOf(atMs: number, clock: ListClock): string {
  const hours = { right: 0, behind: -3, ahead: 3, local: -1 }[clock];
  const text = new Date(atMs + hours * 3_600_000).toISOString();
  return clock === 'local' ? text.replace('Z', '') : text;
}
