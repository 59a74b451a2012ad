import type { Queryable } from '../../../platform/postgres/database.ts';
import { isOf, type Owner, ownersIn, type Shape } from './catalog.ts';
import { afterKey, keyOfRow, parking, sameKey } from './rows.ts';

/** What rows add up to: the same rows, whatever their order, have the same. */
export interface Sum {
  count: number;
  sum: string;
}

export const differ = (a: Sum, b: Sum): boolean => a.count !== b.count || a.sum !== b.sum;

interface SumOptions {
  /** Rows that are due are so much later than they were. */
  parked?: boolean;
}

function sumText(shape: Shape, parked = false): string {
  const values = shape.columns.map((column) =>
    parked && column === 'due_at' ? `t.due_at - ${parking}` : `t.${column}`,
  );
  return `count(*)::integer AS count,
  coalesce(sum(hashtextextended(ROW(${values.join(', ')})::text, 0)::numeric), 0)::text AS sum`;
}

export async function sumOf(
  cell: Queryable,
  shape: Shape,
  owner: Owner,
  { which, parked }: SumOptions & { which: 'ALL' | 'DUE' },
): Promise<Sum> {
  // Tables without due rows have none.
  const due = shape.hasDue ? 't.due_at IS NOT NULL' : 'false';
  const text = `
SELECT ${sumText(shape, parked)} FROM ${shape.name} t
WHERE ${isOf(shape, ownersIn(shape, owner), 't.')} AND ${which === 'ALL' ? 'true' : due}`;
  return (await cell.query<Sum>({ text }))[0]!;
}

/** Of the rows of these keys that are there. */
export async function sumOfKeys(
  cell: Queryable,
  shape: Shape,
  keys: string,
  { parked }: SumOptions = {},
): Promise<Sum> {
  const text = `
SELECT ${sumText(shape, parked)}
FROM json_populate_recordset(NULL::${shape.name}, $1::json) AS given
JOIN ${shape.name} t ON ${sameKey(shape)}`;
  return (await cell.query<Sum>({ text }, [keys]))[0]!;
}

/** Closed rows of one owner, by key: after one, up to another. */
export interface Range {
  id: string;
  after: string[] | undefined;
  upTo: string[] | undefined;
}

const closed = ({ hasDue }: Shape) => (hasDue ? 't.due_at IS NULL' : 'true');

const rangeText = (shape: Shape, range: Range) => `
WHERE ${isOf(shape, [range.id], 't.')} AND ${closed(shape)}
  AND ${range.after ? afterKey(shape, '$1') : '$1::text[] IS NULL'}`;

/** The next so many rows, and the key of the last of them; undefined where these are all. */
export async function sumOfNext(
  cell: Queryable,
  shape: Shape,
  range: Range,
  limit: number,
): Promise<Sum & { last: string[] | undefined }> {
  const keys = shape.key.map((column) => `t.${column}`).join(', ');
  const text = `
WITH t AS MATERIALIZED (
  SELECT t.* FROM ${shape.name} t ${rangeText(shape, range)} ORDER BY ${keys} LIMIT ${limit})
SELECT ${sumText(shape)}, (SELECT ${keyOfRow(shape)} FROM t ORDER BY ${shape.key.map((column) => `t.${column} DESC`).join(', ')} LIMIT 1) AS last
FROM t`;
  const values = [range.after ?? null];
  const [found] = await cell.query<Sum & { last: string[] | null }>({ text }, values);
  return { ...found!, last: found!.count < limit ? undefined : found!.last! };
}

export async function sumOfRange(cell: Queryable, shape: Shape, range: Range): Promise<Sum> {
  const upTo = range.upTo ? `NOT ${afterKey(shape, '$2')}` : '$2::text[] IS NULL';
  const text = `
SELECT ${sumText(shape)} FROM ${shape.name} t ${rangeText(shape, range)} AND ${upTo}`;
  const values = [range.after ?? null, range.upTo ?? null];
  return (await cell.query<Sum>({ text }, values))[0]!;
}
