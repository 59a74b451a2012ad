import { Batcher } from '../../platform/jobs/batcher.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { type Rescheduling, reschedulePayments } from './lease-store.ts';
import type { Payment } from './payment.ts';

/**
 * Sets when a payment needs attention next (null: never), under the lease that it was claimed with; `sentAtMs` says
 * that its debit is about to be requested again. False if the lease had passed to another worker, or the payment had
 * moved on: then nothing was written.
 */
export type Reschedule = (
  payment: Payment,
  leaseMs: number,
  dueAtMs: number | null,
  sentAtMs?: number,
) => Promise<boolean>;

export function makeReschedule(database: Database): Reschedule {
  const batcher = new Batcher<Rescheduling, boolean>({
    maxItems: 256,
    maxInFlight: 1,
    keyOf: ({ payment }) => payment.tenantId + payment.id,
    ownerOf: ({ payment }) => payment.tenantId,
    write: async (rows) => {
      const moved = await reschedulePayments(database, rows);
      return rows.map(({ payment }) => moved.has(payment.id));
    },
  });
  return (payment, leaseMs, dueAtMs, sentAtMs) =>
    batcher.submit({ payment, leaseMs, dueAtMs, sentAtMs });
}
