import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { noteMerchantNames } from './merchant-names.ts';

/** A table of the home that cells read. */
interface Copied {
  table: string;
  /** By what it is divided; types that are ordered by their bytes, since databases may order texts differently. */
  order: readonly (readonly [column: string, type: 'uuid' | 'bytea'])[];
  /** Columns that no cell needs: secrets, and what changes with each use. */
  homeOnly: readonly string[];
}

/** Those by which staff are held back stand first. */
export const copiedTables: readonly Copied[] = [
  { table: 'staff', order: [['person_id', 'uuid']], homeOnly: [] },
  { table: 'blocked_phones', order: [['phone_digest', 'bytea']], homeOnly: [] },
  {
    table: 'people',
    order: [['id', 'uuid']],
    homeOnly: ['password_hash', 'totp_box', 'totp_last_step'],
  },
  {
    table: 'memberships',
    order: [
      ['merchant_id', 'uuid'],
      ['person_id', 'uuid'],
    ],
    homeOnly: [],
  },
  { table: 'identities', order: [['person_id', 'uuid']], homeOnly: ['last_used_at'] },
  { table: 'notice_settings', order: [['person_id', 'uuid']], homeOnly: [] },
];

/** Values of the columns that order a table, as texts. */
export type Place = readonly string[];

/** A part of a table: the rows after one place, up to another; undefined where it has no such end. */
export interface Slice {
  copied: Copied;
  after: Place | undefined;
  upTo: Place | undefined;
}

/** The slice of the home that begins after a place. @param rows about how many it has at most */
export async function sliceAfter(
  home: Queryable,
  copied: Copied,
  { after, rows }: { after: Place | undefined; rows: number },
): Promise<Slice> {
  const columns = copied.order.map(([column]) => column);
  const { text: condition, values } = within({ copied, after, upTo: undefined }, 1);
  const text = `
SELECT ARRAY[${columns.map((column) => `${column}::text`).join(', ')}] AS place
FROM ${copied.table} t WHERE ${condition} ORDER BY ${columns.join(', ')} OFFSET ${rows - 1} LIMIT 1`;
  const [last] = await home.query<{ place: string[] }>({ text }, values);
  return { copied, after, upTo: last?.place };
}

/** What tells a slice from another state of it: the sum of its rows' hashes. */
export async function printOf(database: Queryable, slice: Slice): Promise<string> {
  const { text: condition, values } = within(slice, 1);
  const hash = `hashtextextended(${withoutHomeOnly('t', slice)}::text, 0)`;
  const text = `
SELECT count(*) || ' ' || coalesce(sum(${hash}), 0) AS print FROM ${slice.copied.table} t WHERE ${condition}`;
  return (await database.query<{ print: string }>({ text }, values))[0]!.print;
}

/** The condition of a slice, and its values, which begin at $from. */
function within({ copied: { order }, after, upTo }: Slice, from: number) {
  const columns = order.map(([column]) => `t.${column}`).join(', ');
  const bound = (operator: string, first: number) =>
    `(${columns}) ${operator} (${order.map(([, type], index) => `$${first + index}::${type}`).join(', ')})`;
  const parts = [
    ...(after ? [bound('>', from)] : []),
    ...(upTo ? [bound('<=', from + (after?.length ?? 0))] : []),
  ];
  return { text: parts.join(' AND ') || 'true', values: [...(after ?? []), ...(upTo ?? [])] };
}

const withoutHomeOnly = (row: string, { copied: { homeOnly } }: Slice) =>
  `(to_jsonb(${row})${homeOnly.map((column) => ` - '${column}'`).join('')})`;

/** Makes a slice of a cell the same as the home's. Nothing is written where it is. @param print of the home */
export async function copySlice(
  home: Queryable,
  cell: Database,
  slice: Slice,
  print: string,
): Promise<void> {
  if ((await printOf(cell, slice)) === print) return;
  const { table } = slice.copied;
  const { text: condition, values } = within(slice, 1);
  const text = `
SELECT coalesce(json_agg(${withoutHomeOnly('t', slice)}), '[]')::text AS rows FROM ${table} t WHERE ${condition}`;
  const [given] = await home.query<{ rows: string }>({ text }, values);
  await cell.transaction(async (transaction) => {
    await replaceRows(transaction, slice, given!.rows);
    if (table === 'people') await transaction.query(forgottenStatement);
  });
}

/** What a cell has of people who were removed: their removal in the home takes it only there. */
const forgottenStatement = {
  text: `
WITH recipients AS (
  DELETE FROM notice_recipients r WHERE NOT EXISTS (SELECT FROM people p WHERE p.id = r.person_id)
), mails AS (
  DELETE FROM notice_mails m WHERE NOT EXISTS (SELECT FROM people p WHERE p.id = m.person_id)
)
UPDATE approvals a SET asked_mailbox = NULL, asked_identity = NULL
WHERE (asked_mailbox IS NOT NULL OR asked_identity IS NOT NULL)
  AND NOT EXISTS (SELECT FROM people p WHERE p.id = a.asked_by)`,
};

/** Rows that differ are taken out first: of two that have exchanged what is unique, neither could be changed. */
async function replaceRows(transaction: Queryable, slice: Slice, rows: string): Promise<void> {
  const { table } = slice.copied;
  const given = `json_populate_recordset(NULL::${table}, $1::json) given`;
  const { text: condition, values } = within(slice, 2);
  const same = `${withoutHomeOnly('given', slice)} = ${withoutHomeOnly('t', slice)}`;
  const remove = `
DELETE FROM ${table} t WHERE ${condition} AND NOT EXISTS (SELECT FROM ${given} WHERE ${same})`;
  await transaction.query({ text: remove }, [rows, ...values]);
  const insert = `INSERT INTO ${table} SELECT * FROM ${given} ON CONFLICT DO NOTHING`;
  await transaction.query({ text: insert }, [rows]);
}

const namelessStatement = {
  name: 'cell_merchants.lacking',
  // By chance, so that a thousand of a cell that is down do not keep the others waiting.
  text: `
SELECT id FROM (
  SELECT DISTINCT m.merchant_id AS id FROM memberships m
  WHERE NOT EXISTS (SELECT FROM merchants t WHERE t.id = m.merchant_id)
    AND ($1 OR NOT EXISTS (SELECT FROM cell_merchants c WHERE c.merchant_id = m.merchant_id))
) found
ORDER BY random() LIMIT 1000`,
};

/**
 * Some merchants of further cells whose names the home does not know yet.
 * @param again also those that it knows, whose names may have changed
 */
export async function findNameless(home: Queryable, again: boolean): Promise<string[]> {
  return (await home.query<{ id: string }>(namelessStatement, [again])).map(({ id }) => id);
}

/** Notes in the home what a cell calls some of its merchants. */
export async function noteNames(
  home: Queryable,
  cell: Queryable,
  ids: readonly string[],
): Promise<void> {
  const text = 'SELECT id, name FROM merchants WHERE id = ANY ($1::uuid[])';
  const rows = await cell.query<{ id: string; name: string }>({ text }, [ids]);
  await noteMerchantNames(home, rows);
}
