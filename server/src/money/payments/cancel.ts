import { type Author, writeAuditRecord } from '../../platform/audit/record.ts';
import { invalidState, notFound } from '../../platform/errors/errors.ts';
import { type KeepAnswer, keepNothing } from '../../platform/idempotency/run-once.ts';
import { untilUnchanged } from '../../platform/jobs/retry-on-conflict.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { formatId, type Ids } from '../../platform/values/ids.ts';
import { isOpen, type Payment } from './payment.ts';
import { keptOf } from './response-snapshot.ts';
import { findPayment } from './store.ts';
import type { Alongside, ApplyTransition } from './transition.ts';

/**
 * Cancels a payment that has not been debited (contract, section 4.3).
 * @throws NOT_FOUND
 * @throws INVALID_STATE it is debited already, or has ended; or the operator reports a debit that does not match
 */
export type CancelPayment = (
  tenantId: string,
  id: string,
  author?: Author,
  keep?: KeepAnswer,
) => Promise<Payment>;

export interface CancelDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  applyTransition: ApplyTransition;
  /** Wakes the worker, which queries the operator about a sent payment until the answer is definite. */
  wake(atMs: number): void;
}

export function makeCancelPayment(dependencies: CancelDependencies): CancelPayment {
  return async (tenantId, id, author, keep = keepNothing) => {
    return untilUnchanged('a payment changed under every try to cancel it', async () => {
      const payment = await findPayment(dependencies.database, tenantId, id);
      if (!payment) throw notFound('payment');
      if (!isOpen(payment.status)) {
        throw invalidState(`A payment that is ${payment.status} cannot be cancelled.`);
      }
      if (payment.mismatched) {
        throw invalidState(
          'The operator reports a debit that does not match this payment. It is being checked, so the payment cannot be cancelled now.',
        );
      }
      // The operator is queried even about a payment that was never sent: the database may have been restored.
      const dueAtMs = dependencies.clock.nowMs();
      const change = { to: 'CANCELLED', dueAtMs } as const;
      const record = author && recordOf(dependencies, payment, author, keep);
      const cancelled = await dependencies.applyTransition(payment, change, undefined, record);
      if (cancelled) dependencies.wake(dueAtMs);
      return cancelled;
    });
  };
}

const recordOf =
  (
    dependencies: CancelDependencies,
    { tenantId, id, status }: Payment,
    author: Author,
    keep: KeepAnswer,
  ): Alongside =>
  async (transaction, next) => {
    const subject = formatId('pi', id);
    const [before, after] = [{ status }, { status: next.status }];
    const record = { tenantId, action: 'payment.cancelled', subject, before, after } as const;
    await writeAuditRecord(transaction, { ...dependencies, ...author }, record);
    await keep(transaction, keptOf(next));
    return true;
  };
