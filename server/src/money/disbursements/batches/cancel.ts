import { type Author, writeAuditRecord } from '../../../platform/audit/record.ts';
import { invalidState, notFound } from '../../../platform/errors/errors.ts';
import { type KeepAnswer, keepNothing } from '../../../platform/idempotency/run-once.ts';
import type { Database, Queryable } from '../../../platform/postgres/database.ts';
import { rowsQuery } from '../../../platform/postgres/query.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { type CancelDisbursementDependencies, cancelSeen, unsentSql } from '../cancel.ts';
import type { Disbursement } from '../disbursement.ts';
import { disbursementColumns } from '../store.ts';
import { type CountedBatch, mostRows } from './batch.ts';
import { countedBatch, dropRest, findBatch, lockBatch } from './store.ts';

/**
 * Cancels what has not been sent of a batch: rows that are not written yet never will be, and the money of others goes
 * back to the balance.
 * @throws NOT_FOUND
 * @throws INVALID_STATE each row has been sent, or has ended
 */
export type CancelBatch = (
  tenantId: string,
  id: string,
  author?: Author,
  keep?: KeepAnswer,
) => Promise<CountedBatch>;

export interface CancelBatchDependencies extends CancelDisbursementDependencies {
  /** Learns of a batch that is due. */
  batchWorker: { wake(atMs: number): void };
}

/** The disbursements of a batch that can be cancelled. */
const findUnsent = rowsQuery<Disbursement, [tenantId: string, batchId: string, limit: number]>({
  name: 'disbursements.unsent_of_batch',
  text: `
SELECT ${disbursementColumns} FROM disbursements
WHERE tenant_id = $1 AND batch_id = $2 AND ${unsentSql}
ORDER BY batch_row LIMIT $3`,
});

/** Whether something of a batch can be cancelled. */
export const isCancellable = async (
  database: Queryable,
  { tenantId, id, counts }: CountedBatch,
): Promise<boolean> =>
  counts.created > 0 ||
  (counts.processing > 0 && (await findUnsent(database, tenantId, id, 1)).length > 0);

/** The changing fields of a cancelled batch, as they were in the answer. */
const keptOf = ({ status, counts, updatedAtMs, completedAtMs }: CountedBatch) => ({
  status,
  counts,
  updatedAtMs,
  completedAtMs,
});

/** The batch as it was in the answer to its cancellation. */
export async function cancelledBatchThen(
  database: Database,
  { tenantId, id }: { tenantId: string; id: string },
  kept: object,
): Promise<CountedBatch> {
  const batch = await findBatch(database, tenantId, id);
  if (!batch) throw notFound('disbursement batch');
  return { ...batch, ...(kept as ReturnType<typeof keptOf>) };
}

export function makeCancelBatch(dependencies: CancelBatchDependencies): CancelBatch {
  const { database, clock, batchWorker } = dependencies;
  return async (tenantId, id, author, keep = keepNothing) => {
    // At once: a second request waits, then finds either the kept answer or nothing left to cancel.
    const { batch, announcements } = await database.transaction(async (transaction) => {
      const ended = await cancelRows(transaction, dependencies, { tenantId, id });
      const given = { tenantId, id, author, keep, cancelled: ended.count };
      const batch = await finish(transaction, dependencies, given);
      return { batch, announcements: ended.announcements };
    });
    for (const announce of announcements) announce();
    batchWorker.wake(clock.nowMs());
    return batch;
  };
}

/** Drops the rows that are not written yet, and cancels those that wait to be sent. */
async function cancelRows(
  transaction: Queryable,
  dependencies: CancelBatchDependencies,
  { tenantId, id }: { tenantId: string; id: string },
): Promise<{ count: number; announcements: (() => void)[] }> {
  const nowMs = dependencies.clock.nowMs();
  // From here on no further row is written: whoever writes one loses against this version.
  const dropped = await dropRest(transaction, { tenantId, id, nowMs });
  if (!dropped && !(await lockBatch(transaction, tenantId, id)))
    throw notFound('disbursement batch');
  let count = dropped ? dropped.itemCount - dropped.writtenCount : 0;
  const announcements: (() => void)[] = [];
  // All in one statement, which locks the balance last; a row that changed meanwhile is seen again.
  for (;;) {
    const seen = await findUnsent(transaction, tenantId, id, mostRows);
    if (seen.length === 0) return { count, announcements };
    const done = await cancelSeen(transaction, dependencies, seen);
    count += done.disbursements.length;
    announcements.push(done.announce);
  }
}

interface Finishing {
  tenantId: string;
  id: string;
  author: Author | undefined;
  keep: KeepAnswer;
  /** How many rows this cancellation has ended. */
  cancelled: number;
}

async function finish(
  transaction: Queryable,
  dependencies: CancelBatchDependencies,
  { tenantId, id, author, keep, cancelled }: Finishing,
): Promise<CountedBatch> {
  const batch = await countedBatch(transaction, (await findBatch(transaction, tenantId, id))!);
  if (cancelled === 0) {
    throw invalidState(
      'Nothing of this batch can be cancelled: each row has been sent to its operator, or has ended.',
    );
  }
  if (author) {
    await writeAuditRecord(
      transaction,
      { ...dependencies, ...author },
      {
        tenantId,
        action: 'disbursement_batch.cancelled',
        subject: formatId('dib', id),
        detail: { cancelled },
      },
    );
  }
  await keep(transaction, keptOf(batch));
  return batch;
}
