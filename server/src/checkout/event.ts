import { type NewEvent, newEvent } from '../events/event.ts';
import { isClosedWithoutDebit, type Payment } from '../payments/payment.ts';
import type { Database } from '../platform/database.ts';
import type { Ids } from '../platform/ids.ts';
import { type CheckoutSession, hasAttemptsLeft, sessionJson } from './session.ts';
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
 * Prepares the event of the session that the end of an attempt ends too: a debit completes it, and when
 * the last attempt came to nothing it expires. While an attempt is in flight nothing else changes its
 * session, so what the session will be is known before the statement.
 */
export type PrepareEnded = (attempt: Payment) => Promise<NewEvent | undefined>;

export function createPrepareEnded(parts: EventParts & { database: Database }): PrepareEnded {
  return async ({ tenantId, id, checkoutSessionId, status, updatedAtMs }) => {
    const isDebited = status === 'DEBITED';
    if (checkoutSessionId === null || !(isDebited || isClosedWithoutDebit(status)))
      return undefined;
    const session = await findSession(parts.database, tenantId, checkoutSessionId);
    // Not in flight any more: the payment has moved on, and its statement will write nothing.
    if (!session?.attemptInFlight || session.latestPaymentId !== id) return undefined;
    const next = { ...session, version: session.version + 1, updatedAtMs };
    if (isDebited)
      return sessionEvent(parts, 'checkout.completed', { ...next, status: 'COMPLETED' });
    if (hasAttemptsLeft(session)) return undefined;
    return sessionEvent(parts, 'checkout.expired', { ...next, status: 'EXPIRED' });
  };
}
