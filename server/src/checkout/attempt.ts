import type { OperatorName } from '../operators/operator.ts';
import { type CreateParts, type CreatePaymentInput, preparePayment } from '../payments/create.ts';
import { insertAttempt } from '../payments/store.ts';
import type { Queryable } from '../platform/database.ts';
import { mayPrompt, type PromptLimit } from './prompts.ts';
import type { CheckoutSession } from './session.ts';
import type { Shop } from './store.ts';

/**
 * An attempt of a customer to pay a session: takes its slot and creates the payment in one statement.
 * NO_SLOT: the session has ended, an attempt is in flight, it has had too many, or one that `session`
 * does not know of.
 * TOO_MANY_PROMPTS: the phone has. Then nothing was written.
 * @throws VALIDATION_ERROR phone or operator
 */
export type AttemptPayment = (
  session: CheckoutSession,
  mode: Shop['mode'],
  choice: { operator: OperatorName; phone: string },
) => Promise<'MADE' | 'NO_SLOT' | 'TOO_MANY_PROMPTS'>;

/** As long as the merchant's own reference of a payment may be. */
const longestReference = 255;

export function createAttemptPayment(
  parts: CreateParts & { promptLimits: Record<Shop['mode'], PromptLimit | undefined> },
): AttemptPayment {
  return async (session, mode, { operator, phone }) => {
    const { customerId, createdByKey } = session;
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
      // Its limit was looked at when it made the session.
      apiKey: createdByKey === null ? null : { id: createdByKey, maxPaymentMinor: null },
    };
    const prepared = preparePayment(parts, input, session.id);
    const { payment, event } = prepared;
    const dueAtMs = parts.handover.leaseMs(parts.clock.nowMs());
    const promptLimit = parts.promptLimits[mode];
    const insert = (database: Queryable) =>
      insertAttempt(database, prepared, session.attemptCount, dueAtMs);
    const written =
      promptLimit === undefined
        ? await insert(parts.database)
        : await parts.database.transaction(async (transaction) =>
            (await mayPrompt(transaction, payment, promptLimit)) ? insert(transaction) : undefined,
          );
    if (!written) return 'TOO_MANY_PROMPTS';
    const { ids, subscriptions } = written;
    parts.handover.accept(subscriptions, [event], dueAtMs);
    if (!ids.has(payment.id)) return 'NO_SLOT';
    parts.onTransition(payment);
    parts.worker.accept(payment);
    return 'MADE';
  };
}
