import { type NewEvent, newEvent } from '../events/event.ts';
import type { Payment } from '../payments/payment.ts';
import type { Database } from '../platform/database.ts';
import type { Ids } from '../platform/ids.ts';
import { type CheckoutSession, sessionJson } from './session.ts';
import { findSession } from './store.ts';

interface EventParts {
  ids: Ids;
  publicUrl: string;
}

/** An event that tells of the session as it is after the change. */
export function sessionEvent(
  { ids, publicUrl }: EventParts,
  type: 'checkout.completed' | 'checkout.expired',
  session: CheckoutSession,
): NewEvent {
  const { tenantId, id: objectId, version: sequence, updatedAtMs: createdAtMs } = session;
  const id = ids.next(createdAtMs);
  const event = { tenantId, id, type, objectId, sequence, createdAtMs };
  return newEvent(event, sessionJson(session, publicUrl));
}

/**
 * Prepares the event of the session that a debit completes. While an attempt is in flight nothing
 * else changes its session, so what the session will be is known before the statement.
 */
export type PrepareCompleted = (debited: Payment) => Promise<NewEvent | undefined>;

export function createPrepareCompleted(
  parts: EventParts & { database: Database },
): PrepareCompleted {
  return async ({ tenantId, id, checkoutSessionId, updatedAtMs }) => {
    if (checkoutSessionId === null) return undefined;
    const session = await findSession(parts.database, tenantId, checkoutSessionId);
    // Not in flight any more: the payment has moved on, and its statement will write nothing.
    if (!session?.attemptInFlight || session.latestPaymentId !== id) return undefined;
    const version = session.version + 1;
    const completed = { ...session, version, status: 'COMPLETED' as const, updatedAtMs };
    return sessionEvent(parts, 'checkout.completed', completed);
  };
}
