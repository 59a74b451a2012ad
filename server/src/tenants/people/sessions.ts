import { hash, randomBytes } from 'node:crypto';
import { type Administration, type Author, writeAuditRecord } from '../../platform/audit/record.ts';
import { forbidden } from '../../platform/errors/errors.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import { holds } from './permissions.ts';
import { resetPinTries } from './pin-store.ts';
import {
  type FoundSession,
  findOpenSession,
  insertSession,
  keepOpen,
  type ListedSession,
  listOpenSessions,
  markEnded,
  markProven,
  type SessionTimes,
  type SignedInWith,
} from './session-store.ts';

export type { FoundSession, ListedSession, SignedInWith } from './session-store.ts';

type Dependencies = Administration & { database: Database };

const minuteMs = 60_000;

/** A session ends 12 hours after its last use, and at most 30 days after it began. */
export const sessionTimes: SessionTimes = {
  idleMs: 12 * 60 * minuteMs,
  longestMs: 30 * 24 * 60 * minuteMs,
  touchMs: minuteMs,
};

/** How long a confirmation of identity counts. */
const reauthenticationMs = 10 * minuteMs;
const longestUserAgent = 200;
const tokenBytes = 32;

/** The origin of a sign-in. */
export interface Visitor {
  address: string | null;
  userAgent: string | null;
}

/** The single sign-on data of a session. */
export interface Vouched {
  issuer: string;
  subject: string;
  /** The session's id at the provider. */
  sid: string | null;
  /** When they signed in there, which may be long ago; null if the provider does not say. */
  authenticatedAtMs: number | null;
  /** The token to revalidate with, encrypted for this session. */
  box: (sessionId: string) => Buffer;
}

/** The stored hash of a token. With this much randomness, a slow hash is unnecessary. */
export const hashToken = (token: string): Buffer => hash('sha256', token, 'buffer');

/** A random token for a cookie or a link. */
export const newToken = (): string => randomBytes(tokenBytes).toString('base64url');

/** The name of a person in the audit log. */
export function authorOf(personId: string, { address }: Visitor): Author {
  return { actor: `person:${formatId('pe', personId)}`, origin: address ?? 'unknown' };
}

/**
 * Begins a session, as the last step of any sign-in, and records it.
 * @returns the token for the cookie, which is not stored; undefined if the person is disabled or was removed
 */
export async function openSession(
  transaction: Queryable,
  { clock, ids }: Pick<Administration, 'clock' | 'ids'>,
  opening: Visitor & {
    personId: string;
    signedInWith: SignedInWith;
    sso?: Vouched;
    tillDeviceId?: string;
  },
): Promise<{ token: string; id: string } | undefined> {
  const { personId, signedInWith, address } = opening;
  const nowMs = clock.nowMs();
  const id = ids.next(nowMs);
  const token = newToken();
  const isOpen = await insertSession(transaction, {
    id,
    personId,
    tokenHash: hashToken(token),
    createdAtMs: nowMs,
    lastSeenAtMs: nowMs,
    provenAtMs: Math.min(nowMs, opening.sso?.authenticatedAtMs ?? nowMs),
    signedInWith,
    address,
    userAgent: opening.userAgent?.slice(0, longestUserAgent) ?? null,
    tillDeviceId: opening.tillDeviceId ?? null,
    sso: opening.sso && { ...opening.sso, box: opening.sso.box(id) },
  });
  if (!isOpen) return undefined;
  // After wrong PINs, a full sign-in allows the PIN again; after a right one, the tries count anew.
  await resetPinTries(transaction, personId);
  const author = authorOf(personId, opening);
  await writeAuditRecord(
    transaction,
    { clock, ids, ...author },
    {
      tenantId: null,
      action: 'person.signed_in',
      subject: formatId('pe', personId),
      detail: { with: signedInWith, session: formatId('ss', id) },
    },
  );
  return { token, id };
}

/**
 * The session of a token with its person and their permissions, in one statement; undefined if the session has ended,
 * or the person is disabled or was removed. Its use is recorded once a minute.
 */
export async function findSession(
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  token: string,
): Promise<FoundSession | undefined> {
  const tokenHash = hashToken(token);
  const given = { tokenHash, nowMs: clock.nowMs(), times: sessionTimes };
  const found = await findOpenSession(database, given);
  return found?.till ? atTheTill(found) : found;
}

/**
 * What a session by PIN may do, whoever its person is: charge at the merchant of the phone, if they may charge there.
 * It counts as never having proven an identity.
 */
function atTheTill(found: FoundSession): FoundSession {
  const memberships = found.memberships
    .filter((each) => holds(each, 'payments.charge'))
    .map((each) => ({ ...each, role: 'CASHIER' as const, permissions: null, roleName: null }));
  return { ...found, memberships, staffRole: null, reauthenticatedAtMs: 0 };
}

/** Whether the person has confirmed their identity within the last 10 minutes. */
export function isFreshlyAuthenticated(
  { reauthenticatedAtMs }: Pick<FoundSession, 'reauthenticatedAtMs'>,
  nowMs: number,
): boolean {
  return nowMs - reauthenticatedAtMs < reauthenticationMs;
}

/** A person's open sessions, the last used first. */
export function listSessions(
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  personId: string,
): Promise<ListedSession[]> {
  return listOpenSessions(database, { personId, nowMs: clock.nowMs(), times: sessionTimes });
}

/**
 * Ends a session of the person: its token no longer works.
 * @returns false if the person has no such open session
 */
export async function endSession(
  dependencies: Dependencies,
  session: { personId: string; id: string },
): Promise<boolean> {
  return (await end(dependencies, session.personId, { only: session.id })) > 0;
}

/** Signs a person out everywhere but in this session. @returns how many sessions ended */
export function endOtherSessions(
  dependencies: Dependencies,
  session: { personId: string; id: string },
): Promise<number> {
  return end(dependencies, session.personId, { but: session.id });
}

/** Signs a person out everywhere. @returns how many sessions ended */
export function endAllSessions(dependencies: Dependencies, personId: string): Promise<number> {
  return end(dependencies, personId, {});
}

function end(
  dependencies: Dependencies,
  personId: string,
  which: { only?: string; but?: string },
): Promise<number> {
  return dependencies.database.transaction(async (transaction) => {
    const ended = await markEnded(transaction, { personId, ...which }, dependencies.clock.nowMs());
    if (ended === 0) return 0;
    await writeAuditRecord(transaction, dependencies, {
      tenantId: null,
      action: 'person.signed_out',
      subject: formatId('pe', personId),
      detail: { sessions: ended },
    });
    return ended;
  });
}

/**
 * Keeps a session open for a change that a removed member must not leave behind.
 * @param session undefined for the command line
 * @throws FORBIDDEN it has ended since the request began
 */
export async function requireOpen(
  transaction: Queryable,
  session: { id: string; personId: string } | undefined,
): Promise<void> {
  if (session && !(await keepOpen(transaction, session))) throw forbidden('The session has ended.');
}

/** Records that a session's person has just confirmed their identity. False if it has ended meanwhile. */
export function markReauthenticated(
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  session: { personId: string; id: string },
): Promise<boolean> {
  return markProven(database, session, clock.nowMs());
}
