/** How many bytes one page, claim or redelivery may hold: 100 of the largest payments fit. A single row may be larger. */
export const pageBytes = 8 * 1024 * 1024;

/** Set on the rows of a page that was cut by its bytes: how many rows there were to choose from. */
export interface Found {
  rowsFound?: number;
}

/**
 * The text of a list statement: newest first, and no more rows than hold {@link pageBytes}, but at least
 * one. PostgreSQL knows how long a text is without reading it, so what is left out costs nothing.
 * @param bytes an expression for the bytes of a row: the columns that have no limit of their own
 */
export function pageStatement(page: {
  columns: string;
  table: string;
  where: string;
  limit: string;
  bytes: string;
}): string {
  return `
SELECT ${page.columns}, rows_found AS "rowsFound" FROM (
  SELECT *, count(*) OVER ()::integer AS rows_found,
    sum(row_bytes) OVER (ORDER BY id DESC) - row_bytes AS bytes_before
  FROM (
    SELECT *, ${page.bytes} AS row_bytes FROM ${page.table}
    WHERE ${page.where} ORDER BY id DESC LIMIT ${page.limit}
  ) AS found
) AS weighed
WHERE bytes_before + row_bytes <= ${pageBytes} OR bytes_before = 0
ORDER BY id DESC`;
}

/** Rows in groups that hold no more than {@link pageBytes} each, so that not more is in memory at once. */
export function groupsByBytes<Row extends { bytes: number }>(rows: readonly Row[]): Row[][] {
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
