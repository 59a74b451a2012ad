import { rowQuery } from '../../platform/postgres/query.ts';
import { table } from '../../platform/postgres/statement.ts';
import type { Disbursement } from './disbursement.ts';

/** A column of the table for each field, and its type. */
export const disbursementFields = {
  tenantId: 'uuid',
  id: 'uuid',
  batchId: 'uuid',
  batchRow: 'integer',
  reference: 'uuid',
  version: 'integer',
  status: 'text',
  amountMinor: 'bigint',
  feeMinor: 'bigint',
  currency: 'text',
  operator: 'text',
  operatorPhone: 'text',
  operatorTxId: 'text',
  failureCode: 'text',
  failureMessage: 'text',
  externalId: 'text',
  customerId: 'text',
  description: 'text',
  statementDescriptor: 'text',
  metadata: 'text',
  idempotencyKey: 'text',
  requestHash: 'bytea',
  createdByKey: 'uuid',
  createdByPerson: 'uuid',
  rendering: 'integer',
  queryCount: 'integer',
  dueAtMs: 'timestamptz',
  sentAtMs: 'timestamptz',
  byHand: 'boolean',
  expiresAtMs: 'timestamptz',
  createdAtMs: 'timestamptz',
  updatedAtMs: 'timestamptz',
} as const;
/** Fields whose columns have other names. */
export const disbursementColumnNames = { queryCount: 'ask_count' } as const;

export const disbursementTable = table<Disbursement>(disbursementFields, disbursementColumnNames);
export const disbursementColumns = disbursementTable.columns;

/** The disbursement, or undefined if the tenant has none with this id. */
export const findDisbursement = rowQuery<Disbursement, [tenantId: string, id: string]>({
  name: 'disbursements.find',
  text: `SELECT ${disbursementColumns} FROM disbursements WHERE tenant_id = $1 AND id = $2`,
});

/** A disbursement with the merchant that it belongs to. */
export interface OwnedDisbursement extends Disbursement {
  merchantId: string;
  mode: 'live' | 'test';
}

/** By id alone, across tenants: along the key of each in turn, since no index is by the id alone. */
export const findAnyDisbursement = rowQuery<OwnedDisbursement, [id: string]>({
  name: 'disbursements.find_any',
  text: `
SELECT found.*, t.merchant_id AS "merchantId", t.mode
FROM tenants t CROSS JOIN LATERAL (
  SELECT ${disbursementColumns} FROM disbursements WHERE tenant_id = t.id AND id = $1 LIMIT 1
) AS found
LIMIT 1`,
});
