import { Conditions } from '../../platform/postgres/conditions.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { findByMetadata, type MetadataFilter } from '../../platform/postgres/find-by-metadata.ts';
import {
  addPage,
  anyOf,
  type ListPage,
  orderOf,
  tableOf,
} from '../../platform/postgres/list-page.ts';
import type { Disbursement } from './disbursement.ts';
import { disbursementColumns } from './store.ts';

/** The filters of a list of disbursements. */
export interface DisbursementFilter {
  /** Any of these. */
  status?: string | readonly string[] | undefined;
  operator?: string | readonly string[] | undefined;
  currency?: string | readonly string[] | undefined;
  batchId?: string | undefined;
  customerId?: string | undefined;
  externalId?: string | undefined;
  /** Only these. */
  ids?: readonly string[] | undefined;
}

function conditionsOf(tenantId: string, filter: DisbursementFilter, page: ListPage): Conditions {
  const asked = new Conditions([tenantId, page.limit + 1], 'tenant_id = $1');
  addPage(asked, page);
  asked.oneOf('operator', filter.operator);
  asked.oneOf('currency', filter.currency);
  asked.where('batch_id = ?', filter.batchId);
  asked.where('customer_id = ?', filter.customerId);
  asked.where('external_id = ?', filter.externalId);
  return asked;
}

/**
 * The ids of the disbursements on a page that also have this metadata.
 * @throws VALIDATION_ERROR too much to search
 */
export function findDisbursementsByMetadata(
  database: Database,
  tenantId: string,
  filter: DisbursementFilter,
  page: ListPage,
  metadata: MetadataFilter,
): Promise<string[]> {
  const asked = conditionsOf(tenantId, filter, page);
  asked.oneOf('status', filter.status);
  return findByMetadata(database, { table: 'disbursements', asked, metadata, page });
}

/** Newest first; a page before a disbursement, oldest first. Returns one row more than the limit if there are more. */
export function listDisbursements(
  database: Queryable,
  tenantId: string,
  filter: DisbursementFilter,
  page: ListPage,
): Promise<Disbursement[]> {
  const asked = conditionsOf(tenantId, filter, page);
  const order = orderOf(page);
  const from = tableOf(asked, 'disbursements', filter.ids);
  const parts = asked
    .each('status', filter.status)
    .map(
      (way) =>
        `SELECT ${disbursementColumns} FROM ${from} WHERE ${asked.text} AND ${way} ORDER BY id ${order} LIMIT $2`,
    );
  return database.query<Disbursement>({ text: anyOf(parts, order) }, asked.values);
}
