import { firstUuidAt } from '../values/ids.ts';
import type { Conditions } from './conditions.ts';

/** One page of a list, newest first: which rows it may hold, and from which end they are read. */
export interface ListPage {
  limit: number;
  /** Only rows older than this one; a UUID. */
  startingAfter?: string | undefined;
  /** Only rows newer than this one; a UUID. The rows next to it are read, oldest first. */
  endingBefore?: string | undefined;
  /** Only rows made from this millisecond on. */
  createdFromMs?: number | undefined;
  /** Only rows made until this millisecond, which is included. */
  createdUntilMs?: number | undefined;
}

/** The order in which a statement reads the rows of a page. */
export const orderOf = ({ endingBefore }: Pick<ListPage, 'endingBefore'>): 'DESC' | 'ASC' =>
  endingBefore === undefined ? 'DESC' : 'ASC';

/**
 * Restricts a statement to the rows of a page. An id starts with the instant of its creation, so a range of time is a
 * range of the primary key.
 */
export function addPage(asked: Conditions, page: Omit<ListPage, 'limit'>, id = 'id'): void {
  const { startingAfter, endingBefore, createdFromMs, createdUntilMs } = page;
  asked.where(`${id} < ?`, startingAfter);
  asked.where(`${id} > ?`, endingBefore);
  asked.where(`${id} >= ?`, createdFromMs === undefined ? undefined : firstUuidAt(createdFromMs));
  asked.where(
    `${id} < ?`,
    createdUntilMs === undefined ? undefined : firstUuidAt(createdUntilMs + 1),
  );
}

/** A table in a statement whose `$1` is the tenant; with ids, only the rows with these, each read by the key. */
export function tableOf(
  asked: Conditions,
  table: string,
  ids: readonly string[] | undefined,
  alias = table,
): string {
  if (ids === undefined) return `${table} AS ${alias}`;
  return `(
  SELECT wanted_row.* FROM unnest(${asked.value(ids)}::uuid[]) AS wanted (id)
  CROSS JOIN LATERAL (
    SELECT * FROM ${table} WHERE tenant_id = $1 AND ${table}.id = wanted.id OFFSET 0
  ) AS wanted_row
) AS ${alias}`;
}

/**
 * The text of a statement whose rows meet any of several conditions: each part reads its own index, no further than
 * one page, which `$2` limits.
 */
export function anyOf(parts: readonly string[], order: 'DESC' | 'ASC'): string {
  if (parts.length === 1) return parts[0]!;
  return `SELECT DISTINCT ON (id) * FROM (${parts.map((part) => `(${part})`).join(' UNION ALL ')}) AS found
    ORDER BY id ${order} LIMIT $2`;
}
