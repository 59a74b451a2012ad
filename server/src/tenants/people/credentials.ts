import { writeAuditRecord } from '../../platform/audit/record.ts';
import { invalid, invalidState } from '../../platform/errors/errors.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { looksLike } from '../../platform/text/look-alikes.ts';
import { formatId } from '../../platform/values/ids.ts';
import {
  codesContext,
  findPerson,
  replaceRecoveryCodes,
  setPasswordHash,
  updateProfile,
} from './account-store.ts';
import type { PeopleDependencies } from './dependencies.ts';
import { findBelongings, findRole, requireFreeName } from './member-store.ts';
import {
  codeUri,
  hashRecoveryCode,
  newCodeSecret,
  newRecoveryCodes,
  stepOf,
} from './one-time-codes.ts';
import { checkPassword } from './password.ts';
import { type Person, parseName } from './person.ts';
import { retireCredential } from './retire-credential.ts';
import { markEnded } from './session-store.ts';
import { authorOf, type FoundSession, type Visitor } from './sessions.ts';
import { staffTeam } from './teams.ts';

const draftMs = 60 * 60_000;

/** One-time codes being set up: nothing is stored until a correct code proves that the app works. */
export interface CodesDraft {
  /** For a hidden field of the form: encrypted, and valid for this person only, for an hour. */
  draft: string;
  /** To type if a camera cannot read the QR code. */
  secret: string;
  /** The content of the QR code. */
  uri: string;
}

/** @param forId of the person or the invitation for the codes */
export function draftCodes(
  { secrets, clock }: Pick<PeopleDependencies, 'secrets' | 'clock'>,
  forId: string,
  email: string,
): CodesDraft {
  const secret = newCodeSecret();
  const plain = JSON.stringify({ secret, expiresAtMs: clock.nowMs() + draftMs });
  const draft = secrets.encrypt(plain, draftContext(forId)).toString('base64url');
  return { draft, secret, uri: codeUri(secret, email) };
}

/** The same draft for a form that is shown again; undefined if a new draft is needed. */
export function readDraft(
  { secrets, clock }: Pick<PeopleDependencies, 'secrets' | 'clock'>,
  forId: string,
  email: string,
  draft: string,
): CodesDraft | undefined {
  try {
    const plain = secrets.decrypt(Buffer.from(draft, 'base64url'), draftContext(forId));
    const { secret, expiresAtMs } = JSON.parse(plain) as { secret: string; expiresAtMs: number };
    return expiresAtMs > clock.nowMs() ? { draft, secret, uri: codeUri(secret, email) } : undefined;
  } catch {
    return undefined;
  }
}

const draftContext = (forId: string) => `draft of codes/${forId}`;

/** A checked password with its codes; not stored yet. */
export interface PreparedPassword {
  passwordHash: string;
  secret: string;
  step: number;
}

/**
 * Checks a password and the first code, and hashes the password, before any transaction.
 * @throws VALIDATION_ERROR names the field: password, code, or draft if it has expired
 * @throws PasswordsBusyError
 */
export async function preparePassword(
  dependencies: PeopleDependencies,
  { forId, email }: { forId: string; email: string },
  given: { password: string; draft: string; code: string },
): Promise<PreparedPassword> {
  checkPassword(given.password, email);
  const found = readDraft(dependencies, forId, email, given.draft);
  if (!found) throw invalid('draft', 'has expired: set up the codes again');
  const step = stepOf(found.secret, given.code, dependencies.clock.nowMs(), null);
  if (step === undefined) throw invalid('code', 'is not the code that the app shows now');
  const passwordHash = await dependencies.passwords.hash(given.password);
  return { passwordHash, secret: found.secret, step };
}

/** Stores the credentials in a transaction. @returns new recovery codes, to be shown once */
export async function storePassword(
  transaction: Queryable,
  { secrets }: PeopleDependencies,
  personId: string,
  { passwordHash, secret, step }: PreparedPassword,
): Promise<string[]> {
  const totpBox = secrets.encrypt(secret, codesContext(personId));
  await setPasswordHash(transaction, personId, passwordHash, { totpBox, step });
  return storeRecoveryCodes(transaction, personId);
}

async function storeRecoveryCodes(transaction: Queryable, personId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  await replaceRecoveryCodes(transaction, personId, codes.map(hashRecoveryCode));
  return codes;
}

/**
 * Changes a person's name and language. Neither grants access, so there is no audit record.
 * @throws VALIDATION_ERROR, NameTaken
 */
export async function changeProfile(
  { database }: Pick<PeopleDependencies, 'database'>,
  personId: string,
  { name: given, language }: Pick<Person, 'name' | 'language'>,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const before = await findPerson(transaction, personId);
    // Names of earlier versions remain, and their owners may still choose a language.
    const name = before?.name === given ? given : parseName(given);
    if (before && !looksLike(before.name, name)) {
      const isStaff = await findRole(transaction, { ...staffTeam, personId });
      const merchants = await findBelongings(transaction, personId);
      const teams = isStaff ? [...merchants, staffTeam] : merchants;
      await requireFreeName(transaction, { personId, name }, teams);
    }
    await updateProfile(transaction, personId, { name, language });
  });
}

type Session = Pick<FoundSession, 'id' | 'personId' | 'email'>;

/** A password is of no use without the e-mail that it is typed with. @throws INVALID_STATE */
function requireEmail({ email }: Session): string {
  if (email === null) throw invalidState('People without e-mail sign in with a passkey.');
  return email;
}

/**
 * Sets the password and codes of a session's person, who has just confirmed their identity, and ends their other
 * sessions.
 * @returns new recovery codes, to be shown once
 * @throws VALIDATION_ERROR, PasswordsBusyError
 */
export async function setPassword(
  dependencies: PeopleDependencies,
  session: Session,
  given: Visitor & { password: string; draft: string; code: string },
): Promise<string[]> {
  const forId = session.personId;
  const email = requireEmail(session);
  const prepared = await preparePassword(dependencies, { forId, email }, given);
  return change(dependencies, session, given, ['password.changed', 'codes.reset'], (transaction) =>
    storePassword(transaction, dependencies, session.personId, prepared),
  );
}

/**
 * Changes only the password; one-time and recovery codes stay.
 * @throws VALIDATION_ERROR, PasswordsBusyError
 * @throws INVALID_STATE there are no codes yet
 */
export async function changePassword(
  dependencies: PeopleDependencies,
  session: Session,
  given: Visitor & { password: string },
): Promise<void> {
  const { personId } = session;
  checkPassword(given.password, requireEmail(session));
  if (!(await findPerson(dependencies.database, personId))?.hasPassword) {
    throw invalidState('Set up codes together with the first password.');
  }
  const passwordHash = await dependencies.passwords.hash(given.password);
  await change(dependencies, session, given, ['password.changed'], (transaction) =>
    setPasswordHash(transaction, personId, passwordHash, undefined),
  );
}

/** Replaces all recovery codes. @returns the new ones, to be shown once */
export function renewRecoveryCodes(
  dependencies: PeopleDependencies,
  session: Session,
  visitor: Visitor,
): Promise<string[]> {
  return change(dependencies, session, visitor, ['codes.reset'], (transaction) =>
    storeRecoveryCodes(transaction, session.personId),
  );
}

/** Somebody with the old credential may be signed in elsewhere: those sessions and open invitations end. */
function change<T>(
  dependencies: PeopleDependencies,
  { id, personId }: Session,
  visitor: Visitor,
  actions: readonly ('password.changed' | 'codes.reset')[],
  work: (transaction: Queryable) => Promise<T>,
): Promise<T> {
  const author = { ...dependencies, ...authorOf(personId, visitor) };
  const subject = formatId('pe', personId);
  return dependencies.database.transaction(async (transaction) => {
    const result = await work(transaction);
    await markEnded(transaction, { personId, but: id }, dependencies.clock.nowMs());
    await retireCredential(transaction, author, personId);
    for (const action of actions) {
      await writeAuditRecord(transaction, author, { tenantId: null, action, subject });
    }
    return result;
  });
}
