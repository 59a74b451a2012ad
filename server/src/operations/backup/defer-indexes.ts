import type pg from 'pg';

/**
 * Runs without indexes that only speed up reading or serve no constraint, and creates them afterwards: one sort of
 * all rows is faster than inserting each row into each index. Indexes on random keys would outgrow memory, and each
 * row would then wait for the disk.
 */
export async function withoutIndexes<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  const { rows } = await client.query<{ name: string; definition: string }>(indexesStatement);
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  const result = await work();
  for (const { definition } of rows) await client.query(definition);
  return result;
}

const indexesStatement = `
SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
  AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = i.indexrelid)
ORDER BY i.indexrelid`;
