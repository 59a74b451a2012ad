import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import { isLoopback } from '../../platform/network/networks.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import type { Proof } from './accept-invitation.ts';
import { findPerson, findPersonByEmail, insertPerson } from './account-store.ts';
import { type PreparedPassword, preparePassword, storePassword } from './credentials.ts';
import type { PeopleDependencies } from './dependencies.ts';
import {
  findOpenInvitation,
  insertInvitation,
  revokeEarlier,
  takeInvitation,
} from './invitation-store.ts';
import { personIdFor } from './invitations.ts';
import { insertMember } from './member-store.ts';
import { type NewPasskey, storePasskey, verifyNewPasskey } from './passkeys.ts';
import type { Language } from './person.ts';
import { authorOf, hashToken, newToken, openSession, type Visitor } from './sessions.ts';

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
  const text = 'SELECT FROM people WHERE email IS DISTINCT FROM $1 LIMIT 1';
  return (await database.query({ text }, [demoEmail])).length > 0;
}

/** The demo owner behind a link that is still valid, for a form that sets up a sign-in method. */
export interface DemoOwner {
  personId: string;
  email: string;
  hasMethod: boolean;
}

/** Reads the link without using it up; undefined as for {@link useFirstLink}. */
export async function findFirstLink(
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  token: string,
  address: string | null,
): Promise<DemoOwner | undefined> {
  if (!isHere(address)) return undefined;
  const invitation = await findOpenInvitation(database, hashToken(token), clock.nowMs());
  if (invitation?.kind !== 'FIRST' || (await hasPeople(database))) return undefined;
  const known = await findPersonByEmail(database, demoEmail);
  const person = known && (await findPerson(database, known.id));
  const hasMethod = person !== undefined && (person.hasPassword || person.passkeys > 0);
  return { personId: known?.id ?? personIdFor(invitation.id), email: demoEmail, hasMethod };
}

const isHere = (address: string | null) => isLoopback((address ?? '').replace(/^::ffff:/, ''));

export interface FirstSignIn {
  token: string;
  sessionId: string;
  merchantId: string;
  /** Shown once; empty unless a password was set. */
  recoveryCodes: string[];
}

/**
 * Signs in with the first-start link, and sets up a sign-in method if one is given.
 * @param visitor their address, from the socket
 * @returns undefined if the link is no longer valid, they come from another machine, or somebody has an account by
 * now
 * @throws VALIDATION_ERROR names the field; PasswordsBusyError
 */
export async function useFirstLink(
  dependencies: PeopleDependencies,
  token: string,
  given: Visitor & { language: Language; method?: FirstMethod },
): Promise<FirstSignIn | undefined> {
  const { database, clock } = dependencies;
  const { language, method, ...visitor } = given;
  const owner = await findFirstLink(dependencies, token, visitor.address);
  if (owner === undefined) return undefined;
  const { personId } = owner;
  const prepared = method && (await prepareMethod(dependencies, owner, method));
  return database.transaction(async (transaction) => {
    const nowMs = clock.nowMs();
    const invitation = await takeInvitation(transaction, hashToken(token), 'FIRST', nowMs);
    if (!invitation || (await hasPeople(transaction))) return undefined;
    const demo = { id: personId, email: demoEmail, name: 'Demo', language };
    await insertPerson(transaction, demo, nowMs);
    const merchantId = invitation.merchantId!;
    await insertMember(transaction, { merchantId, personId, role: 'OWNER' }, nowMs);
    const author = { ...dependencies, ...authorOf(personId, visitor) };
    const recoveryCodes = prepared ? await storeMethod(transaction, author, owner, prepared) : [];
    const opening = { ...visitor, personId, signedInWith: 'FIRST_LINK' } as const;
    const opened = await openSession(transaction, dependencies, opening);
    return opened && { token: opened.token, sessionId: opened.id, merchantId, recoveryCodes };
  });
}

/** How the demo owner will sign in. */
export type FirstMethod = Exclude<Proof, { kind: 'IDENTITY' }>;

type Prepared = { password: PreparedPassword } | { passkey: NewPasskey };

async function prepareMethod(
  dependencies: PeopleDependencies,
  { personId, email }: DemoOwner,
  method: FirstMethod,
): Promise<Prepared> {
  return method.kind === 'PASSWORD'
    ? { password: await preparePassword(dependencies, { forId: personId, email }, method) }
    : { passkey: await verifyNewPasskey(dependencies, personId, method) };
}

async function storeMethod(
  transaction: Queryable,
  author: PeopleDependencies & Administration,
  { personId }: DemoOwner,
  prepared: Prepared,
): Promise<string[]> {
  const isPassword = 'password' in prepared;
  const recoveryCodes = isPassword
    ? await storePassword(transaction, author, personId, prepared.password)
    : [];
  if (!isPassword) await storePasskey(transaction, author, prepared.passkey);
  await writeAuditRecord(transaction, author, {
    tenantId: null,
    action: isPassword ? 'password.changed' : 'passkey.added',
    subject: formatId('pe', personId),
  });
  return recoveryCodes;
}
