import { type Author, writeAuditRecord } from '../../../platform/audit/record.ts';
import { invalidState, notFound } from '../../../platform/errors/errors.ts';
import { type KeepAnswer, keepNothing } from '../../../platform/idempotency/run-once.ts';
import type { Database, Queryable } from '../../../platform/postgres/database.ts';
import { rowsQuery } from '../../../platform/postgres/query.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { type CancelDisbursementDependencies, type Cancelled, cancelSeen } from '../cancel.ts';
import { mostTogether } from '../create-many.ts';
import type { Disbursement } from '../disbursement.ts';
import { disbursementColumns } from '../store.ts';
import type { CountedBatch } from './batch.ts';
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

const findCreated = rowsQuery<Disbursement, [tenantId: string, batchId: string, limit: number]>({
  name: 'disbursements.created_of_batch',
  text: `
SELECT ${disbursementColumns} FROM disbursements
WHERE tenant_id = $1 AND batch_id = $2 AND status = 'CREATED'
ORDER BY batch_row LIMIT $3`,
});

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
    const nowMs = clock.nowMs();
    // From here on no further row is written: whoever writes one loses against this version.
    const dropped = await dropRest(database, { tenantId, id, nowMs });
    let cancelled = dropped ? dropped.itemCount - dropped.writtenCount : 0;
    for (;;) {
      const done = await database.transaction((transaction) =>
        cancelChunk(transaction, dependencies, { tenantId, id }),
      );
      if (!done) break;
      done.announce();
      cancelled += done.disbursements.length;
    }
    const batch = await database.transaction((transaction) =>
      finish(transaction, dependencies, { tenantId, id, author, keep, cancelled }),
    );
    batchWorker.wake(clock.nowMs());
    return batch;
  };
}

/** Undefined once no row of the batch waits to be sent. */
async function cancelChunk(
  transaction: Queryable,
  dependencies: CancelBatchDependencies,
  { tenantId, id }: { tenantId: string; id: string },
): Promise<Cancelled | undefined> {
  if (!(await lockBatch(transaction, tenantId, id))) throw notFound('disbursement batch');
  const seen = await findCreated(transaction, tenantId, id, mostTogether);
  return seen.length > 0 ? cancelSeen(transaction, dependencies, seen) : undefined;
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
