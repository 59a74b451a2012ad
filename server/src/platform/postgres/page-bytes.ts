import { anyOf } from './list-page.ts';

/** The maximum bytes of one page, claim or redelivery: 100 of the largest payments fit. A single row may be larger. */
export const pageBytes = 8 * 1024 * 1024;

/** Set on the rows of a page that was cut by bytes: the number of rows before the cut. */
export interface Found {
  rowsFound?: number;
}

/**
 * The text of a list statement, whose limit is `$2`: in order, as many rows as fit in {@link pageBytes}, but at least
 * one. PostgreSQL knows the length of a text without reading it, so omitted rows cost nothing.
 * @param page.bytes an expression for the bytes of a row: the columns without their own limit
 * @param page.ways conditions of which a row meets one, each with an index of its own
 */
export function pageStatement(page: {
  columns: string;
  table: string;
  where: string;
  bytes: string;
  order: 'DESC' | 'ASC';
  ways?: readonly string[];
}): string {
  const { columns, table, where, bytes, order, ways = ['true'] } = page;
  const parts = ways.map(
    (way) =>
      `SELECT *, ${bytes} AS row_bytes FROM ${table} WHERE ${where} AND ${way} ORDER BY id ${order} LIMIT $2`,
  );
  return `
SELECT ${columns}, rows_found AS "rowsFound" FROM (
  SELECT *, count(*) OVER ()::integer AS rows_found,
    sum(row_bytes) OVER (ORDER BY id ${order}) - row_bytes AS bytes_before
  FROM (${anyOf(parts, order)}) AS found
) AS weighed
WHERE bytes_before + row_bytes <= ${pageBytes} OR bytes_before = 0
ORDER BY id ${order}`;
}

/** Groups rows by at most {@link pageBytes}, which limits the memory in use at once. */
export function groupByBytes<Row extends { bytes: number }>(rows: readonly Row[]): Row[][] {
  const groups: Row[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    bytes += row.bytes;
    if (bytes > pageBytes) {
      groups.push([]);
      bytes = row.bytes;
    }
    groups.at(-1)!.push(row);
  }
  return groups;
}
