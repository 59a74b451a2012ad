import { Conditions } from '../../../platform/postgres/conditions.ts';
import type { Queryable } from '../../../platform/postgres/database.ts';
import { addPage, type ListPage, orderOf } from '../../../platform/postgres/list-page.ts';
import type { CountedBatch, DisbursementBatch } from './batch.ts';
import { batchColumns, countedBatches } from './store.ts';

/** The filters of a list of batches. */
export interface BatchFilter {
  /** Any of these. */
  status?: string | readonly string[] | undefined;
  externalId?: string | undefined;
}

/** Newest first; a page before a batch, oldest first. Returns one row more than the limit if there are more. */
export async function listBatches(
  database: Queryable,
  tenantId: string,
  filter: BatchFilter,
  page: ListPage,
): Promise<CountedBatch[]> {
  const asked = new Conditions([tenantId, page.limit + 1], 'tenant_id = $1');
  addPage(asked, page);
  asked.oneOf('status', filter.status);
  asked.where('external_id = ?', filter.externalId);
  const text = `SELECT ${batchColumns} FROM disbursement_batches WHERE ${asked.text} ORDER BY id ${orderOf(page)} LIMIT $2`;
  const batches = await database.query<DisbursementBatch>({ text }, asked.values);
  return countedBatches(database, batches);
}
