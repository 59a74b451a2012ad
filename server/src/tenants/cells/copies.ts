import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { storeMerchantNames } from './merchant-names.ts';

/** A table of the home that cells read. */
interface CopiedTable {
  name: string;
  /** The columns that order the table, of types with the same order in every database; texts may sort differently. */
  order: readonly (readonly [column: string, type: 'uuid' | 'bytea'])[];
  /** Columns that no cell needs: secrets, and values that change with each use. */
  homeOnly: readonly string[];
}

/** Tables that restrict staff come first. */
export const copiedTables: readonly CopiedTable[] = [
  { name: 'staff', order: [['person_id', 'uuid']], homeOnly: [] },
  { name: 'blocked_phones', order: [['phone_digest', 'bytea']], homeOnly: [] },
  {
    name: 'people',
    order: [['id', 'uuid']],
    homeOnly: ['password_hash', 'totp_box', 'totp_last_step', 'pin_hash', 'pin_tries'],
  },
  {
    name: 'memberships',
    order: [
      ['merchant_id', 'uuid'],
      ['person_id', 'uuid'],
    ],
    homeOnly: [],
  },
  {
    name: 'merchant_roles',
    order: [
      ['merchant_id', 'uuid'],
      ['id', 'uuid'],
    ],
    homeOnly: [],
  },
  { name: 'identities', order: [['person_id', 'uuid']], homeOnly: ['last_used_at'] },
  { name: 'notice_settings', order: [['person_id', 'uuid']], homeOnly: [] },
];

/** Values of the ordering columns, as texts. */
export type Position = readonly string[];

/** A part of a table: the rows after one position, up to another; undefined for an open end. */
export interface Slice {
  table: CopiedTable;
  after: Position | undefined;
  upTo: Position | undefined;
}

/** The slice of the home after a position. @param rows about how many rows it has at most */
export async function sliceAfter(
  home: Queryable,
  table: CopiedTable,
  { after, rows }: { after: Position | undefined; rows: number },
): Promise<Slice> {
  const columns = table.order.map(([column]) => column);
  const { text: condition, values } = sliceCondition({ table, after, upTo: undefined }, 1);
  const text = `
SELECT ARRAY[${columns.map((column) => `${column}::text`).join(', ')}] AS place
FROM ${table.name} t WHERE ${condition} ORDER BY ${columns.join(', ')} OFFSET ${rows - 1} LIMIT 1`;
  const [last] = await home.query<{ place: string[] }>({ text }, values);
  return { table, after, upTo: last?.place };
}

/** A checksum that tells different states of a slice apart: the sum of the rows' hashes. */
export async function checksumOf(database: Queryable, slice: Slice): Promise<string> {
  const { text: condition, values } = sliceCondition(slice, 1);
  const hash = `hashtextextended(${withoutHomeOnly('t', slice)}::text, 0)`;
  const text = `
SELECT count(*) || ' ' || coalesce(sum(${hash}), 0) AS checksum FROM ${slice.table.name} t WHERE ${condition}`;
  return (await database.query<{ checksum: string }>({ text }, values))[0]!.checksum;
}

/** The condition of a slice, and its values, from parameter $from on. */
function sliceCondition({ table: { order }, after, upTo }: Slice, from: number) {
  const columns = order.map(([column]) => `t.${column}`).join(', ');
  const bound = (operator: string, first: number) =>
    `(${columns}) ${operator} (${order.map(([, type], index) => `$${first + index}::${type}`).join(', ')})`;
  const parts = [
    ...(after ? [bound('>', from)] : []),
    ...(upTo ? [bound('<=', from + (after?.length ?? 0))] : []),
  ];
  return { text: parts.join(' AND ') || 'true', values: [...(after ?? []), ...(upTo ?? [])] };
}

const withoutHomeOnly = (row: string, { table: { homeOnly } }: Slice) =>
  `(to_jsonb(${row})${homeOnly.map((column) => ` - '${column}'`).join('')})`;

/** Makes a cell's slice equal to the home's; writes nothing if they are equal. @param checksum the home's checksum */
export async function copySlice(
  home: Queryable,
  cell: Database,
  slice: Slice,
  checksum: string,
): Promise<void> {
  if ((await checksumOf(cell, slice)) === checksum) return;
  const { name } = slice.table;
  const { text: condition, values } = sliceCondition(slice, 1);
  const text = `
SELECT coalesce(json_agg(${withoutHomeOnly('t', slice)}), '[]')::text AS rows FROM ${name} t WHERE ${condition}`;
  const [given] = await home.query<{ rows: string }>({ text }, values);
  await cell.transaction(async (transaction) => {
    await replaceRows(transaction, slice, given!.rows);
    if (name === 'people') await transaction.query(deletePersonDataStatement);
  });
}

/** Removes a cell's data of removed people, which their removal in the home does not reach. */
const deletePersonDataStatement = {
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

/** Deletes differing rows before inserting: two rows that swapped a unique value could not be updated one by one. */
async function replaceRows(transaction: Queryable, slice: Slice, rows: string): Promise<void> {
  const { name } = slice.table;
  const given = `json_populate_recordset(NULL::${name}, $1::json) given`;
  const { text: condition, values } = sliceCondition(slice, 2);
  const same = `${withoutHomeOnly('given', slice)} = ${withoutHomeOnly('t', slice)}`;
  const remove = `
DELETE FROM ${name} t WHERE ${condition} AND NOT EXISTS (SELECT FROM ${given} WHERE ${same})`;
  await transaction.query({ text: remove }, [rows, ...values]);
  const insert = `INSERT INTO ${name} SELECT * FROM ${given} ON CONFLICT DO NOTHING`;
  await transaction.query({ text: insert }, [rows]);
}

const unnamedStatement = {
  name: 'cell_merchants.lacking',
  // In random order, so that a thousand merchants of an unreachable cell do not keep the others waiting.
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
 * @param again includes merchants with known names, which may have changed
 */
export async function findUnnamedMerchants(home: Queryable, again: boolean): Promise<string[]> {
  return (await home.query<{ id: string }>(unnamedStatement, [again])).map(({ id }) => id);
}

/** Copies the names of some merchants from a cell to the home. */
export async function copyMerchantNames(
  home: Queryable,
  cell: Queryable,
  ids: readonly string[],
): Promise<void> {
  const text = 'SELECT id, name FROM merchants WHERE id = ANY ($1::uuid[])';
  const rows = await cell.query<{ id: string; name: string }>({ text }, [ids]);
  await storeMerchantNames(home, rows);
}
