import { invalidState, notFound } from '../../../platform/errors/errors.ts';
import {
  type IdempotentRequest,
  idempotentRequest,
} from '../../../platform/idempotency/idempotency.ts';
import type { Database } from '../../../platform/postgres/database.ts';
import { rowsQuery } from '../../../platform/postgres/query.ts';
import { formatId } from '../../../platform/values/ids.ts';
import type { Disbursement } from '../disbursement.ts';
import { disbursementColumns } from '../store.ts';
import { hasEnded } from './batch.ts';
import type { BatchRow, CreateBatch, CreateBatchInput, CreatedBatch } from './create.ts';
import { countedBatch, findBatch, findRetry, lockBatch } from './store.ts';

export type RetryBatchInput = Omit<
  CreateBatchInput,
  'rows' | 'externalId' | 'description' | 'retryOf' | 'idempotency'
> & { batchId: string; idempotencyKey: string };

/**
 * Creates a batch of those rows of another that have definitely failed.
 * @throws NOT_FOUND
 * @throws INVALID_STATE rows are still open, none has failed, or they have been tried again already
 * @throws as the creation of a batch
 */
export type RetryBatch = (input: RetryBatchInput) => Promise<CreatedBatch>;

/*
 * A failure is definite if no sign of a success has come since, and no person looks into it. What was erased cannot be
 * paid any more.
 */
const findFailed = rowsQuery<Disbursement, [tenantId: string, batchId: string]>({
  name: 'disbursements.failed_of_batch',
  text: `
SELECT ${disbursementColumns} FROM disbursements d
WHERE tenant_id = $1 AND batch_id = $2 AND status = 'FAILED' AND operator_tx_id IS NULL
  AND operator_phone IS NOT NULL AND NOT EXISTS (
    SELECT FROM review_items i WHERE i.tenant_id = $1 AND i.subject_id = d.id AND i.closed_at IS NULL
  )
ORDER BY batch_row`,
});

export function makeRetryBatch(dependencies: {
  database: Database;
  createBatch: CreateBatch;
}): RetryBatch {
  const { database, createBatch } = dependencies;
  return async ({ batchId, idempotencyKey, ...author }) => {
    const { tenantId } = author;
    const original = await findBatch(database, tenantId, batchId);
    if (!original) throw notFound('disbursement batch');
    const failed = await findFailed(database, tenantId, batchId);
    const { counts } = await countedBatch(database, original);
    const { externalId, description } = original;
    const input = {
      ...author,
      externalId,
      description,
      retryOf: batchId,
      rows: failed.map(rowOf),
      idempotency: requestOf(idempotencyKey, batchId),
    };
    return createBatch(input, async (transaction) => {
      await lockBatch(transaction, tenantId, batchId);
      if (!hasEnded(counts))
        throw invalidState('Rows of this batch are still open. Try again once it is COMPLETED.');
      if (failed.length === 0)
        throw invalidState(
          'No row of this batch has definitely failed, so nothing can be tried again.',
        );
      const retry = await findRetry(transaction, tenantId, batchId);
      if (retry) {
        throw invalidState(
          `This batch has been tried again already, as ${formatId('dib', retry.id)}. Try that batch again instead.`,
        );
      }
    });
  };
}

const requestOf = (key: string, batchId: string): IdempotentRequest =>
  idempotentRequest(key, { retry: batchId }, () => ({ retry: batchId }))!;

const rowOf = (disbursement: Disbursement): BatchRow => ({
  amountMinor: disbursement.amountMinor,
  operator: disbursement.operator,
  operatorPhone: disbursement.operatorPhone!,
  currency: disbursement.currency,
  externalId: disbursement.externalId,
  customerId: disbursement.customerId,
  description: disbursement.description,
  statementDescriptor: disbursement.statementDescriptor,
  metadata: disbursement.metadata,
});
