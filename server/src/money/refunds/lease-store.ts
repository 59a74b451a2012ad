import type { Addressed } from '../../integrations/operators/queue.ts';
import { reschedulingOf } from '../../integrations/operators/reschedule-rows.ts';
import { rowLeases } from '../../integrations/operators/row-leases.ts';
import { prepare } from '../../platform/postgres/statement.ts';
import type { Refund } from './refund.ts';
import { refundColumns } from './store.ts';

/** With the mode of its tenant, which decides who processes it. */
export type DueRefund = Refund & Addressed;

const due = rowLeases<Refund>({
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

export const rescheduleRefunds = reschedulingOf('refunds');
