import type { Queryable } from '../../platform/postgres/database.ts';
import { rowQuery } from '../../platform/postgres/query.ts';
import type { Refund } from './refund.ts';
import { unexplainedMinorOf } from './unexplained-amount.ts';

const findLeftStatement = rowQuery<
  { leftMinor: bigint; lateRefundMinor: bigint },
  [tenantId: Refund['tenantId'], paymentId: string]
>({
  name: 'refunds.left',
  text: `
SELECT greatest(amount_minor - refund_reserved_minor - late_refund_minor, 0) AS "leftMinor",
  late_refund_minor AS "lateRefundMinor"
FROM payments WHERE tenant_id = $1 AND id = $2`,
});

/**
 * The remainder of a payment that no refund has taken, in minor units, at this moment, and the amount that must be
 * explained before it can be refunded: shown before a refund is requested. The request itself decides again.
 */
export async function findRefundableAmount(
  database: Queryable,
  tenantId: string,
  paymentId: string,
): Promise<{ leftMinor: bigint; unexplainedMinor: bigint } | undefined> {
  const found = await findLeftStatement(database, tenantId, paymentId);
  if (!found) return undefined;
  const unexplainedMinor = await unexplainedMinorOf(database, { tenantId, paymentId }, found);
  return { leftMinor: found.leftMinor, unexplainedMinor };
}
