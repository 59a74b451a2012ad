import { eventOf, type NewEvent } from '../../integrations/events/event.ts';
import { isClosedWithoutDebit } from '../../money/payments/payment.ts';
import type { PrepareEnded } from '../../money/payments/transition.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Ids } from '../../platform/values/ids.ts';
import { type CheckoutSession, hasAttemptsLeft, sessionJson } from './session.ts';
import { findSession } from './store.ts';

interface EventDependencies {
  ids: Ids;
  publicUrl: string;
}

/** An event with the session as it is after the change. */
export function sessionEvent(
  { ids, publicUrl }: EventDependencies,
  type: 'checkout.completed' | 'checkout.expired',
  session: CheckoutSession,
): NewEvent {
  return eventOf(ids, type, session, session.updatedAtMs, sessionJson(session, publicUrl));
}

export function makePrepareEnded(
  dependencies: EventDependencies & { database: Database },
): PrepareEnded {
  return async ({ tenantId, id, checkoutSessionId, status, updatedAtMs }) => {
    const isDebited = status === 'DEBITED';
    if (checkoutSessionId === null || !(isDebited || isClosedWithoutDebit(status)))
      return undefined;
    const session = await findSession(dependencies.database, tenantId, checkoutSessionId);
    // No longer in flight: the payment has moved on, and its statement will write nothing.
    if (!session?.attemptInFlight || session.latestPaymentId !== id) return undefined;
    const next = { ...session, version: session.version + 1, updatedAtMs };
    if (isDebited)
      return sessionEvent(dependencies, 'checkout.completed', { ...next, status: 'COMPLETED' });
    if (hasAttemptsLeft(session)) return undefined;
    return sessionEvent(dependencies, 'checkout.expired', { ...next, status: 'EXPIRED' });
  };
}
