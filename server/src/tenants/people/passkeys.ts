import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { writeAuditRecord } from '../../platform/audit/record.ts';
import { invalid, invalidState, limitReached } from '../../platform/errors/errors.ts';
import { lockCount } from '../../platform/postgres/advisory-lock.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { bytesOfUuid, formatId } from '../../platform/values/ids.ts';
import type { PeopleDependencies, SignInResult } from './dependencies.ts';
import type { ChallengePurpose } from './derived-keys.ts';
import { labelOf } from './passkey-label.ts';
import { mostPasskeys, supportedAlgorithmIDs, transports } from './passkey-limits.ts';
import {
  deletePasskey,
  findPasskey,
  findPasskeys,
  insertPasskey,
  type ListedPasskey,
  notePasskeyUse,
  type StoredPasskey,
  useChallenge,
} from './passkey-store.ts';
import type { Person } from './person.ts';
import { retireCredential } from './retire-credential.ts';
import { markEnded, markProven } from './session-store.ts';
import { authorOf, type FoundSession, openSession, type Visitor } from './sessions.ts';
import { isKnownDevice, newDevice } from './throttle.ts';

export type { ListedPasskey } from './passkey-store.ts';

const wrong = { kind: 'WRONG' } as const;

/** Loaded with the first use of a passkey, because this is an eighth of all modules at start. */
const library = () => import('@simplewebauthn/server');

const hostOf = (consoleUrl: string) => new URL(consoleUrl).hostname;

/** Options with which a browser creates a passkey; the person need not exist yet. */
export async function passkeyCreation(
  dependencies: PeopleDependencies,
  person: Pick<Person, 'id' | 'email' | 'name'>,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { database, peopleKeys, clock, consoleUrl } = dependencies;
  const known = await findPasskeys(database, person.id);
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: 'Zimbo',
    rpID: hostOf(consoleUrl),
    userName: person.email ?? person.name,
    userDisplayName: person.name,
    userID: new Uint8Array(bytesOfUuid(person.id)),
    challenge: new Uint8Array(peopleKeys.newChallenge('REGISTER', person.id, clock.nowMs())),
    attestationType: 'none',
    supportedAlgorithmIDs,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: known.map(({ credentialId }) => ({
      id: credentialId.toString('base64url'),
    })),
  });
}

/** A new passkey, checked but not stored yet. */
export type NewPasskey = Omit<StoredPasskey, 'id'> & { label: string };

/** @throws VALIDATION_ERROR it does not answer this person's challenge, or was used before */
export async function verifyNewPasskey(
  dependencies: PeopleDependencies,
  personId: string,
  given: { response: RegistrationResponseJSON; label: string },
): Promise<NewPasskey> {
  const { consoleUrl } = dependencies;
  const label = labelOf(given.label);
  const { verifyRegistrationResponse } = await library();
  const verified = await verifyRegistrationResponse({
    response: given.response,
    expectedOrigin: consoleUrl,
    expectedRPID: hostOf(consoleUrl),
    requireUserVerification: true,
    supportedAlgorithmIDs,
    expectedChallenge: (challenge) => take(dependencies, challenge, 'REGISTER', personId),
  }).catch(() => undefined);
  if (!verified?.verified) throw invalid('passkey', 'does not match the request; try again');
  const { credential } = verified.registrationInfo;
  return {
    personId,
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    counter: BigInt(credential.counter),
    transports: transports.filter((each) =>
      credential.transports?.some((transport) => transport === each),
    ),
    label,
  };
}

/** Stores a passkey in a transaction. */
export async function storePasskey(
  transaction: Queryable,
  { clock, ids }: PeopleDependencies,
  passkey: NewPasskey,
): Promise<string> {
  const nowMs = clock.nowMs();
  const id = ids.next(nowMs);
  if (!(await insertPasskey(transaction, { ...passkey, id }, nowMs))) {
    throw invalidState('This passkey is registered already.');
  }
  return id;
}

/**
 * Adds a passkey to the person of a session; the caller must ensure that they have just confirmed their identity.
 * @throws VALIDATION_ERROR, INVALID_STATE, LIMIT_REACHED
 */
export async function addPasskey(
  dependencies: PeopleDependencies,
  { personId }: Pick<FoundSession, 'personId'>,
  given: Visitor & { response: RegistrationResponseJSON; label: string },
): Promise<string> {
  const passkey = await verifyNewPasskey(dependencies, personId, given);
  return dependencies.database.transaction(async (transaction) => {
    await lockCount(transaction, `passkeys of ${personId}`);
    if ((await findPasskeys(transaction, personId)).length >= mostPasskeys) {
      throw limitReached(`There are ${mostPasskeys} passkeys already: remove one first.`);
    }
    const id = await storePasskey(transaction, dependencies, passkey);
    const author = { ...dependencies, ...authorOf(personId, given) };
    await writeAuditRecord(transaction, author, {
      tenantId: null,
      action: 'passkey.added',
      subject: formatId('pe', personId),
      after: { passkey: formatId('pk', id) },
    });
    return id;
  });
}

/** A person's passkeys, oldest first. */
export function listPasskeys(
  { database }: Pick<PeopleDependencies, 'database'>,
  personId: string,
): Promise<ListedPasskey[]> {
  return findPasskeys(database, personId);
}

/**
 * Removes a passkey and its person's open invitations, and ends their other sessions: nobody knows which of them it
 * opened or confirmed.
 * @throws INVALID_STATE the passkey is not theirs, or is their only way to sign in
 */
export function removePasskey(
  dependencies: PeopleDependencies,
  session: Pick<FoundSession, 'id' | 'personId'>,
  { id, ...visitor }: Visitor & { id: string },
): Promise<void> {
  const { personId } = session;
  return dependencies.database.transaction(async (transaction) => {
    if ((await deletePasskey(transaction, personId, id)) === undefined) {
      throw invalidState('The passkey does not exist any more, or is the only way to sign in.');
    }
    await markEnded(transaction, { personId, but: session.id }, dependencies.clock.nowMs());
    const author = { ...dependencies, ...authorOf(personId, visitor) };
    await retireCredential(transaction, author, personId);
    await writeAuditRecord(transaction, author, {
      tenantId: null,
      action: 'passkey.removed',
      subject: formatId('pe', personId),
      before: { passkey: formatId('pk', id) },
    });
  });
}

/** Options for signing in with any passkey for this console. */
export function passkeySignIn(
  dependencies: Pick<PeopleDependencies, 'peopleKeys' | 'clock' | 'consoleUrl'>,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return requestOf(dependencies, 'SIGN_IN', undefined);
}

/** Options with which a session's person confirms their identity. */
export function passkeyReauthentication(
  dependencies: Pick<PeopleDependencies, 'peopleKeys' | 'clock' | 'consoleUrl'>,
  { personId }: Pick<FoundSession, 'personId'>,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return requestOf(dependencies, 'REAUTHENTICATE', personId);
}

type RequestDependencies = Pick<PeopleDependencies, 'peopleKeys' | 'clock' | 'consoleUrl'>;

async function requestOf(
  { peopleKeys, clock, consoleUrl }: RequestDependencies,
  purpose: ChallengePurpose,
  personId: string | undefined,
) {
  const challenge = peopleKeys.newChallenge(purpose, personId, clock.nowMs());
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: hostOf(consoleUrl),
    challenge: new Uint8Array(challenge),
    userVerification: 'required',
  });
}

/** Signs in with a passkey. Nobody can guess one, so tries do not delay the account. */
export async function signInWithPasskey(
  dependencies: PeopleDependencies,
  given: Visitor & { response: AuthenticationResponseJSON; device?: string | undefined },
): Promise<SignInResult> {
  const { database, clock, signInLimit, peopleKeys } = dependencies;
  const address = given.address ?? undefined;
  const allowance = await signInLimit.take(address, clock.nowMs());
  if (!allowance.allowed && !(await isOnTheirDevice(dependencies, given))) {
    return { kind: 'TOO_MANY', retryInMs: allowance.retryInMs };
  }
  const used = await verify(dependencies, given.response, 'SIGN_IN', undefined);
  if (!used) return wrong;
  const { personId } = used.passkey;
  const opened = await database.transaction(async (transaction) => {
    if (!(await notePasskeyUse(transaction, used.passkey, used.counter, clock.nowMs()))) return;
    return openSession(transaction, dependencies, { ...given, personId, signedInWith: 'PASSKEY' });
  });
  if (!opened) return wrong;
  if (allowance.allowed) signInLimit.giveBack(address, clock.nowMs());
  const device = newDevice(peopleKeys, used.passkey.email ?? personId);
  return { kind: 'SIGNED_IN', token: opened.token, sessionId: opened.id, personId, device };
}

/** Strangers' tries from the same address do not delay people on their own device. */
async function isOnTheirDevice(
  { database, peopleKeys }: PeopleDependencies,
  { response, device }: { response: AuthenticationResponseJSON; device?: string | undefined },
): Promise<boolean> {
  if (device === undefined || typeof response?.id !== 'string') return false;
  const passkey = await findPasskey(database, Buffer.from(response.id, 'base64url'));
  return (
    passkey !== undefined && isKnownDevice(peopleKeys, passkey.email ?? passkey.personId, device)
  );
}

/** Confirms with a passkey the identity of a session's person. */
export async function reauthenticateWithPasskey(
  dependencies: PeopleDependencies,
  session: Pick<FoundSession, 'id' | 'personId'>,
  response: AuthenticationResponseJSON,
): Promise<{ kind: 'PROVEN' } | { kind: 'WRONG' }> {
  const { database, clock } = dependencies;
  const used = await verify(dependencies, response, 'REAUTHENTICATE', session.personId);
  if (used?.passkey.personId !== session.personId) return wrong;
  const nowMs = clock.nowMs();
  const isProven = await database.transaction(
    async (transaction) =>
      (await notePasskeyUse(transaction, used.passkey, used.counter, nowMs)) &&
      (await markProven(transaction, session, nowMs)),
  );
  return isProven ? { kind: 'PROVEN' } : wrong;
}

async function verify(
  dependencies: PeopleDependencies,
  response: AuthenticationResponseJSON,
  purpose: ChallengePurpose,
  personId: string | undefined,
): Promise<{ passkey: StoredPasskey & { email: string | null }; counter: number } | undefined> {
  const { database, consoleUrl } = dependencies;
  if (typeof response?.id !== 'string') return undefined;
  const passkey = await findPasskey(database, Buffer.from(response.id, 'base64url'));
  if (!passkey) return undefined;
  const { verifyAuthenticationResponse } = await library();
  const verified = await verifyAuthenticationResponse({
    response,
    expectedOrigin: consoleUrl,
    expectedRPID: hostOf(consoleUrl),
    requireUserVerification: true,
    credential: {
      id: response.id,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: Number(passkey.counter),
    },
    expectedChallenge: (challenge) => take(dependencies, challenge, purpose, personId),
  }).catch(() => undefined);
  if (!verified?.verified) return undefined;
  return { passkey, counter: verified.authenticationInfo.newCounter };
}

/** Whether we made this challenge for this purpose, and it is unanswered. */
async function take(
  { database, peopleKeys, clock }: PeopleDependencies,
  challenge: string,
  purpose: ChallengePurpose,
  personId: string | undefined,
): Promise<boolean> {
  const bytes = Buffer.from(challenge, 'base64url');
  const expiresAtMs = peopleKeys.expiryOf(bytes, purpose, personId, clock.nowMs());
  return expiresAtMs !== undefined && useChallenge(database, bytes, expiresAtMs);
}
