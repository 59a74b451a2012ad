import type { Queryable } from '../../platform/postgres/database.ts';
import { rowQuery } from '../../platform/postgres/query.ts';
import type { RefundablePayment } from './refund.ts';

/** The amount of a payment that came back after a refund of it had FAILED, in minor units. */
const findLate = rowQuery<{ lateMinor: bigint }, [tenantId: string, paymentId: string]>({
  name: 'refunds.late',
  text: `
SELECT coalesce(sum(amount_minor) FILTER (WHERE status = 'FAILED' AND operator_refund_id IS NOT NULL), 0)::bigint
  AS "lateMinor"
FROM refunds WHERE tenant_id = $1 AND payment_id = $2`,
});

/**
 * The amount that the operator returned for no refund in the ledger, and that no person has explained yet. Nearly
 * always there is none, and then nothing is read.
 */
export async function unexplainedMinorOf(
  database: Queryable,
  { tenantId, paymentId }: { tenantId: string; paymentId: string },
  { lateRefundMinor = 0n }: Pick<RefundablePayment, 'lateRefundMinor'>,
): Promise<bigint> {
  if (lateRefundMinor === 0n) return 0n;
  const late = await findLate(database, tenantId, paymentId);
  return lateRefundMinor - (late?.lateMinor ?? 0n);
}
