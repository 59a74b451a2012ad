import { uuidArray } from '../../platform/postgres/arrays.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import type { Wait } from './erase-store.ts';

/**
 * The rows of batches whose disbursements are not all created yet. Their id is the reference of their disbursement: an
 * erasure that names it waits, and removes its data once it has ended.
 */
export const unwrittenRows = `
SELECT b.tenant_id, (row.item ->> 'reference')::uuid AS id, row.item ->> 'operatorPhone' AS operator_phone, b.id AS batch_id,
  row.item AS data, b.created_at
FROM disbursement_batches b CROSS JOIN LATERAL json_array_elements(b.items::json) AS row (item)
WHERE b.items LIKE '[%'`;

const waitsStatement = {
  name: 'erasure.unwritten_waits',
  text: `
SELECT unwritten.id FROM (${unwrittenRows} AND b.tenant_id = $1) AS unwritten WHERE unwritten.id = ANY ($2::uuid[])`,
};

/** Those of these disbursements whose batch still has their data. */
export async function waitsForBatches(
  transaction: Queryable,
  { tenantId, ids }: { tenantId: string; ids: readonly string[] },
): Promise<Wait[]> {
  const rows = await transaction.query<{ id: string }>(waitsStatement, [tenantId, uuidArray(ids)]);
  return rows.map(({ id }) => ({ id, reason: 'MONEY_UNDER_WAY', keptUntilMs: null }));
}
