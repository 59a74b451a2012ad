import type { OperatorName } from '../../integrations/operators/operator.ts';
import {
  type CreateDependencies,
  type CreatePaymentInput,
  preparePayment,
} from '../../money/payments/create.ts';
import { insertAttempt } from '../../money/payments/store.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { type AttemptLimit, mayAttempt } from './attempt-limit.ts';
import type { SessionHead, SessionItem } from './session.ts';
import type { Shop } from './store.ts';

/**
 * A customer's attempt to pay a session: takes its slot and creates the payment in one statement. Returns the
 * payment's id. NO_SLOT: the session has ended, an attempt is in flight, it has had too many, or an attempt that
 * `session` does not know of. TOO_MANY_PROMPTS: the phone has had too many. Then nothing was written.
 * @throws VALIDATION_ERROR phone or operator; amount, if it exceeds the merchant's present limit
 * @throws FORBIDDEN the merchant is suspended
 */
export type AttemptPayment = (
  session: SessionHead,
  shop: Pick<Shop, 'mode' | 'terms'>,
  choice: { operator: OperatorName; phone: string },
) => Promise<{ id: string } | 'NO_SLOT' | 'TOO_MANY_PROMPTS'>;

/** The longest reference or description that a merchant may give a payment. */
const longest = 255;

/** Older sessions accepted references that a payment cannot have. */
const referenceOf = ({ customerId }: SessionHead) =>
  customerId !== null && customerId !== '' && Array.from(customerId).length <= longest
    ? customerId
    : null;

/** The merchant's description of the purchase, or else the items: `2 × Cachupa rica, 1 × Café`. */
export function descriptionOf(session: {
  description: string | null;
  items: readonly Pick<SessionItem, 'quantity' | 'name'>[];
}): string | null {
  if (session.description !== null) return session.description;
  const items = session.items.map(({ quantity, name }) => `${quantity} × ${name}`);
  if (items.length === 0) return null;
  const text = Array.from(items.join(', '));
  return text.length <= longest ? text.join('') : `${text.slice(0, longest - 1).join('')}…`;
}

export function makeAttemptPayment(
  dependencies: CreateDependencies & {
    promptLimits: Record<Shop['mode'], AttemptLimit | undefined>;
  },
): AttemptPayment {
  return async (session, { mode, terms }, { operator, phone }) => {
    const { createdByKey } = session;
    const input: CreatePaymentInput = {
      tenantId: session.tenantId,
      mode,
      amountMinor: session.amountMinor,
      operator,
      operatorPhone: phone,
      currency: session.currency,
      externalId: session.externalId,
      customerId: referenceOf(session),
      description: descriptionOf(session),
      statementDescriptor: null,
      metadata: session.metadata,
      idempotency: null,
      terms,
      // The key's limit was checked when it created the session.
      apiKey: createdByKey === null ? null : { id: createdByKey, maxPaymentMinor: null },
    };
    const prepared = preparePayment(dependencies, input, session.id);
    const { payment, event } = prepared;
    const dueAtMs = dependencies.dispatcher.leaseMs(dependencies.clock.nowMs(), [event]);
    const promptLimit = dependencies.promptLimits[mode];
    const insert = (database: Queryable) =>
      insertAttempt(database, prepared, session.attemptCount, dueAtMs);
    const written =
      promptLimit === undefined
        ? await insert(dependencies.database)
        : await dependencies.database.transaction(async (transaction) =>
            (await mayAttempt(transaction, payment, promptLimit)) ? insert(transaction) : undefined,
          );
    if (!written) return 'TOO_MANY_PROMPTS';
    const { ids, subscriptions } = written;
    dependencies.dispatcher.accept(subscriptions, [event], dueAtMs);
    if (!ids.has(payment.id)) return 'NO_SLOT';
    dependencies.onTransition(payment);
    dependencies.worker.accept(payment);
    return { id: payment.id };
  };
}
