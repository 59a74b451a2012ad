import type { Author } from '../merchants/audit.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { invalidState, notFound } from '../platform/errors.ts';
import { untilUnchanged } from '../platform/tries.ts';
import type { Advance } from './advance.ts';
import { isOpen, type Payment } from './payment.ts';
import { findPayment } from './store.ts';

/**
 * Cancels a payment that has not been debited (contract, section 4.3).
 * @throws NOT_FOUND
 * @throws INVALID_STATE it is debited already, or has ended
 */
export type CancelPayment = (tenantId: string, id: string, author?: Author) => Promise<Payment>;

export interface CancelParts {
  database: Database;
  clock: Clock;
  advance: Advance;
  /** Wakes the worker: a payment that was sent is asked about until the operator is definite. */
  wake(atMs: number): void;
}

export function createCancelPayment(parts: CancelParts): CancelPayment {
  return async (tenantId, id, author) => {
    return untilUnchanged('a payment changed under every try to cancel it', async () => {
      const payment = await findPayment(parts.database, tenantId, id);
      if (!payment) throw notFound('payment');
      if (!isOpen(payment.status)) {
        throw invalidState(`A payment that is ${payment.status} cannot be cancelled.`);
      }
      // Even of one that was never sent the operator is asked: a database can have been set back.
      const dueAtMs = parts.clock.nowMs();
      const change = { to: 'CANCELLED', dueAtMs } as const;
      const cancelled = await parts.advance(payment, change, undefined, author);
      if (cancelled) parts.wake(dueAtMs);
      return cancelled;
    });
  };
}
