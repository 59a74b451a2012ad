import { isoInstant } from '../../../platform/formats/instant.ts';
import { formatId } from '../../../platform/values/ids.ts';
import type { BatchTotal, CountedBatch, DisbursementBatch, RowCounts } from './batch.ts';

/** Increased with each field that is added here; new rows store it. */
export const batchRendering = 1;

/** The batch as the API shows it. Every field is always present. */
export function batchView(batch: CountedBatch) {
  const totals = JSON.parse(batch.totals) as BatchTotal[];
  const [only, ...others] = totals;
  const isOneCurrency = others.length === 0;
  return {
    id: formatId('dib', batch.id),
    externalId: batch.externalId,
    description: batch.description,
    status: batch.status,
    itemCount: batch.itemCount,
    currency: isOneCurrency ? only!.currency : null,
    amount: isOneCurrency ? only!.amount : null,
    feeAmount: isOneCurrency ? only!.feeAmount : null,
    totals,
    counts: countsView(batch.counts),
    retryOf: batch.retryOf && formatId('dib', batch.retryOf),
    duplicateOf: batch.duplicateOf && formatId('dib', batch.duplicateOf),
    createdAt: isoInstant(batch.createdAtMs),
    updatedAt: isoInstant(batch.updatedAtMs),
    completedAt: batch.completedAtMs === null ? null : isoInstant(batch.completedAtMs),
  };
}

/** In one order: what was kept of an answer comes back from the database in another. */
const countsView = ({ created, processing, succeeded, failed, cancelled }: RowCounts) => ({
  created,
  processing,
  succeeded,
  failed,
  cancelled,
});

export const batchJson = (batch: CountedBatch): string => JSON.stringify(batchView(batch));

/**
 * The batch as it was when it was created, whatever it has become since: a repeated request gets the same bytes.
 */
export const createdBatch = (batch: DisbursementBatch): CountedBatch => ({
  ...batch,
  status: 'CREATED',
  counts: { created: batch.itemCount, processing: 0, succeeded: 0, failed: 0, cancelled: 0 },
  updatedAtMs: batch.createdAtMs,
  completedAtMs: null,
});
