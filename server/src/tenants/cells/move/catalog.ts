import type { Queryable } from '../../../platform/postgres/database.ts';
import { type MovingTable, movingTables } from '../tables.ts';

/** A moving table, as the database describes it. All names are safe in SQL as they are. */
export interface Shape extends MovingTable {
  columns: readonly string[];
  /** Of the primary key; none where there is no key. */
  key: readonly string[];
  /** The types of the columns of the key, as SQL writes them. */
  keyTypes: readonly string[];
  /** Whether rows can be due. */
  hasDue: boolean;
  /** Whether an index finds the rows of one owner. */
  isIndexed: boolean;
  /** Rows are only ever added: a right that not even its owner has is lent for their removal. */
  isAppendOnly: boolean;
}

interface Row {
  name: string;
  columns: string[];
  key: string[];
  keyTypes: string[];
  /** The first columns of its indexes. */
  indexed: string[];
  mayDelete: boolean;
}

const shapesText = `
SELECT c.relname::text AS name,
  array_agg(a.attname::text ORDER BY a.attnum) AS columns,
  coalesce(array_agg(a.attname::text ORDER BY array_position(k.conkey, a.attnum))
    FILTER (WHERE a.attnum = ANY (k.conkey)), '{}') AS key,
  coalesce(array_agg(format_type(a.atttypid, a.atttypmod) ORDER BY array_position(k.conkey, a.attnum))
    FILTER (WHERE a.attnum = ANY (k.conkey)), '{}') AS "keyTypes",
  ARRAY(SELECT o.attname::text FROM pg_index i JOIN pg_attribute o ON o.attrelid = c.oid AND o.attnum = i.indkey[0]
    WHERE i.indrelid = c.oid AND i.indisvalid AND i.indpred IS NULL) AS indexed,
  EXISTS (SELECT FROM aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) AS acl
    WHERE acl.grantee = c.relowner AND acl.privilege_type = 'DELETE') AS "mayDelete"
FROM pg_class c
JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
LEFT JOIN pg_constraint k ON k.conrelid = c.oid AND k.contype = 'p'
WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = ANY ($1::text[])
GROUP BY c.oid, c.relname, c.relacl, c.relowner`;

/** The moving tables of a cell, in their order. */
export async function shapesOf(cell: Queryable): Promise<Shape[]> {
  const names = movingTables.map(({ name }) => name);
  const rows = await cell.query<Row>({ text: shapesText }, [names]);
  return movingTables.map((table) => {
    const found = rows.find(({ name }) => name === table.name);
    if (!found) throw new Error(`there is no table ${table.name}`);
    const { mayDelete, indexed, ...row } = found;
    const hasDue = row.columns.includes('due_at');
    const isIndexed = indexed.includes(table.owner.column);
    return { ...table, ...row, hasDue, isIndexed, isAppendOnly: !mayDelete };
  });
}

/** Whose rows are meant: a merchant and its tenants. */
export interface Owner {
  merchantId: string;
  tenantIds: readonly string[];
}

/** The values of the owner's column that are the merchant's. */
export const ownersIn = ({ owner }: MovingTable, { merchantId, tenantIds }: Owner): string[] =>
  owner.of === 'MERCHANT' ? [merchantId] : [...tenantIds];

/**
 * Whether a row is one of these owners'. Their ids stand in the text: the index of one merchant's rows is used only
 * where it is plain that it has all that are asked for.
 * @param of before the name of the column, such as `t.`
 */
export function isOf({ owner: { column } }: MovingTable, ids: readonly string[], of = ''): string {
  // Rows of one owner are found in the order of an index.
  const [first] = ids;
  return ids.length === 1
    ? `${of}${column} = '${first}'::uuid`
    : `${of}${column} = ANY ('{${ids.join()}}'::uuid[])`;
}
