import type { Queryable } from '../../../platform/postgres/database.ts';
import { isOf, type Owner, ownersIn, type Shape } from './catalog.ts';

/** Rows on their way, as JSON that nobody here reads: PostgreSQL writes it, and reads it. */
export interface Rows {
  json: string;
  count: number;
}

/**
 * Rows that are due in the cell they come to must not come first there before they may be worked on: so long, they
 * are due so much later. Days, so that no calendar rounds it.
 */
export const parking = `interval '365250 days'`;

const names = (shape: Shape, of = '') => shape.columns.map((name) => `${of}${name}`).join(', ');

/** Where rows of the owner begin that are read by key; a page ends by rows or by bytes. */
const pageRows = 1_000;
const pageBytes = 4 * 1024 * 1024;

/**
 * Walks over rows of one table by their key.
 * @param condition of a row `t`
 */
export async function* pagesOf(
  source: Queryable,
  shape: Shape,
  owner: Owner,
  condition: string,
): AsyncGenerator<Rows> {
  if (shape.key.length === 0) return yield allRows(source, shape, owner);
  for (const id of ownersIn(shape, owner)) {
    let after: string[] | undefined;
    do {
      const page: Page | undefined = await readPage(source, { shape, id, condition, after });
      if (!page) break;
      yield page;
      after = page.last;
    } while (after);
  }
}

/** Of a table without a key, which is small. */
async function allRows(source: Queryable, shape: Shape, owner: Owner): Promise<Rows> {
  const text = `
SELECT coalesce(json_agg(t), '[]')::text AS json, count(*)::integer AS count
FROM ${shape.name} t WHERE ${isOf(shape, ownersIn(shape, owner), 't.')}`;
  return (await source.query<Rows>({ text }))[0]!;
}

interface Page extends Rows {
  last: string[];
}

interface Asked {
  shape: Shape;
  id: string;
  condition: string;
  after: string[] | undefined;
}

async function readPage(
  source: Queryable,
  { shape, id, condition, after }: Asked,
): Promise<Page | undefined> {
  const { name, key } = shape;
  const keys = key.map((column) => `t.${column}`).join(', ');
  const text = `
WITH page AS MATERIALIZED (
  SELECT t, ${keyOfRow(shape)} AS row_key,
    row_number() OVER (ORDER BY ${keys}) AS number,
    sum(pg_column_size(t)) OVER (ORDER BY ${keys}) - pg_column_size(t) AS bytes_before
  FROM ${name} t
  WHERE ${isOf(shape, [id], 't.')} AND ${condition} AND ${after ? afterKey(shape, '$1') : '$1::text[] IS NULL'}
  ORDER BY ${keys} LIMIT ${pageRows}
), fitting AS (SELECT * FROM page WHERE bytes_before < ${pageBytes})
SELECT json_agg(t ORDER BY number)::text AS json, count(*)::integer AS count,
  (array_agg(row_key::text ORDER BY number DESC))[1]::text[] AS last
FROM fitting HAVING count(*) > 0`;
  const [page] = await source.query<Page>({ text }, [after ?? null]);
  return page;
}

/** Keys of one table, as JSON; under some of them rows of others may stand. */
export interface KeysOf {
  shape: Shape;
  owner: Owner;
  keys: string;
}

/** The owner's rows of these keys that are there. */
export async function rowsOfKeys(
  source: Queryable,
  { shape, owner, keys }: KeysOf,
  condition = 'true',
): Promise<Rows> {
  const text = `
SELECT coalesce(json_agg(t), '[]')::text AS json, count(*)::integer AS count
FROM json_populate_recordset(NULL::${shape.name}, $1::json) AS given
JOIN ${shape.name} t ON ${sameKey(shape)}
WHERE t.${shape.owner.column} = ANY ($2::uuid[]) AND ${condition}`;
  return (await source.query<Rows>({ text }, [keys, ownersIn(shape, owner)]))[0]!;
}

/** The key of a row `t`, as text. */
export const keyOfRow = ({ key }: Shape) =>
  `ARRAY[${key.map((column) => `t.${column}::text`).join()}]`;

/** Whether a row `t` comes after a key, which is given as text. */
export function afterKey({ key, keyTypes }: Shape, parameter: string): string {
  const given = keyTypes.map((type, index) => `(${parameter}::text[])[${index + 1}]::${type}`);
  return `(${key.map((column) => `t.${column}`).join()}) > (${given.join()})`;
}

export const sameKey = ({ key }: Shape) =>
  key.map((column) => `t.${column} = given.${column}`).join(' AND ');

/** Removes the owner's rows by their keys. What is append-only stays: it has not changed. */
export async function removeKeys(target: Queryable, { shape, owner, keys }: KeysOf): Promise<void> {
  if (shape.isAppendOnly) return;
  const text = `
DELETE FROM ${shape.name} t USING json_populate_recordset(NULL::${shape.name}, $1::json) AS given
WHERE ${sameKey(shape)} AND t.${shape.owner.column} = ANY ($2::uuid[])`;
  await target.query({ text }, [keys, ownersIn(shape, owner)]);
}

/** Removes the rows of a table that are copied as a whole. */
export async function removeAll(target: Queryable, shape: Shape, owner: Owner): Promise<void> {
  await target.query({
    text: `DELETE FROM ${shape.name} WHERE ${isOf(shape, ownersIn(shape, owner))}`,
  });
}

/** Writes rows; those whose key is there become as they are here, unless they are another's: then the check misses them. */
export async function writeRows(
  target: Queryable,
  shape: Shape,
  rows: Rows,
  { parked = false } = {},
): Promise<void> {
  if (rows.count === 0) return;
  const { name, key, columns, isAppendOnly, owner } = shape;
  const values = columns.map((column) =>
    parked && column === 'due_at' ? `due_at + ${parking}` : column,
  );
  const others = columns.filter((column) => !key.includes(column));
  const set = others.map((column) => `${column} = excluded.${column}`).join(', ');
  const isOwn = `own.${owner.column} = excluded.${owner.column}`;
  const conflict =
    key.length === 0
      ? ''
      : `ON CONFLICT (${key.join()}) DO ${isAppendOnly || set === '' ? 'NOTHING' : `UPDATE SET ${set} WHERE ${isOwn}`}`;
  const text = `
INSERT INTO ${name} AS own (${names(shape)})
SELECT ${values.join(', ')} FROM json_populate_recordset(NULL::${name}, $1::json)
${conflict}`;
  await target.query({ text }, [rows.json]);
}

/** No row is due so late by itself. */
const isParked = `due_at > clock_timestamp() + ${parking} / 2`;

/** Whoever looks for due rows does not find those of the merchant any more. It can be done twice. */
export const park = (cell: Queryable, shapes: readonly Shape[], owner: Owner) =>
  shiftDue(cell, shapes, owner, { by: `+ ${parking}`, where: `NOT (${isParked})` });

/** They are due when they were before. It can be done twice. */
export const unpark = (cell: Queryable, shapes: readonly Shape[], owner: Owner) =>
  shiftDue(cell, shapes, owner, { by: `- ${parking}`, where: isParked });

async function shiftDue(
  cell: Queryable,
  shapes: readonly Shape[],
  owner: Owner,
  { by, where }: { by: string; where: string },
): Promise<void> {
  for (const shape of shapes.filter(({ hasDue }) => hasDue)) {
    const text = `
UPDATE ${shape.name} SET due_at = due_at ${by}
WHERE ${shape.owner.column} = ANY ($1::uuid[]) AND due_at IS NOT NULL AND ${where}`;
    await cell.query({ text }, [ownersIn(shape, owner)]);
  }
}
