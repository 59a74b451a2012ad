import { writeAuditRecord } from '../../platform/audit/record.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { formatId } from '../../platform/values/ids.ts';
import type { PeopleDependencies, TooMany } from './dependencies.ts';
import { PasswordsBusyError } from './password.ts';
import { findTillPeople, isPinStill, mostPinTries, setPinHash, takePinTry } from './pin-store.ts';
import { markEnded } from './session-store.ts';
import { authorOf, type FoundSession, openSession, type Visitor } from './sessions.ts';
import { findTill } from './till-devices.ts';

const digits = 6;
const sequences = ['01234567890', '09876543210'];

/**
 * Checks a new PIN: six digits, neither one digit repeated nor a sequence.
 * @throws VALIDATION_ERROR
 */
export function checkPin(pin: string): void {
  if (!/^[0-9]{6}$/.test(pin)) throw invalid('pin', `must have ${digits} digits`);
  if (new Set(pin).size === 1 || sequences.some((each) => each.includes(pin))) {
    throw invalid('pin', 'is too easy to guess');
  }
}

type Session = Pick<FoundSession, 'id' | 'personId'>;

/**
 * Sets the PIN of a session's person, who has just confirmed their identity, and ends their other sessions.
 * @throws VALIDATION_ERROR, PasswordsBusyError
 */
export async function setPin(
  dependencies: PeopleDependencies,
  session: Session,
  { pin, ...visitor }: Visitor & { pin: string },
): Promise<void> {
  checkPin(pin);
  await replacePin(dependencies, session, visitor, await dependencies.passwords.hash(pin));
}

/** Removes the PIN of a session's person, and ends their other sessions. */
export const removePin = (
  dependencies: PeopleDependencies,
  session: Session,
  visitor: Visitor,
): Promise<void> => replacePin(dependencies, session, visitor, null);

async function replacePin(
  dependencies: PeopleDependencies,
  { id, personId }: Session,
  visitor: Visitor,
  pinHash: string | null,
): Promise<void> {
  await dependencies.database.transaction(async (transaction) => {
    if (!(await setPinHash(transaction, personId, pinHash))) return;
    await markEnded(transaction, { personId, but: id }, dependencies.clock.nowMs());
    const author = { ...dependencies, ...authorOf(personId, visitor) };
    await writeAuditRecord(transaction, author, {
      tenantId: null,
      action: pinHash === null ? 'pin.removed' : 'pin.set',
      subject: formatId('pe', personId),
    });
  });
}

/** The result of choosing a name on a shared phone and typing a PIN. */
export type PinResult =
  | { kind: 'SIGNED_IN'; token: string; personId: string; merchantId: string }
  /** The phone is no till, or the person may not charge there or has no PIN. */
  | { kind: 'NOT_HERE' }
  | { kind: 'WRONG'; left: number }
  /** Only a full sign-in helps. */
  | { kind: 'LOCKED' }
  | TooMany;

const busy: TooMany = { kind: 'TOO_MANY', retryInMs: 2_000 };

/**
 * Changes the person at a shared phone: begins a session with till rights only, and ends the one that was open there.
 * A try counts before it is checked.
 * @param replaced the session of the phone's cookie
 */
export async function signInWithPin(
  dependencies: PeopleDependencies,
  given: Visitor & {
    till: string | undefined;
    personId: string;
    pin: string;
    replaced?: Session | undefined;
  },
): Promise<PinResult> {
  const { database, passwords } = dependencies;
  const till = await findTill(database, given.till);
  if (!till) return { kind: 'NOT_HERE' };
  const people = await findTillPeople(database, till.merchantId);
  if (!people.some(({ id }) => id === given.personId)) return { kind: 'NOT_HERE' };
  if (passwords.isBusy(true)) return busy;
  const attempt = await takePinTry(database, given.personId);
  if (!attempt) return { kind: 'LOCKED' };
  const { pinHash, tries } = attempt;
  if (await isRight(dependencies, given.pin, pinHash)) {
    const token = await enter(dependencies, given, { pinHash, tillId: till.id });
    const { merchantId } = till;
    if (token) return { kind: 'SIGNED_IN', token, personId: given.personId, merchantId };
  }
  await recordFailure(dependencies, given, { tillId: till.id, tries });
  const left = mostPinTries - tries;
  return left > 0 ? { kind: 'WRONG', left } : { kind: 'LOCKED' };
}

async function isRight(
  { passwords }: PeopleDependencies,
  pin: string,
  pinHash: string,
): Promise<boolean> {
  try {
    return await passwords.verify(pin.slice(0, 2 * digits), pinHash, true);
  } catch (error) {
    // The try stays counted: guessing must not be free while the machine is busy.
    if (error instanceof PasswordsBusyError) return false;
    throw error;
  }
}

function enter(
  dependencies: PeopleDependencies,
  {
    personId,
    replaced,
    ...visitor
  }: Visitor & { personId: string; replaced?: Session | undefined },
  { pinHash, tillId }: { pinHash: string; tillId: string },
): Promise<string | undefined> {
  return dependencies.database.transaction(async (transaction) => {
    if (!(await isPinStill(transaction, personId, pinHash))) return undefined;
    if (replaced) {
      const ended = { personId: replaced.personId, only: replaced.id };
      await markEnded(transaction, ended, dependencies.clock.nowMs());
    }
    const { address, userAgent } = visitor;
    const opening = {
      address,
      userAgent,
      personId,
      signedInWith: 'PIN',
      tillDeviceId: tillId,
    } as const;
    return (await openSession(transaction, dependencies, opening))?.token;
  });
}

/** At most five in a row, so each is recorded. */
function recordFailure(
  { database, clock, ids }: PeopleDependencies,
  { personId, ...visitor }: Visitor & { personId: string },
  { tillId, tries }: { tillId: string; tries: number },
): Promise<void> {
  const { origin } = authorOf(personId, visitor);
  return database.transaction((transaction) =>
    writeAuditRecord(
      transaction,
      { clock, ids, actor: 'stranger', origin },
      {
        tenantId: null,
        action: 'pin.failed',
        subject: formatId('pe', personId),
        detail: { till: formatId('td', tillId), tries },
      },
    ),
  );
}
