import { Conditions } from '../../platform/postgres/conditions.ts';
import { type Database, type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { prepare, table } from '../../platform/postgres/statement.ts';
import type { Chunk } from './request.ts';

const chunks = table<Chunk>({
  tenantId: 'uuid',
  id: 'uuid',
  failed: 'boolean',
  requests: 'integer',
  dropped: 'integer',
  firstAtMs: 'timestamptz',
  lastAtMs: 'timestamptz',
  entries: 'bytea',
});
const allOfChunk = chunks.rowsWithout();

const insertStatement = prepare({
  name: 'api_request_chunks.insert',
  given: { chunks: allOfChunk },
  text: (given) => `
INSERT INTO api_request_chunks (${allOfChunk.names})
SELECT ${allOfChunk.names} FROM ${given.chunks}
ON CONFLICT DO NOTHING`,
});

/** Writes chunks; existing ones stay as they are. */
export async function insertChunks(database: Queryable, rows: readonly Chunk[]): Promise<void> {
  await insertStatement.run(database, { chunks: rows });
}

/** The next chunks of a tenant start before this one. */
export type Position = Pick<Chunk, 'lastAtMs' | 'id'>;

/** Chunks whose last request is the newest first. */
export function listChunks(
  database: Queryable,
  tenantId: string,
  asked: { failed: boolean | undefined; firstUntilMs: number | undefined },
  page: { limit: number; before: Position | undefined },
): Promise<Chunk[]> {
  const conditions = new Conditions([tenantId, page.limit], 'tenant_id = $1');
  conditions.where('failed = ?', asked.failed);
  conditions.where('first_at <= ?', asked.firstUntilMs && timestamp(asked.firstUntilMs));
  if (page.before) {
    const { values } = conditions;
    values.push(timestamp(page.before.lastAtMs), page.before.id);
    conditions.and(`(last_at, id) < ($${values.length - 1}, $${values.length})`);
  }
  const text = `
SELECT ${chunks.columns} FROM api_request_chunks
WHERE ${conditions.text} ORDER BY last_at DESC, id DESC LIMIT $2`;
  return database.query<Chunk>({ text }, conditions.values);
}

/** Chunks of one kind of a tenant. */
export interface Heap {
  tenantId: string;
  failed: boolean;
}

/** Kinds with more requests or more pieces than needed. */
export function findUntidy(
  database: Queryable,
  limits: { succeeded: number; failed: number; failedFromMs: number; small: number; most: number },
): Promise<Heap[]> {
  const text = `
SELECT tenant_id AS "tenantId", failed FROM api_request_chunks
GROUP BY tenant_id, failed
HAVING sum(requests) > CASE WHEN failed THEN $2 ELSE $1 END::integer
  OR (failed AND min(last_at) < $3)
  OR count(*) FILTER (WHERE requests < $4) > $5`;
  const { succeeded, failed, failedFromMs, small, most } = limits;
  const values = [succeeded, failed, timestamp(failedFromMs), small, most];
  return database.query<Heap>({ text }, values);
}

const removeStatement = {
  name: 'api_request_chunks.remove',
  text: `
DELETE FROM api_request_chunks
WHERE tenant_id = $1 AND (last_at, id) IN (
  SELECT last_at, id FROM (
    SELECT last_at, id,
      sum(requests) OVER (ORDER BY last_at DESC, id DESC) - requests AS newer
    FROM api_request_chunks WHERE tenant_id = $1 AND failed = $2
  ) AS counted
  WHERE newer >= $3 OR last_at < $4
)`,
};

/** Removes the chunks that have enough newer requests before them, or date from before an instant. */
export async function removeChunks(
  database: Queryable,
  { tenantId, failed }: Heap,
  { most, fromMs }: { most: number; fromMs: number },
): Promise<void> {
  await database.query(removeStatement, [tenantId, failed, most, timestamp(fromMs)]);
}

const takeStatement = {
  name: 'api_request_chunks.take_small',
  text: `
DELETE FROM api_request_chunks
-- The array is made once, so that the limit holds.
WHERE tenant_id = $1 AND ctid = ANY (ARRAY (
  SELECT ctid FROM api_request_chunks
  WHERE tenant_id = $1 AND failed = $2 AND requests < $3
  ORDER BY last_at, id LIMIT $4
  FOR UPDATE SKIP LOCKED
))
RETURNING ${chunks.columns}`,
};

/** Replaces the oldest of the chunks with fewer requests than this by one chunk. */
export function replaceSmall(
  database: Database,
  { tenantId, failed }: Heap,
  { small, limit }: { small: number; limit: number },
  merge: (chunks: readonly Chunk[]) => Promise<Chunk>,
): Promise<number> {
  return database.transaction(async (transaction) => {
    const values = [tenantId, failed, small, limit];
    const taken = await transaction.query<Chunk>(takeStatement, values);
    if (taken.length > 0) await insertChunks(transaction, [await merge(taken)]);
    return taken.length;
  });
}
