import type { Database, Queryable } from '../../../platform/postgres/database.ts';
import type { Shape } from './catalog.ts';
import type { Run } from './marks.ts';

/** Keys of rows of one table that were written while their merchant moved, as JSON. */
export interface Changes {
  table: string;
  keys: string;
  count: number;
}

const takeText = `
WITH taken AS (
  DELETE FROM moving_changes WHERE id IN (
    SELECT id FROM moving_changes WHERE merchant_id = $1 LIMIT $3)
    AND EXISTS (SELECT FROM moving_merchants WHERE merchant_id = $1 AND move_id = $2)
  RETURNING table_name, row_key
), keys AS (SELECT DISTINCT table_name, row_key FROM taken)
SELECT table_name AS "table", json_agg(row_key)::text AS keys, count(*)::integer AS count
FROM keys GROUP BY table_name`;

/**
 * Takes noted changes, each once: what commits later is noted later, whatever its number, so none is passed over.
 * Whoever takes them must copy these rows, or begin anew.
 */
export const takeChanges = (
  source: Queryable,
  { merchantId, moveId }: Run,
  limit: number,
): Promise<Changes[]> => source.query<Changes>({ text: takeText }, [merchantId, moveId, limit]);

export async function countChanges(source: Queryable, merchantId: string): Promise<number> {
  const text = 'SELECT count(*)::integer AS count FROM moving_changes WHERE merchant_id = $1';
  return (await source.query<{ count: number }>({ text }, [merchantId]))[0]!.count;
}

/** Removes what is noted, unless another run needs it. */
export async function forgetChanges(source: Database, { merchantId, moveId }: Run): Promise<void> {
  const text = `
DELETE FROM moving_changes WHERE id IN (
  SELECT id FROM moving_changes WHERE merchant_id = $1 LIMIT 10000)
  AND NOT EXISTS (SELECT FROM moving_merchants WHERE merchant_id = $1 AND move_id <> $2)
RETURNING id`;
  while ((await source.query({ text }, [merchantId, moveId])).length > 0);
}

/** The table that a change is of; undefined where its rows are copied as a whole in the end. */
export const shapeOf = (shapes: readonly Shape[], { table }: Changes): Shape | undefined =>
  shapes.find(({ name, copied }) => name === table && copied === 'EARLY');
