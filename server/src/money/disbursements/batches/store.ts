import { claimStatement } from '../../../platform/jobs/claim.ts';
import { uuidArray } from '../../../platform/postgres/arrays.ts';
import type { Queryable } from '../../../platform/postgres/database.ts';
import { rowQuery, rowsQuery } from '../../../platform/postgres/query.ts';
import { listOf, prepare, table } from '../../../platform/postgres/statement.ts';
import type { DisbursementStatus } from '../disbursement.ts';
import type { BatchItem, CountedBatch, DisbursementBatch, RowCounts } from './batch.ts';

const batchTable = table<DisbursementBatch>({
  tenantId: 'uuid',
  id: 'uuid',
  version: 'integer',
  status: 'text',
  externalId: 'text',
  description: 'text',
  itemCount: 'integer',
  writtenCount: 'integer',
  itemsDigest: 'bytea',
  totals: 'text',
  retryOf: 'uuid',
  duplicateOf: 'uuid',
  idempotencyKey: 'text',
  requestHash: 'bytea',
  createdByKey: 'uuid',
  createdByPerson: 'uuid',
  rendering: 'integer',
  dueAtMs: 'timestamptz',
  createdAtMs: 'timestamptz',
  updatedAtMs: 'timestamptz',
  completedAtMs: 'timestamptz',
});
export const batchColumns = batchTable.columns;

const newBatches = batchTable.rowsWithout('completedAtMs');

export const insertStatement = prepare({
  name: 'disbursement_batches.insert',
  given: { batches: newBatches, items: 'text' },
  text: (given) => `
INSERT INTO disbursement_batches (${newBatches.names}, items)
SELECT ${newBatches.names}, ${given.items} FROM ${given.batches}
ON CONFLICT DO NOTHING
RETURNING id`,
});

/** Writes a batch; false if one has its idempotency key already. */
export async function insertBatch(
  transaction: Queryable,
  batch: DisbursementBatch,
  items: readonly BatchItem[],
): Promise<boolean> {
  const given = { batches: [batch], items: JSON.stringify(items) };
  return (await insertStatement.run(transaction, given)).length > 0;
}

const sameRowsStatement = prepare({
  name: 'disbursement_batches.find_same_rows',
  given: { tenantId: 'uuid', digests: listOf('bytea'), retried: 'uuid' },
  text: (given) => `
SELECT id FROM disbursement_batches same
WHERE tenant_id = ${given.tenantId} AND items_digest = ANY (${given.digests})
  AND id IS DISTINCT FROM ${given.retried} AND NOT EXISTS (
    SELECT FROM disbursement_batches retry
    WHERE retry.tenant_id = ${given.tenantId} AND retry.retry_of = same.id
      AND retry.items_digest = ANY (${given.digests})
  )
ORDER BY id LIMIT 1`,
});

/**
 * The first batch that may pay the same rows: not the one whose failed rows are tried again, nor one of which every row
 * has been tried again.
 * @param digests of the rows, under each digest key
 */
export async function findSameRows(
  database: Queryable,
  given: { tenantId: string; digests: readonly Buffer[]; retried: string | null },
): Promise<string | null> {
  return (await sameRowsStatement.run<{ id: string }>(database, given))[0]?.id ?? null;
}

/** The batch, or undefined if the tenant has none with this id. */
export const findBatch = rowQuery<DisbursementBatch, [tenantId: string, id: string]>({
  name: 'disbursement_batches.find',
  text: `SELECT ${batchColumns} FROM disbursement_batches WHERE tenant_id = $1 AND id = $2`,
});

/** With its merchant, for staff. */
export type OwnedBatch = DisbursementBatch & { merchantId: string; mode: 'live' | 'test' };

/** By id alone, across tenants: along the key of each in turn, since no index is by the id alone. */
export const findAnyBatch = rowQuery<OwnedBatch, [id: string]>({
  name: 'disbursement_batches.find_any',
  text: `
SELECT found.*, t.merchant_id AS "merchantId", t.mode
FROM tenants t CROSS JOIN LATERAL (
  SELECT ${batchColumns} FROM disbursement_batches WHERE tenant_id = t.id AND id = $1 LIMIT 1
) AS found
LIMIT 1`,
});

/** A batch of the tenant, locked until the transaction ends. */
export const lockBatch = rowQuery<DisbursementBatch, [tenantId: string, id: string]>({
  name: 'disbursement_batches.lock',
  text: `SELECT ${batchColumns} FROM disbursement_batches WHERE tenant_id = $1 AND id = $2 FOR UPDATE`,
});

/** The batch under any of the forms of an idempotency key. */
export const findBatchByKeys = rowQuery<
  DisbursementBatch,
  [tenantId: string, keys: readonly string[]]
>({
  name: 'disbursement_batches.find_by_keys',
  text: `SELECT ${batchColumns} FROM disbursement_batches WHERE tenant_id = $1 AND idempotency_key = ANY ($2::text[])`,
});

/** A batch that tries the failed rows of this one again. */
export const findRetry = rowQuery<{ id: string }, [tenantId: string, retryOf: string]>({
  name: 'disbursement_batches.find_retry',
  text: 'SELECT id FROM disbursement_batches WHERE tenant_id = $1 AND retry_of = $2 ORDER BY id LIMIT 1',
});

/** The rows as JSON text; null once none is left to be written. */
export const findItems = rowQuery<{ items: string | null }, [tenantId: string, id: string]>({
  name: 'disbursement_batches.items',
  text: 'SELECT items FROM disbursement_batches WHERE tenant_id = $1 AND id = $2',
});

const countRows = rowsQuery<
  { batchId: string; status: DisbursementStatus; count: number },
  [tenantId: string, batchIds: unknown]
>({
  name: 'disbursements.count_by_batch',
  text: `
SELECT batch_id AS "batchId", status, count(*)::integer AS count
FROM disbursements WHERE tenant_id = $1 AND batch_id = ANY ($2::uuid[])
GROUP BY batch_id, status`,
});

/** Counts the rows of batches of one tenant. */
export async function countedBatches(
  database: Queryable,
  batches: readonly DisbursementBatch[],
): Promise<CountedBatch[]> {
  const [first] = batches;
  if (!first) return [];
  const found = await countRows(
    database,
    first.tenantId,
    uuidArray(batches, ({ id }) => id),
  );
  return batches.map((batch) => {
    const own = found.filter(({ batchId }) => batchId === batch.id);
    const count = (status: DisbursementStatus) =>
      own.find((each) => each.status === status)?.count ?? 0;
    const written = own.reduce((sum, each) => sum + each.count, 0);
    const unwritten = batch.itemCount - written;
    const isOpen = batch.status === 'CREATED';
    const counts: RowCounts = {
      created: count('CREATED') + (isOpen ? unwritten : 0),
      processing: count('PROCESSING'),
      succeeded: count('SUCCEEDED'),
      failed: count('FAILED'),
      // What was never written was cancelled before.
      cancelled: count('CANCELLED') + (isOpen ? 0 : unwritten),
    };
    return { ...batch, counts };
  });
}

export async function countedBatch(
  database: Queryable,
  batch: DisbursementBatch,
): Promise<CountedBatch> {
  return (await countedBatches(database, [batch]))[0]!;
}

/** With the mode of its tenant. */
export type DueBatch = DisbursementBatch & { mode: 'live' | 'test' };

const claim = claimStatement({
  name: 'disbursement_batches.claim',
  table: 'disbursement_batches',
  key: ['tenant_id', 'id'],
  given: { busyModes: listOf('text') },
  where: (given) =>
    `(SELECT mode FROM tenants t WHERE t.id = r.tenant_id) <> ALL (${given.busyModes})`,
  returning: `${batchColumns}, (SELECT mode FROM tenants t WHERE t.id = r.tenant_id) AS mode`,
});

/** Claims due batches of all tenants, under a lease. */
export const claimDueBatches = (
  database: Queryable,
  given: { nowMs: number; leaseMs: number; limit: number; busyModes: readonly string[] },
): Promise<DueBatch[]> => claim.run(database, given);

const advanceStatement = prepare({
  name: 'disbursement_batches.advance',
  given: {
    tenantId: 'uuid',
    id: 'uuid',
    version: 'integer',
    writtenCount: 'integer',
    dueAtMs: 'timestamptz',
    nowMs: 'timestamptz',
  },
  text: (given) => `
UPDATE disbursement_batches
SET version = version + 1, written_count = ${given.writtenCount}, due_at = ${given.dueAtMs},
  updated_at = ${given.nowMs},
  status = CASE WHEN ${given.writtenCount} = item_count THEN 'PROCESSING' ELSE status END,
  items = CASE WHEN ${given.writtenCount} = item_count THEN NULL ELSE items END
WHERE tenant_id = ${given.tenantId} AND id = ${given.id} AND version = ${given.version}
  AND status = 'CREATED'
RETURNING ${batchColumns}`,
});

/** Notes that more rows are written; undefined if the batch has changed since it was seen. */
export async function advanceBatch(
  transaction: Queryable,
  { tenantId, id, version }: DisbursementBatch,
  change: { writtenCount: number; dueAtMs: number; nowMs: number },
): Promise<DisbursementBatch | undefined> {
  const given = { tenantId, id, version, ...change };
  return (await advanceStatement.run<DisbursementBatch>(transaction, given))[0];
}

const dropRestStatement = prepare({
  name: 'disbursement_batches.drop_rest',
  given: { tenantId: 'uuid', id: 'uuid', nowMs: 'timestamptz' },
  text: (given) => `
UPDATE disbursement_batches
SET version = version + 1, status = 'PROCESSING', items = NULL, due_at = ${given.nowMs}, updated_at = ${given.nowMs}
WHERE tenant_id = ${given.tenantId} AND id = ${given.id} AND status = 'CREATED'
RETURNING ${batchColumns}`,
});

/** The rows that are not written yet never will be. Undefined if all are written. */
export async function dropRest(
  transaction: Queryable,
  given: { tenantId: string; id: string; nowMs: number },
): Promise<DisbursementBatch | undefined> {
  return (await dropRestStatement.run<DisbursementBatch>(transaction, given))[0];
}

const rescheduleStatement = prepare({
  name: 'disbursement_batches.reschedule',
  given: { tenantId: 'uuid', id: 'uuid', version: 'integer', dueAtMs: 'timestamptz' },
  text: (given) => `
UPDATE disbursement_batches SET due_at = ${given.dueAtMs}
WHERE tenant_id = ${given.tenantId} AND id = ${given.id} AND version = ${given.version}`,
});

/** Sets when a batch needs attention next, unless it has changed since it was seen. */
export async function rescheduleBatch(
  database: Queryable,
  { tenantId, id, version }: DisbursementBatch,
  dueAtMs: number,
): Promise<void> {
  await rescheduleStatement.run(database, { tenantId, id, version, dueAtMs });
}
