import { aroundObject } from '../events/event.ts';
import type { DeliveryHandover } from '../events/handover.ts';
import { type Author, writeAuditRecord } from '../merchants/audit.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { invalidState, notFound } from '../platform/errors.ts';
import { formatId, type Ids } from '../platform/ids.ts';
import { untilUnchanged } from '../platform/tries.ts';
import { aroundItems, type CheckoutSession, type SessionFrame } from './session.ts';
import { type Expiry, expireSessions, findSession } from './store.ts';

export interface ExpireParts {
  database: Database;
  clock: Clock;
  ids: Ids;
  handover: DeliveryHandover;
  publicUrl: string;
}

/**
 * Expires sessions with their events; gives those that had not changed meanwhile, as they are then. Their items
 * may be megabytes: PostgreSQL puts them into the events, and the deliveries are claimed rather than handed over.
 */
export async function expire<Session extends SessionFrame>(
  parts: ExpireParts,
  sessions: readonly Session[],
  author?: Author,
): Promise<Session[]> {
  const nowMs = parts.clock.nowMs();
  const expiries = sessions.map((session) => expiryOf(parts, session, nowMs));
  const expired = author
    ? await expireRecorded(parts, expiries, nowMs, author)
    : await expireSessions(parts.database, expiries, nowMs);
  if (expired.length > 0) parts.handover.wake();
  return expired;
}

function expiryOf<Session extends SessionFrame>(
  { ids, publicUrl }: ExpireParts,
  session: Session,
  nowMs: number,
): Expiry<Session> {
  const version = session.version + 1;
  const next = { ...session, version, status: 'EXPIRED' as const, updatedAtMs: nowMs };
  const eventId = ids.next(nowMs);
  const event = aroundObject({ id: eventId, type: 'checkout.expired', createdAtMs: nowMs });
  const object = aroundItems(next, publicUrl);
  return { next, eventId, aroundItems: [event[0] + object[0], object[1] + event[1]] };
}

function expireRecorded<Session extends SessionFrame>(
  parts: ExpireParts,
  expiries: readonly Expiry<Session>[],
  nowMs: number,
  author: Author,
): Promise<Session[]> {
  return parts.database.transaction(async (transaction) => {
    const expired = await expireSessions(transaction, expiries, nowMs);
    for (const { tenantId, id, status } of expired) {
      await writeAuditRecord(
        transaction,
        { ...parts, ...author },
        {
          tenantId,
          action: 'checkout.expired',
          subject: formatId('cs', id),
          before: { status: 'OPEN' },
          after: { status },
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
