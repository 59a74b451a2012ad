import type { DeliveryHandover } from '../events/handover.ts';
import { type Author, writeAuditRecord } from '../merchants/audit.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { invalidState, notFound } from '../platform/errors.ts';
import { formatId, type Ids } from '../platform/ids.ts';
import { untilUnchanged } from '../platform/tries.ts';
import { sessionEvent } from './event.ts';
import type { CheckoutSession } from './session.ts';
import { expireSessions, findSession } from './store.ts';

export interface ExpireParts {
  database: Database;
  clock: Clock;
  ids: Ids;
  handover: DeliveryHandover;
  publicUrl: string;
}

/** Expires sessions with their events; gives those that had not changed meanwhile, as they are then. */
export async function expire(
  parts: ExpireParts,
  sessions: readonly CheckoutSession[],
  author?: Author,
): Promise<CheckoutSession[]> {
  const nowMs = parts.clock.nowMs();
  const rows = sessions.map((session) => {
    const version = session.version + 1;
    const next = { ...session, version, status: 'EXPIRED' as const, updatedAtMs: nowMs };
    return { next, event: sessionEvent(parts, 'checkout.expired', next) };
  });
  const dueAtMs = parts.handover.leaseMs(nowMs);
  const { ids, subscriptions } = author
    ? await expireRecorded(parts, rows, dueAtMs, author)
    : await expireSessions(parts.database, rows, dueAtMs);
  const events = rows.map(({ event }) => event);
  parts.handover.accept(subscriptions, events, dueAtMs);
  return rows.map(({ next }) => next).filter(({ id }) => ids.has(id));
}

type Expiries = Parameters<typeof expireSessions>[1];

function expireRecorded(parts: ExpireParts, rows: Expiries, dueAtMs: number, author: Author) {
  return parts.database.transaction(async (transaction) => {
    const expired = await expireSessions(transaction, rows, dueAtMs);
    for (const { next } of rows.filter((row) => expired.ids.has(row.next.id))) {
      await writeAuditRecord(
        transaction,
        { ...parts, ...author },
        {
          tenantId: next.tenantId,
          action: 'checkout.expired',
          subject: formatId('cs', next.id),
          before: { status: 'OPEN' },
          after: { status: next.status },
        },
      );
    }
    return expired;
  });
}

/**
 * Ends a session before its time.
 * @throws NOT_FOUND
 * @throws INVALID_STATE it has ended, or an attempt to pay it is in flight
 */
export type ExpireSession = (
  tenantId: string,
  id: string,
  author?: Author,
) => Promise<CheckoutSession>;

export function createExpireSession(parts: ExpireParts): ExpireSession {
  return async (tenantId, id, author) => {
    return untilUnchanged('a checkout session changed under every try to expire it', async () => {
      const session = await findSession(parts.database, tenantId, id);
      if (!session) throw notFound('checkout session');
      if (session.status !== 'OPEN') {
        throw invalidState(`A checkout session that is ${session.status} cannot be expired.`);
      }
      if (session.attemptInFlight) {
        throw invalidState('The customer is paying this checkout session; wait for the outcome.');
      }
      const [expired] = await expire(parts, [session], author);
      return expired;
    });
  };
}
