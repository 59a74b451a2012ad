import type { Addressed } from '../../integrations/operators/queue.ts';
import {
  type ClaimedRow,
  rowLeases,
  type Taking,
} from '../../integrations/operators/row-leases.ts';
import { isUnderLease } from '../../platform/jobs/lease.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { prepare, rowsOf } from '../../platform/postgres/statement.ts';
import type { Payment } from './payment.ts';
import { paymentColumns } from './store.ts';

/** With the mode of its tenant, which decides who processes it. */
export type DuePayment = Payment & Addressed;

const due = rowLeases<Payment>({
  table: 'payments',
  columns: paymentColumns,
  bytes: 'coalesce(octet_length(metadata), 0)',
  isVersioned: true,
});

export const { claim: claimDuePayments, renew: renewPayment, markByHand } = due;

/** Returns the payment with `dueAtMs` as it was before. */
export async function takePayment(
  database: Queryable,
  taking: Taking,
): Promise<ClaimedRow<Payment> | undefined> {
  const taken = await due.take(database, taking);
  if (!taken) return undefined;
  const { row, leaseMs, foundDueAtMs } = taken;
  return { row: { ...row, dueAtMs: foundDueAtMs }, leaseMs };
}

/**
 * Records that the operator reported a success that differs from our request: readers of the payment see a new
 * version. Null if the payment has moved on meanwhile.
 */
export async function markMismatched(
  database: Queryable,
  payment: Payment,
): Promise<Payment | null> {
  if (payment.mismatched) return payment;
  const { tenantId, id, version } = payment;
  const marked = await mismatchedStatement.run(database, { tenantId, id, version });
  return marked.length > 0 ? { ...payment, mismatched: true, version: version + 1 } : null;
}

const mismatchedStatement = prepare({
  name: 'payments.mismatched',
  given: { tenantId: 'uuid', id: 'uuid', version: 'integer' },
  text: (given) => `
UPDATE payments SET mismatched = true, version = version + 1
WHERE tenant_id = ${given.tenantId} AND id = ${given.id} AND version = ${given.version}
RETURNING id`,
});

export interface Rescheduling {
  payment: Payment;
  leaseMs: number;
  dueAtMs: number | null;
  /** When the debit is requested again; absent if it is not. */
  sentAtMs?: number | undefined;
}

const rescheduleStatement = prepare({
  name: 'payments.reschedule',
  given: {
    reschedulings: rowsOf<Rescheduling>({
      tenant_id: ['uuid', ({ payment }) => payment.tenantId],
      id: ['uuid', ({ payment }) => payment.id],
      seen_version: ['integer', ({ payment }) => payment.version],
      lease: ['timestamptz', ({ leaseMs }) => leaseMs],
      due_at: ['timestamptz', ({ dueAtMs }) => dueAtMs],
      sent_at: ['timestamptz', ({ sentAtMs }) => sentAtMs ?? null],
    }),
  },
  text: (given) => `
UPDATE payments p SET due_at = given.due_at, asking_until = NULL,
  -- What was never sent is asked about before it is sent, however often it waits.
  ask_count = p.ask_count + (p.status <> 'CREATED')::integer,
  sent_at = coalesce(given.sent_at, p.sent_at)
FROM ${given.reschedulings}
WHERE p.tenant_id = given.tenant_id AND p.id = given.id AND p.version = given.seen_version
  AND ${isUnderLease('p.due_at', 'given.lease')}
RETURNING p.id`,
});

/**
 * Sets when payments need attention next (null: never), each under the lease that it was processed with. Returns the
 * ids of those whose lease still held.
 */
export async function reschedulePayments(
  database: Queryable,
  rows: readonly Rescheduling[],
): Promise<Set<string>> {
  const given = { reschedulings: rows };
  const moved = await rescheduleStatement.run<{ id: string }>(database, given);
  return new Set(moved.map((row) => row.id));
}

/**
 * Undoes the record that a payment was about to be sent: the connection was certainly never made. If the lease had
 * passed to another worker, nothing is written, and the payment is queried like any that was sent.
 */
export const { run: unsendPayment } = prepare({
  name: 'payments.unsend',
  given: {
    tenantId: 'uuid',
    id: 'uuid',
    version: 'integer',
    leaseMs: 'timestamptz',
    sentAtMs: 'timestamptz',
    dueAtMs: 'timestamptz',
  },
  text: (given) => `
UPDATE payments SET sent_at = ${given.sentAtMs}, due_at = ${given.dueAtMs}, asking_until = NULL
WHERE tenant_id = ${given.tenantId} AND id = ${given.id} AND version = ${given.version}
  AND ${isUnderLease('due_at', given.leaseMs)}`,
});
