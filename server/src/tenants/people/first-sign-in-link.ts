import { isLoopback } from '../../platform/network/networks.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { findPersonByEmail, insertPerson } from './account-store.ts';
import type { PeopleDependencies } from './dependencies.ts';
import { insertInvitation, revokeEarlier, takeInvitation } from './invitation-store.ts';
import { insertMember } from './member-store.ts';
import type { Language } from './person.ts';
import { hashToken, newToken, openSession, type Visitor } from './sessions.ts';

/** The account of the first-start link: it receives no mail and has no password. */
export const demoEmail = 'demo@localhost';

const lifeMs = 15 * 60_000;

type Dependencies = Pick<PeopleDependencies, 'clock' | 'ids'> & { database: Database };

/**
 * Creates a link that signs a new user in as owner of the demo merchant: once, only from this machine, within 15
 * minutes. Undefined if the console is not on this machine, or there are people other than the demo's.
 * @param consoleUrl the console's address
 */
export async function makeFirstLink(
  { database, clock, ids }: Dependencies,
  { merchantId, consoleUrl }: { merchantId: string; consoleUrl: string },
): Promise<string | undefined> {
  if (!isLoopback(new URL(consoleUrl).hostname)) return undefined;
  const token = newToken();
  const isMade = await database.transaction(async (transaction) => {
    if (await hasPeople(transaction)) return false;
    const nowMs = clock.nowMs();
    const order = {
      kind: 'FIRST',
      merchantId,
      role: 'OWNER',
      email: demoEmail,
      personId: null,
    } as const;
    await revokeEarlier(transaction, order, nowMs);
    await insertInvitation(transaction, {
      ...order,
      staffRole: null,
      roleId: null,
      id: ids.next(nowMs),
      tokenHash: hashToken(token),
      invitedBy: 'gateway',
      createdAtMs: nowMs,
      expiresAtMs: nowMs + lifeMs,
    });
    return true;
  });
  return isMade ? `${consoleUrl}/console/welcome/${token}` : undefined;
}

async function hasPeople(database: Queryable): Promise<boolean> {
  const text = 'SELECT FROM people WHERE email <> $1 LIMIT 1';
  return (await database.query({ text }, [demoEmail])).length > 0;
}

/**
 * Signs in with the first-start link.
 * @param visitor their address, from the socket
 * @returns undefined if the link is no longer valid, they come from another machine, or somebody has an account by
 * now
 */
export function useFirstLink(
  dependencies: Dependencies,
  token: string,
  { language, ...visitor }: Visitor & { language: Language },
): Promise<{ token: string; sessionId: string; merchantId: string } | undefined> {
  const { database, clock, ids } = dependencies;
  const address = visitor.address?.replace(/^::ffff:/, '') ?? '';
  if (!isLoopback(address)) return Promise.resolve(undefined);
  return database.transaction(async (transaction) => {
    const nowMs = clock.nowMs();
    const invitation = await takeInvitation(transaction, hashToken(token), 'FIRST', nowMs);
    if (!invitation || (await hasPeople(transaction))) return undefined;
    const demo = { id: ids.next(nowMs), email: demoEmail, name: 'Demo', language };
    await insertPerson(transaction, demo, nowMs);
    const { id: personId } = (await findPersonByEmail(transaction, demoEmail))!;
    const merchantId = invitation.merchantId!;
    await insertMember(transaction, { merchantId, personId, role: 'OWNER' }, nowMs);
    const opening = { ...visitor, personId, signedInWith: 'FIRST_LINK' } as const;
    const opened = await openSession(transaction, dependencies, opening);
    return opened && { token: opened.token, sessionId: opened.id, merchantId };
  });
}
