import type { DeliveryDispatcher } from '../../integrations/events/dispatch.ts';
import { aroundObject } from '../../integrations/events/event.ts';
import { type Author, writeAuditRecord } from '../../platform/audit/record.ts';
import { invalidState, notFound } from '../../platform/errors/errors.ts';
import { type KeepAnswer, keepNothing } from '../../platform/idempotency/run-once.ts';
import { untilUnchanged } from '../../platform/jobs/retry-on-conflict.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { formatId, type Ids } from '../../platform/values/ids.ts';
import { aroundItems, type CheckoutSession, type SessionFrame } from './session.ts';
import { type Expiry, expireSessions, findSession } from './store.ts';

export interface ExpireDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  dispatcher: DeliveryDispatcher;
  publicUrl: string;
}

/**
 * Expires sessions with their events; returns those that had not changed meanwhile, as they are then. Their items may
 * be megabytes: PostgreSQL puts them into the events, and workers claim the deliveries instead of receiving them in
 * memory.
 */
export async function expire<Session extends SessionFrame>(
  dependencies: ExpireDependencies,
  sessions: readonly Session[],
  wish?: { author: Author; keep: KeepAnswer },
): Promise<Session[]> {
  const nowMs = dependencies.clock.nowMs();
  const expiries = sessions.map((session) => expiryOf(dependencies, session, nowMs));
  const expired = wish
    ? await expireRecorded(dependencies, expiries, nowMs, wish)
    : await expireSessions(dependencies.database, expiries, nowMs);
  if (expired.length > 0) dependencies.dispatcher.wake();
  return expired;
}

function expiryOf<Session extends SessionFrame>(
  { ids, publicUrl }: ExpireDependencies,
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
  dependencies: ExpireDependencies,
  expiries: readonly Expiry<Session>[],
  nowMs: number,
  { author, keep }: { author: Author; keep: KeepAnswer },
): Promise<Session[]> {
  return dependencies.database.transaction(async (transaction) => {
    const expired = await expireSessions(transaction, expiries, nowMs);
    for (const { tenantId, id, status } of expired) {
      await writeAuditRecord(
        transaction,
        { ...dependencies, ...author },
        {
          tenantId,
          action: 'checkout.expired',
          subject: formatId('cs', id),
          before: { status: 'OPEN' },
          after: { status },
        },
      );
      // It never changes again.
      await keep(transaction, {});
    }
    return expired;
  });
}

/**
 * Ends a session early.
 * @throws NOT_FOUND
 * @throws INVALID_STATE it has ended, or an attempt to pay it is in flight
 */
export type ExpireSession = (
  tenantId: string,
  id: string,
  author?: Author,
  keep?: KeepAnswer,
) => Promise<CheckoutSession>;

export function makeExpireSession(dependencies: ExpireDependencies): ExpireSession {
  return async (tenantId, id, author, keep = keepNothing) => {
    return untilUnchanged('a checkout session changed under every try to expire it', async () => {
      const session = await findSession(dependencies.database, tenantId, id);
      if (!session) throw notFound('checkout session');
      if (session.status !== 'OPEN') {
        throw invalidState(`A checkout session that is ${session.status} cannot be expired.`);
      }
      if (session.attemptInFlight) {
        throw invalidState('The customer is paying this checkout session; wait for the outcome.');
      }
      const [expired] = await expire(dependencies, [session], author && { author, keep });
      return expired;
    });
  };
}
