import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { writeAuditRecord } from '../../platform/audit/record.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import { type Accepted, join } from './accept-invitation.ts';
import { findPerson, forgetCredentials, insertPerson } from './account-store.ts';
import type { PeopleDependencies } from './dependencies.ts';
import { type OpenInvitation, type StoredInvitation, takeInvitation } from './invitation-store.ts';
import { findInvitation, invalidLinkError, personIdFor } from './invitations.ts';
import { findRole } from './member-store.ts';
import { type NewPasskey, passkeyCreation, storePasskey, verifyNewPasskey } from './passkeys.ts';
import { type Language, parseName } from './person.ts';
import { setPinHash } from './pin-store.ts';
import { checkPin } from './pins.ts';
import { retireCredential } from './retire-credential.ts';
import { markEnded } from './session-store.ts';
import { authorOf, hashToken, openSession, type Visitor } from './sessions.ts';
import { newDevice } from './throttle.ts';

/** How somebody without e-mail will sign in. */
export type QrProof =
  | { kind: 'PIN'; pin: string }
  | { kind: 'PASSKEY'; response: RegistrationResponseJSON; label: string };

/** The invitations of QR codes; others go to an e-mail. */
const isQr = ({ kind, email }: OpenInvitation) => kind === 'INVITATION' && email === null;

const personOf = ({ id, personId }: OpenInvitation) => personId ?? personIdFor(id);

/** Options with which a browser creates a passkey for somebody without e-mail. */
export const passkeyForQr = (
  dependencies: PeopleDependencies,
  invitation: OpenInvitation,
  name: string,
) => passkeyCreation(dependencies, { id: personOf(invitation), email: null, name });

/**
 * Accepts the invitation of a QR code: as a new cashier, or with a new PIN or passkey that replaces all that the member
 * had. A passkey signs in; a PIN does not, because it is of use only on the shop's phones.
 * @throws INVALID_STATE the link is no longer valid
 * @throws VALIDATION_ERROR names the field; PasswordsBusyError
 */
export async function acceptQr(
  dependencies: PeopleDependencies,
  given: Visitor & { token: string; name: string; language: Language; proof: QrProof },
): Promise<Accepted | undefined> {
  const { database, peopleKeys } = dependencies;
  const seen = await findInvitation(dependencies, given.token);
  if (!seen || !isQr(seen)) throw invalidLinkError();
  const personId = personOf(seen);
  const name = seen.personId === null ? parseName(given.name) : '';
  const prepared = await prepare(dependencies, personId, given.proof);
  return database.transaction(async (transaction) => {
    const nowMs = dependencies.clock.nowMs();
    const invitation = await takeInvitation(
      transaction,
      hashToken(given.token),
      'INVITATION',
      nowMs,
    );
    if (!invitation) throw invalidLinkError();
    if (invitation.personId === null) {
      const person = { id: personId, email: null, name, language: given.language };
      await insertPerson(transaction, person, nowMs);
      await join(transaction, dependencies, invitation, personId, given);
    } else await replaceCredentials(transaction, dependencies, invitation, given);
    await store(transaction, dependencies, personId, prepared);
    await record(transaction, dependencies, personId, { ...given, invitation });
    if ('pinHash' in prepared) return undefined;
    const opening = { ...given, personId, signedInWith: 'INVITATION' } as const;
    const opened = await openSession(transaction, dependencies, opening);
    if (!opened) throw invalidLinkError();
    const device = newDevice(peopleKeys, personId);
    return { personId, token: opened.token, sessionId: opened.id, device, recoveryCodes: [] };
  });
}

type Prepared = { pinHash: string } | { passkey: NewPasskey };

async function prepare(
  dependencies: PeopleDependencies,
  personId: string,
  proof: QrProof,
): Promise<Prepared> {
  if (proof.kind === 'PASSKEY') {
    return { passkey: await verifyNewPasskey(dependencies, personId, proof) };
  }
  checkPin(proof.pin);
  return { pinHash: await dependencies.passwords.hash(proof.pin) };
}

async function replaceCredentials(
  transaction: Queryable,
  dependencies: PeopleDependencies,
  { merchantId, personId }: StoredInvitation,
  visitor: Visitor,
): Promise<void> {
  const member = { merchantId: merchantId!, personId: personId! };
  const person = await findPerson(transaction, member.personId);
  // They may have been removed since.
  const isMember = (await findRole(transaction, member)) !== undefined;
  if (!isMember || !person || person.disabledAtMs !== null) throw invalidLinkError();
  await forgetCredentials(transaction, member.personId);
  await markEnded(transaction, { personId: member.personId }, dependencies.clock.nowMs());
  const author = { ...dependencies, ...authorOf(member.personId, visitor) };
  await retireCredential(transaction, author, member.personId);
}

async function store(
  transaction: Queryable,
  dependencies: PeopleDependencies,
  personId: string,
  prepared: Prepared,
): Promise<void> {
  if ('passkey' in prepared) await storePasskey(transaction, dependencies, prepared.passkey);
  else await setPinHash(transaction, personId, prepared.pinHash);
}

function record(
  transaction: Queryable,
  dependencies: PeopleDependencies,
  personId: string,
  { proof, invitation, ...visitor }: Visitor & { proof: QrProof; invitation: StoredInvitation },
): Promise<void> {
  const author = { ...dependencies, ...authorOf(personId, visitor) };
  return writeAuditRecord(transaction, author, {
    tenantId: null,
    action: proof.kind === 'PIN' ? 'pin.set' : 'passkey.added',
    subject: formatId('pe', personId),
    detail: { invitation: formatId('iv', invitation.id) },
  });
}
