import { Batcher } from '../platform/batching.ts';
import type { Database } from '../platform/database.ts';
import type { Payment } from './payment.ts';
import { reschedulePayments } from './store.ts';

/** Sets when a payment needs attention next (null: never), under the lease that it was taken with. */
export type Reschedule = (
  payment: Payment,
  leaseMs: number,
  dueAtMs: number | null,
) => Promise<void>;

interface Row {
  payment: Payment;
  leaseMs: number;
  dueAtMs: number | null;
}

export function createReschedule(database: Database): Reschedule {
  const batcher = new Batcher<Row, undefined>({
    maxItems: 256,
    maxInFlight: 1,
    keyOf: ({ payment }) => payment.tenantId + payment.id,
    write: async (rows) => {
      await reschedulePayments(database, rows);
      return rows.map(() => undefined);
    },
  });
  return async (payment, leaseMs, dueAtMs) => {
    await batcher.submit({ payment, leaseMs, dueAtMs });
  };
}
