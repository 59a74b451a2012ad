import { writeAuditRecord } from '../../platform/audit/record.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import {
  type Credentials,
  codesContext,
  findCredentials,
  takeRecoveryCode,
  takeStep,
} from './account-store.ts';
import type { PeopleDependencies, SignInResult, TooMany } from './dependencies.ts';
import { hashRecoveryCode, stepOf } from './one-time-codes.ts';
import { PasswordsBusyError } from './password.ts';
import { emailToFind } from './person.ts';
import { markProven, type SignedInWith } from './session-store.ts';
import { authorOf, type FoundSession, openSession, type Visitor } from './sessions.ts';
import { bucketOf, forgetTries, freeTries, isKnownDevice, newDevice, takeTry } from './throttle.ts';

export interface PasswordTry {
  password: string;
  /** From the authenticator app, or a recovery code. */
  code: string;
}

const busy: TooMany = { kind: 'TOO_MANY', retryInMs: 2_000 };
const wrong = { kind: 'WRONG' } as const;
const longestText = 300;

/** How many tries an address has: 30 at once, and one every five seconds in the long run. */
export const signInRate = { perSecond: 0.2, burst: 30 };

/**
 * Signs in with a password and a code. Tries do not reveal which accounts exist: an unknown e-mail costs the same
 * statements and the same hash, and is delayed in the same way.
 */
export async function signInWithPassword(
  dependencies: PeopleDependencies,
  given: PasswordTry & Visitor & { email: string; device?: string | undefined },
): Promise<SignInResult> {
  const { peopleKeys, signInLimit, clock } = dependencies;
  const email = emailToFind(given.email.slice(0, longestText));
  const address = given.address ?? undefined;
  // Many people share the address of a mobile operator. On a known device, only its person's tries count.
  const isKnown = isKnownDevice(peopleKeys, email, given.device);
  const allowance = isKnown ? undefined : await signInLimit.take(address, clock.nowMs());
  if (allowance?.allowed === false) return { kind: 'TOO_MANY', retryInMs: allowance.retryInMs };
  const bucket = bucketOf(peopleKeys, email, given.device);
  const proof = await prove(dependencies, { ...given, who: { email }, bucket, isKnown });
  if (proof.kind !== 'PROVEN') return proof;
  const opened = await dependencies.database.transaction(async (transaction) => {
    if (!(await proof.take(transaction))) return undefined;
    await forgetTries(transaction, dependencies, bucket);
    const { personId, signedInWith } = proof;
    return openSession(transaction, dependencies, { ...given, personId, signedInWith });
  });
  if (!opened) return wrong;
  if (!isKnown) signInLimit.giveBack(address, clock.nowMs());
  const { personId } = proof;
  const device = newDevice(peopleKeys, email);
  return { kind: 'SIGNED_IN', token: opened.token, sessionId: opened.id, personId, device };
}

/** Confirms with password and code the identity of a session's person. */
export async function reauthenticateWithPassword(
  dependencies: PeopleDependencies,
  session: Pick<FoundSession, 'id' | 'personId'>,
  given: PasswordTry & Visitor,
): Promise<{ kind: 'PROVEN' } | { kind: 'WRONG' } | TooMany> {
  const { personId } = session;
  const bucket = dependencies.peopleKeys.digest('reauthentication', personId);
  const who = { id: personId };
  const proof = await prove(dependencies, { ...given, who, bucket, isKnown: true });
  if (proof.kind !== 'PROVEN') return proof;
  const isProven = await dependencies.database.transaction(async (transaction) => {
    if (!(await proof.take(transaction))) return false;
    await forgetTries(transaction, dependencies, bucket);
    return markProven(transaction, session, dependencies.clock.nowMs());
  });
  return isProven ? { kind: 'PROVEN' } : wrong;
}

type Proof =
  | {
      kind: 'PROVEN';
      personId: string;
      signedInWith: SignedInWith;
      /** Uses the code up; false if it was used meanwhile. */
      take: (transaction: Queryable) => Promise<boolean>;
    }
  | typeof wrong
  | TooMany;

interface ProofAttempt extends PasswordTry, Visitor {
  who: { email: string } | { id: string };
  bucket: Buffer;
  /** They have signed in on this device before: strangers do not take their place in the queue. */
  isKnown: boolean;
}

async function prove(dependencies: PeopleDependencies, given: ProofAttempt): Promise<Proof> {
  const { database, passwords } = dependencies;
  const { isKnown } = given;
  // Before the try counts: whoever overloads us must not use up other people's tries.
  if (passwords.isBusy(isKnown)) return busy;
  const attempt = await takeTry(dependencies, given.bucket);
  if ('retryInMs' in attempt) return { kind: 'TOO_MANY', retryInMs: attempt.retryInMs };
  const codeHash = hashRecoveryCode(given.code.slice(0, longestText));
  const found = await findCredentials(database, given.who, codeHash);
  const password = given.password.slice(0, longestText);
  let isRight: boolean;
  try {
    isRight = await passwords.verify(password, found?.passwordHash ?? null, isKnown);
  } catch (error) {
    if (error instanceof PasswordsBusyError) return busy;
    throw error;
  }
  const proven = found && isRight ? checkCode(dependencies, found, given.code, codeHash) : wrong;
  if (proven.kind === 'WRONG' && found && attempt.tries === freeTries) {
    noteGuessing(dependencies, found.id, given);
  }
  return proven;
}

function checkCode(
  { secrets, clock }: PeopleDependencies,
  found: Credentials,
  code: string,
  codeHash: Buffer,
): Proof {
  const { id: personId, passwordHash, totpBox, totpLastStep } = found;
  const checked = { personId, passwordHash };
  const nowMs = clock.nowMs();
  if (found.isRecoveryCode) {
    const take = (transaction: Queryable) =>
      takeRecoveryCode(transaction, checked, codeHash, nowMs);
    return { kind: 'PROVEN', personId, signedInWith: 'RECOVERY_CODE', take };
  }
  if (!totpBox) return wrong;
  const secret = secrets.decrypt(totpBox, codesContext(personId));
  const lastStep = totpLastStep === null ? null : Number(totpLastStep);
  const step = stepOf(secret, code, nowMs, lastStep);
  if (step === undefined) return wrong;
  const take = (transaction: Queryable) => takeStep(transaction, checked, step);
  return { kind: 'PROVEN', personId, signedInWith: 'PASSWORD', take };
}

/**
 * Records guessing, once for each series of tries. Nobody waits for this, because its duration would reveal that the
 * account exists.
 */
function noteGuessing(
  dependencies: PeopleDependencies,
  personId: string,
  { address }: Visitor,
): void {
  const { database, clock, ids, log } = dependencies;
  const subject = formatId('pe', personId);
  const { origin } = authorOf(personId, { address, userAgent: null });
  const record = { tenantId: null, action: 'person.sign_in_failed', subject } as const;
  const detail = { tries: freeTries };
  database
    .transaction((transaction) =>
      writeAuditRecord(
        transaction,
        { clock, ids, actor: 'stranger', origin },
        { ...record, detail },
      ),
    )
    .catch((error: unknown) => log.error({ err: error }, 'could not record a failed sign-in'));
}
