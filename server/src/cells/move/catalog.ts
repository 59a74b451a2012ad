import type { Queryable } from '../../postgres/database.ts';
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
  /** Rows are only ever added: a right that not even its owner has is lent for their removal. */
  isAppendOnly: boolean;
}

interface Row {
  name: string;
  columns: string[];
  key: string[];
  keyTypes: string[];
  mayDelete: boolean;
}

const shapesText = `
SELECT c.relname::text AS name,
  array_agg(a.attname::text ORDER BY a.attnum) AS columns,
  coalesce(array_agg(a.attname::text ORDER BY array_position(k.conkey, a.attnum))
    FILTER (WHERE a.attnum = ANY (k.conkey)), '{}') AS key,
  coalesce(array_agg(format_type(a.atttypid, a.atttypmod) ORDER BY array_position(k.conkey, a.attnum))
    FILTER (WHERE a.attnum = ANY (k.conkey)), '{}') AS "keyTypes",
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
    const { mayDelete, ...row } = found;
    const hasDue = row.columns.includes('due_at');
    return { ...table, ...row, hasDue, isAppendOnly: !mayDelete };
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
