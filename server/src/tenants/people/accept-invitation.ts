import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { writeAuditRecord } from '../../platform/audit/record.ts';
import { DomainError, forbidden } from '../../platform/errors/errors.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import { findPerson, findPersonByEmail, forgetCredentials, insertPerson } from './account-store.ts';
import {
  type CodesDraft,
  draftCodes,
  type PreparedPassword,
  preparePassword,
  readDraft,
  storePassword,
} from './credentials.ts';
import type { PeopleDependencies } from './dependencies.ts';
import {
  type OpenInvitation,
  postOf,
  type StoredInvitation,
  takeInvitation,
} from './invitation-store.ts';
import { findInvitation, invalidLinkError, personIdFor } from './invitations.ts';
import { insertMember, requireFreeName } from './member-store.ts';
import { requireMerchantRole } from './merchant-roles.ts';
import { type NewPasskey, passkeyCreation, storePasskey, verifyNewPasskey } from './passkeys.ts';
import { type Language, parseName } from './person.ts';
import { retireCredential } from './retire-credential.ts';
import { markEnded } from './session-store.ts';
import { authorOf, type FoundSession, hashToken, openSession, type Visitor } from './sessions.ts';
import { IdentityTaken, insertIdentity } from './sso/identity-store.ts';
import type { Proven } from './sso/provider.ts';
import { vouchedBy } from './sso/ticket.ts';
import { type Team, teamDetail } from './teams.ts';
import { newDevice } from './throttle.ts';

/** The credential for future sign-ins. */
export type Proof =
  | { kind: 'PASSWORD'; password: string; draft: string; code: string }
  | { kind: 'PASSKEY'; response: RegistrationResponseJSON; label: string }
  /** An identity that the single sign-on provider vouches for; for invitations only. */
  | { kind: 'IDENTITY'; proven: Proven };

export interface Accepted {
  personId: string;
  /** For the session's cookie. */
  token: string;
  sessionId: string;
  /** For the cookie of the device. */
  device: string;
  /** Shown once; empty with a passkey. */
  recoveryCodes: string[];
}

/** The person of a link; for an invitation, the future person. */
async function personOf(
  { database }: Pick<PeopleDependencies, 'database'>,
  { id, kind, email }: OpenInvitation,
): Promise<string> {
  if (kind !== 'RESET') return personIdFor(id);
  const person = email === null ? undefined : await findPersonByEmail(database, email);
  if (!person || person.disabledAtMs !== null) throw invalidLinkError();
  return person.id;
}

type MailedInvitation = OpenInvitation & { email: string };

/** @throws INVALID_STATE the link is in a QR code, which has its own way in */
function requireMailed(invitation: OpenInvitation): MailedInvitation {
  const { email } = invitation;
  if (email === null) throw invalidLinkError();
  return { ...invitation, email };
}

/** One-time codes for a link's form; if the form is shown again, the earlier draft. */
export function codesForLink(
  dependencies: Pick<PeopleDependencies, 'secrets' | 'clock'>,
  invitation: OpenInvitation,
  earlier?: string,
): CodesDraft {
  const { id, email } = requireMailed(invitation);
  const again = earlier === undefined ? undefined : readDraft(dependencies, id, email, earlier);
  return again ?? draftCodes(dependencies, id, email);
}

/** Options with which a browser creates a passkey for a link. */
export async function passkeyForLink(
  dependencies: PeopleDependencies,
  invitation: OpenInvitation,
  name: string,
) {
  const { email } = requireMailed(invitation);
  return passkeyCreation(dependencies, {
    id: await personOf(dependencies, invitation),
    email,
    name: name || email,
  });
}

/**
 * Accepts an invitation with a new account, or recovers a lost one. A password always requires one-time codes.
 * @throws INVALID_STATE the link is no longer valid, or the e-mail has an account, whose person must sign in and join
 * @throws VALIDATION_ERROR names the field; PasswordsBusyError
 * @throws FORBIDDEN the provider does not vouch for the e-mail of the link; IdentityTaken
 */
export async function acceptInvitation(
  dependencies: PeopleDependencies,
  given: Visitor & { token: string; name: string; language: Language; proof: Proof },
): Promise<Accepted> {
  const { database, peopleKeys } = dependencies;
  const found = await findInvitation(dependencies, given.token);
  if (!found) throw invalidLinkError();
  const seen = requireMailed(found);
  const isNew = seen.kind === 'INVITATION';
  const name = isNew ? parseName(given.name) : '';
  const personId = await personOf(dependencies, seen);
  const prepared = await prepare(dependencies, { ...seen, personId }, given.proof);
  const sso = 'proven' in prepared ? vouchedBy(dependencies.secrets, prepared.proven) : undefined;
  return database.transaction(async (transaction) => {
    const nowMs = dependencies.clock.nowMs();
    const invitation = await takeInvitation(transaction, hashToken(given.token), seen.kind, nowMs);
    if (!invitation) throw invalidLinkError();
    if (isNew) {
      const person = { id: personId, email: seen.email, name, language: given.language };
      // Not earlier: the holder of the link must not learn this without choosing a way to sign in.
      if (!(await insertPerson(transaction, person, nowMs))) throw new AccountExists();
      await join(transaction, dependencies, invitation, personId, given);
    } else {
      await forgetCredentials(transaction, personId);
      await markEnded(transaction, { personId }, nowMs);
      const author = { ...dependencies, ...authorOf(personId, given) };
      await retireCredential(transaction, author, personId);
    }
    const recoveryCodes = await store(transaction, dependencies, personId, prepared);
    await recordCredentials(transaction, dependencies, personId, { ...given, invitation });
    const signedInWith = sso ? 'SSO' : 'INVITATION';
    const opening = { ...given, personId, signedInWith, ...(sso && { sso }) } as const;
    const opened = await openSession(transaction, dependencies, opening);
    if (!opened) throw invalidLinkError();
    const device = newDevice(peopleKeys, seen.email);
    return { personId, token: opened.token, sessionId: opened.id, device, recoveryCodes };
  });
}

/** The e-mail of the invitation has an account, whose person must sign in and join. */
export class AccountExists extends DomainError {
  constructor() {
    super('INVALID_STATE', 'This e-mail has an account: sign in, and open the link again.');
  }
}

type Prepared = { password: PreparedPassword } | { passkey: NewPasskey } | { proven: Proven };

async function prepare(
  dependencies: PeopleDependencies,
  { id, kind, email, personId }: MailedInvitation & { personId: string },
  proof: Proof,
): Promise<Prepared> {
  if (proof.kind === 'IDENTITY') {
    const { proven } = proof;
    // Somebody with the link and any account at the provider need not be the invited person.
    const isTheirs = proven.isEmailVerified && proven.email === email;
    if (kind !== 'INVITATION' || !isTheirs) throw forbidden('The link is for another e-mail.');
    return { proven };
  }
  return proof.kind === 'PASSWORD'
    ? { password: await preparePassword(dependencies, { forId: id, email }, proof) }
    : { passkey: await verifyNewPasskey(dependencies, personId, proof) };
}

async function store(
  transaction: Queryable,
  dependencies: PeopleDependencies,
  personId: string,
  prepared: Prepared,
): Promise<string[]> {
  if ('password' in prepared) {
    return storePassword(transaction, dependencies, personId, prepared.password);
  }
  if ('proven' in prepared) {
    const nowMs = dependencies.clock.nowMs();
    const isFree = await insertIdentity(transaction, prepared.proven, personId, nowMs);
    if (!isFree) throw new IdentityTaken();
    return [];
  }
  await storePasskey(transaction, dependencies, prepared.passkey);
  return [];
}

const recordedAs = {
  PASSWORD: 'password.changed',
  PASSKEY: 'passkey.added',
  IDENTITY: 'identity.linked',
} as const;

function recordCredentials(
  transaction: Queryable,
  dependencies: PeopleDependencies,
  personId: string,
  { proof, invitation, ...visitor }: Visitor & { proof: Proof; invitation: StoredInvitation },
): Promise<void> {
  const author = { ...dependencies, ...authorOf(personId, visitor) };
  return writeAuditRecord(transaction, author, {
    tenantId: null,
    action: recordedAs[proof.kind],
    subject: formatId('pe', personId),
    detail: { invitation: formatId('iv', invitation.id) },
  });
}

/**
 * Accepts an invitation with an existing account, when signed in to it.
 * @throws INVALID_STATE the link is no longer valid
 * @throws FORBIDDEN the link is for another e-mail
 * @throws NameTaken
 */
export function joinTeam(
  dependencies: PeopleDependencies,
  { personId }: Pick<FoundSession, 'personId'>,
  { token, ...visitor }: Visitor & { token: string },
): Promise<Team> {
  return dependencies.database.transaction(async (transaction) => {
    const nowMs = dependencies.clock.nowMs();
    const invitation = await takeInvitation(transaction, hashToken(token), 'INVITATION', nowMs);
    if (!invitation) throw invalidLinkError();
    const person = await findPerson(transaction, personId);
    // Two people without e-mail do not share one.
    if (invitation.email === null || person?.email !== invitation.email)
      throw forbidden('The invitation is for another e-mail.');
    await join(transaction, dependencies, invitation, personId, visitor);
    return postOf(invitation);
  });
}

/**
 * Makes the person of an invitation a member, and records it.
 * @throws NameTaken
 */
export async function join(
  transaction: Queryable,
  dependencies: PeopleDependencies,
  invitation: StoredInvitation,
  personId: string,
  visitor: Visitor,
): Promise<void> {
  const member = { ...postOf(invitation), personId };
  const named = await requireMerchantRole(transaction, member);
  const { name } = (await findPerson(transaction, personId))!;
  await requireFreeName(transaction, { personId, name }, [member]);
  if (!(await insertMember(transaction, member, dependencies.clock.nowMs()))) return;
  const author = { ...dependencies, ...authorOf(personId, visitor) };
  await writeAuditRecord(transaction, author, {
    tenantId: null,
    action: 'person.joined',
    subject: formatId('pe', personId),
    after: { role: member.role, ...named },
    detail: { invitation: formatId('iv', invitation.id), ...teamDetail(member) },
  });
}
