import type { Queryable } from '../../platform/postgres/database.ts';

const refundedStatement = {
  name: 'refunds.done_of',
  text: `
SELECT coalesce(sum(amount_minor) FILTER (WHERE status IN ('PROCESSING', 'SUCCEEDED')), 0)::bigint AS minor
FROM refunds WHERE tenant_id = $1 AND payment_id = $2`,
};

/** How much of a payment our refunds have returned, or are about to. */
export async function refundedMinorOf(
  database: Queryable,
  { tenantId, paymentId }: { tenantId: string; paymentId: string },
): Promise<bigint> {
  const rows = await database.query<{ minor: bigint }>(refundedStatement, [tenantId, paymentId]);
  return rows[0]!.minor;
}
