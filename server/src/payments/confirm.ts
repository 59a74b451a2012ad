import { type Author, writeAuditRecord } from '../audit/record.ts';
import type { Clock } from '../clock.ts';
import { forbidden, invalidState, notFound } from '../errors.ts';
import { formatId, type Ids } from '../ids.ts';
import type { Database } from '../postgres/database.ts';
import type { Payment } from './payment.ts';
import type { PaymentProcessor } from './process.ts';
import { findPayment } from './store.ts';

/**
 * Does what the customer does by entering the PIN of a test payment. Returns the payment as it is then.
 * @throws FORBIDDEN with a live key, whatever the id
 * @throws NOT_FOUND
 * @throws INVALID_STATE unless the payment waits for the customer
 */
export type ConfirmPayment = (
  principal: { tenantId: string; mode: 'live' | 'test' },
  id: () => string,
  author?: Author,
) => Promise<Payment>;

export interface ConfirmDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  processor: PaymentProcessor;
  simulator: { confirm(tenantId: string, reference: string): Promise<void> };
}

export function makeConfirmPayment(dependencies: ConfirmDependencies): ConfirmPayment {
  return async ({ tenantId, mode }, id, author) => {
    if (mode === 'live') throw forbidden('Only a test payment can be confirmed through the API.');
    const payment = await findPayment(dependencies.database, tenantId, id());
    if (!payment) throw notFound('payment');
    if (payment.status !== 'USER_CONFIRMING') {
      throw invalidState(
        `A payment that is ${payment.status} cannot be confirmed; it must be USER_CONFIRMING.`,
      );
    }
    // Written first: the simulated operator has a transaction of its own.
    if (author) {
      await writeAuditRecord(
        dependencies.database,
        { ...dependencies, ...author },
        {
          tenantId,
          action: 'payment.confirmed',
          subject: formatId('pi', payment.id),
        },
      );
    }
    await dependencies.simulator.confirm(tenantId, payment.id);
    // Not every simulated operator calls back, so we query the outcome.
    return dependencies.processor.refresh(payment);
  };
}
