import { Batcher } from '../../platform/jobs/batcher.ts';
import { uuidArray } from '../../platform/postgres/arrays.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { rowQuery, rowsQuery } from '../../platform/postgres/query.ts';
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

const findByReferences = rowsQuery<Disbursement, [tenantId: string, references: unknown]>({
  name: 'disbursements.find_by_references',
  text: `
SELECT found.* FROM unnest($2::uuid[]) AS asked (wanted)
CROSS JOIN LATERAL (
  SELECT ${disbursementColumns} FROM disbursements WHERE tenant_id = $1 AND reference = wanted LIMIT 1
) AS found`,
});

/** The tenant's disbursements that have these names at their operators. */
export const findAllByReference = (
  database: Queryable,
  tenantId: string,
  references: readonly string[],
): Promise<Disbursement[]> => findByReferences(database, tenantId, uuidArray(references));

/** The disbursement that the operator knows under this name, or undefined if the tenant has none. */
export const findByReference = async (
  database: Queryable,
  tenantId: string,
  reference: string,
): Promise<Disbursement | undefined> =>
  (await findAllByReference(database, tenantId, [reference]))[0];

/** The same, by one statement for those that are asked about together. */
export function makeFindByReference(
  database: Queryable,
): (tenantId: string, reference: string) => Promise<Disbursement | undefined> {
  const batcher = new Batcher<{ tenantId: string; reference: string }, Disbursement | undefined>({
    maxItems: 64,
    maxInFlight: 2,
    ownerOf: ({ tenantId }) => tenantId,
    async write(asked) {
      const found: Disbursement[] = [];
      for (const [tenantId, group] of Map.groupBy(asked, (each) => each.tenantId)) {
        const references = new Set(group.map(({ reference }) => reference));
        found.push(...(await findAllByReference(database, tenantId, [...references])));
      }
      return asked.map(({ tenantId, reference }) =>
        found.find((each) => each.tenantId === tenantId && each.reference === reference),
      );
    },
  });
  return (tenantId, reference) => batcher.submit({ tenantId, reference });
}

/** How many of the newest disbursements are looked through for a reference of the merchant's. */
const mostLookedThrough = 5_000;

/** The newest disbursements with this reference of the merchant's, among its latest 5,000. */
export const findDisbursementsByExternalId = rowsQuery<
  Pick<Disbursement, 'id'>,
  [tenantId: string, externalId: string, limit: number]
>({
  name: 'disbursements.find_by_external_id',
  text: `
SELECT id FROM (
  SELECT id, external_id FROM disbursements WHERE tenant_id = $1 ORDER BY id DESC LIMIT ${mostLookedThrough}
) AS newest
WHERE external_id = $2 ORDER BY id DESC LIMIT $3`,
});
