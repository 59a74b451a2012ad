import { dueRows } from '../../integrations/operators/due-rows.ts';
import type { Addressed } from '../../integrations/operators/queue.ts';
import { isUnderLease } from '../../platform/jobs/lease.ts';
import { type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { prepare } from '../../platform/postgres/statement.ts';
import type { Refund } from './refund.ts';
import { refundColumns } from './store.ts';

/** With the mode of its tenant, which decides who processes it. */
export type DueRefund = Refund & Addressed;

const due = dueRows<Refund>({
  table: 'refunds',
  columns: refundColumns,
  bytes: 'coalesce(octet_length(metadata), 0)',
  isVersioned: true,
});

export const {
  claim: claimDueRefunds,
  take: takeRefund,
  renew: renewRefund,
  markByHand: markRefundByHand,
} = due;

/** Whether open review items reserve so much of the payment that its refunds may not all be made. */
export const isReserved = prepare({
  name: 'refunds.is_reserved',
  given: { tenantId: 'uuid', paymentId: 'uuid' },
  text: (given) => `
SELECT 1 AS one FROM payments
WHERE tenant_id = ${given.tenantId} AND id = ${given.paymentId}
  AND late_refund_minor > 0 AND refund_reserved_minor + late_refund_minor > amount_minor`,
});

const rescheduleStatement = {
  name: 'refunds.reschedule',
  text: `
UPDATE refunds SET due_at = $5, sent_at = $6, asking_until = NULL, ask_count = ask_count + 1
WHERE tenant_id = $1 AND id = $2 AND version = $3 AND ${isUnderLease('due_at', '$4')}
RETURNING id`,
};

/**
 * Sets when a refund needs attention next (null: never), and whether a request for it may have left, under the lease
 * that it is held with. False if the lease had passed to another worker.
 */
export async function rescheduleRefund(
  database: Queryable,
  { tenantId, id, version, dueAtMs: leaseMs }: Refund,
  { dueAtMs, sentAtMs }: Pick<Refund, 'dueAtMs' | 'sentAtMs'>,
): Promise<boolean> {
  const values = [tenantId, id, version, timestamp(leaseMs)];
  const rows = await database.query(rescheduleStatement, [
    ...values,
    timestamp(dueAtMs),
    timestamp(sentAtMs),
  ]);
  return rows.length > 0;
}
