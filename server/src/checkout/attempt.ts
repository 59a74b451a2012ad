import type { OperatorName } from '../operators/operator.ts';
import { type CreateParts, type CreatePaymentInput, preparePayment } from '../payments/create.ts';
import { insertAttempt } from '../payments/store.ts';
import type { CheckoutSession } from './session.ts';
import type { Shop } from './store.ts';

/**
 * An attempt of a customer to pay a session: takes its slot and creates the payment in one statement.
 * False where there is no slot to take: the session has ended, an attempt is in flight, or there
 * were too many; then nothing was written.
 * @throws VALIDATION_ERROR phone or operator
 */
export type AttemptPayment = (
  session: CheckoutSession,
  mode: Shop['mode'],
  choice: { operator: OperatorName; phone: string },
) => Promise<boolean>;

/** As long as the merchant's own reference of a payment may be. */
const longestReference = 255;

export function createAttemptPayment(parts: CreateParts): AttemptPayment {
  return async (session, mode, { operator, phone }) => {
    const { customerId } = session;
    const isReference = customerId !== null && customerId.length <= longestReference;
    const input: CreatePaymentInput = {
      tenantId: session.tenantId,
      mode,
      amountMinor: session.amountMinor,
      operator,
      operatorPhone: phone,
      currency: session.currency,
      externalId: null,
      customerId: isReference ? customerId : null,
      description: null,
      statementDescriptor: null,
      metadata: null,
      idempotency: null,
    };
    const prepared = preparePayment(parts, input, session.id);
    const { payment, event } = prepared;
    const dueAtMs = parts.handover.leaseMs(parts.clock.nowMs());
    const { ids, subscriptions } = await insertAttempt(parts.database, prepared, dueAtMs);
    parts.handover.accept(subscriptions, [event], dueAtMs);
    if (!ids.has(payment.id)) return false;
    parts.onTransition(payment);
    parts.worker.accept(payment);
    return true;
  };
}
