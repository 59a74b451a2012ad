import { setTimeout } from 'node:timers/promises';
import { writeAuditRecord } from '../../../platform/audit/record.ts';
import { formatId } from '../../../platform/values/ids.ts';
import type { PeopleDependencies } from '../dependencies.ts';
import { markEnded } from '../session-store.ts';
import type { FoundSession } from '../sessions.ts';
import { findTurn, storeAnswer, takeTurn } from './session-store.ts';
import { openTicket, sealTicket } from './ticket.ts';

const everyMs = 45_000;
/** The time limit of one query; after it, another request may try. */
const longestMs = 12_000;
/** For this long, an unreachable provider locks nobody out. */
const toleratedMs = 15 * 60_000;
const pauseMs = 100;

type Session = Pick<FoundSession, 'id' | 'personId' | 'sso'>;

/** Queries in progress in this process: other requests of the session share the answer. */
const underWay = new WeakMap<object, Map<string, Promise<boolean>>>();

/**
 * Whether the provider still vouches for the person of a session. It is asked at most every 45 seconds, before the
 * request continues: after a removal there, the next request fails.
 */
export async function isStillThere(
  dependencies: PeopleDependencies,
  session: Session,
): Promise<boolean> {
  const { sso, id } = session;
  if (sso === null) return true;
  const own = underWay.get(dependencies.database) ?? new Map<string, Promise<boolean>>();
  underWay.set(dependencies.database, own);
  const running = own.get(id);
  if (running) return running;
  const nowMs = dependencies.clock.nowMs();
  if (nowMs - sso.askedAtMs < everyMs) {
    const isBeingAsked = sso.askingUntilMs !== null && sso.askingUntilMs > nowMs;
    return isBeingAsked
      ? awaitOtherAnswer(dependencies, session)
      : wasRecentlyConfirmed(dependencies, session);
  }
  const asking = ask(dependencies, session, nowMs).finally(() => own.delete(id));
  own.set(id, asking);
  return asking;
}

async function ask(
  dependencies: PeopleDependencies,
  session: Session,
  nowMs: number,
): Promise<boolean> {
  const { database, secrets, provider } = dependencies;
  const { id: sessionId, sso } = session;
  const turn = { sessionId, nowMs };
  const grant = await takeTurn(database, turn, { everyMs, longestMs });
  if (!grant) return awaitOtherAnswer(dependencies, session);
  const ticket = openTicket(secrets, sessionId, grant.box);
  const isOurs = provider !== undefined && isSame(provider.issuer, sso!.issuer);
  if (!ticket || !isOurs) return end(dependencies, session);
  const answer = await provider.ask(ticket, sso!.subject);
  if (answer.kind === 'REFUSED') return end(dependencies, session);
  const isThere = answer.kind === 'STANDS';
  const box = isThere ? sealTicket(secrets, sessionId, answer.ticket) : undefined;
  await storeAnswer(database, turn, box);
  if (answer.kind === 'UNREACHABLE') {
    dependencies.log.error(
      { err: answer.error },
      'the provider of single sign-on cannot be reached',
    );
  }
  return isThere || wasRecentlyConfirmed(dependencies, session);
}

const isSame = (one: string, other: string) => new URL(one).href === URL.parse(other)?.href;

/** Whether the last answer of the provider is recent enough; otherwise, the person must sign in again. */
async function wasRecentlyConfirmed(
  dependencies: PeopleDependencies,
  session: Session,
): Promise<boolean> {
  const isTolerated = dependencies.clock.nowMs() - session.sso!.reachedAtMs < toleratedMs;
  return isTolerated || end(dependencies, session);
}

/** Another process is asking: use its answer. */
async function awaitOtherAnswer(
  dependencies: PeopleDependencies,
  session: Session,
): Promise<boolean> {
  const { database, clock } = dependencies;
  for (;;) {
    const turn = await findTurn(database, session.id);
    if (turn === undefined) return false;
    if (turn.askingUntilMs === null || turn.askingUntilMs <= clock.nowMs()) {
      const sso = { ...session.sso!, reachedAtMs: turn.reachedAtMs };
      return wasRecentlyConfirmed(dependencies, { ...session, sso });
    }
    await setTimeout(pauseMs);
  }
}

async function end(
  { database, clock, ids }: PeopleDependencies,
  { id, personId }: Session,
): Promise<false> {
  await database.transaction(async (transaction) => {
    if ((await markEnded(transaction, { personId, only: id }, clock.nowMs())) === 0) return;
    await writeAuditRecord(
      transaction,
      { clock, ids },
      {
        tenantId: null,
        action: 'person.signed_out',
        subject: formatId('pe', personId),
        detail: { sessions: 1, by: 'single sign-on', session: formatId('ss', id) },
      },
    );
  });
  return false;
}
