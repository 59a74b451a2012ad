import type { TestContext } from 'node:test';
import { AddressLimiter } from '../../src/platform/http/address-limit.ts';
import { RateLimiter } from '../../src/platform/http/rate-limit.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { timestamp } from '../../src/platform/postgres/database.ts';
import { createSecretBox } from '../../src/platform/secrets/secret-box.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import { createMerchant } from '../../src/tenants/merchants/create-merchant.ts';
import { acceptInvitation, codesForLink } from '../../src/tenants/people/accept-invitation.ts';
import { createPeopleKeys } from '../../src/tenants/people/derived-keys.ts';
import { findInvitation, invite } from '../../src/tenants/people/invitations.ts';
import { codeNow } from '../../src/tenants/people/one-time-codes.ts';
import { createPasswordHasher, type PasswordHasher } from '../../src/tenants/people/password.ts';
import type { Role } from '../../src/tenants/people/permissions.ts';
import { openSession, type Visitor } from '../../src/tenants/people/sessions.ts';
import { signInRate } from '../../src/tenants/people/sign-in.ts';
import { Pauses } from '../../src/tenants/people/throttle.ts';
import { silentLog, testDatabase } from './database.ts';
import { testKeys } from './privacy.ts';

export const visitor: Visitor = { address: '192.0.2.7', userAgent: 'Firefox on a phone' };

/** A merchant, a clock that the test sets, and the dependencies of the people use cases. */
export async function peopleWorld(context: Pick<TestContext, 'after'>) {
  const { url, database } = await testDatabase(context);
  const clock = { at: Date.parse('2026-11-22T08:00:00.000Z'), nowMs: () => clock.at };
  const hasher = createPasswordHasher({ memoryKiB: 8, passes: 1 });
  /** How many passwords were compared with a hash, real or dummy. */
  const compared = { count: 0 };
  const passwords: PasswordHasher = {
    ...hasher,
    verify(password, hash, isKnown) {
      compared.count += 1;
      return hasher.verify(password, hash, isKnown);
    },
  };
  const dependencies = {
    database,
    clock,
    ids: randomIds(),
    actor: 'cli:maria',
    origin: 'praia-1',
    log: silentLog,
    secrets: createSecretBox(testKeys.current),
    peopleKeys: createPeopleKeys(testKeys.current),
    passwords,
    consoleUrl: 'https://pay.example.cv',
    pauses: new Pauses(),
    signInLimit: new AddressLimiter(new RateLimiter(signInRate)),
  };
  const { id: merchantId } = await createMerchant(dependencies, 'Loja da Praia');
  return { url, database, clock, dependencies, merchantId, compared };
}

export type PeopleWorld = Awaited<ReturnType<typeof peopleWorld>>;

/** `Maria` for `maria@loja.cv`: colleagues have different names. */
export const nameIn = (email: string): string =>
  email.slice(0, 1).toUpperCase() + email.slice(1).split('@')[0];

/** A person without any sign-in method. */
export async function addPerson(
  { database, clock, dependencies }: Pick<PeopleWorld, 'database' | 'clock' | 'dependencies'>,
  email: string,
): Promise<string> {
  const id = dependencies.ids.next(clock.at);
  await database.query(
    {
      text: `INSERT INTO people (id, email, name, language, created_at) VALUES ($1, $2, $4, 'pt', $3)`,
    },
    [id, email, timestamp(clock.at), nameIn(email)],
  );
  return id;
}

export async function addMember(
  { database, clock, merchantId }: Pick<PeopleWorld, 'database' | 'clock' | 'merchantId'>,
  personId: string,
  role: Role,
): Promise<void> {
  await database.query(
    {
      text: 'INSERT INTO memberships (merchant_id, person_id, role, created_at) VALUES ($1, $2, $3, $4)',
    },
    [merchantId, personId, role, timestamp(clock.at)],
  );
}

/** Signs a person in without any proof. */
export async function signedIn({ database, dependencies }: PeopleWorld, personId: string) {
  const opening = { ...visitor, personId, signedInWith: 'PASSKEY' } as const;
  const session = await database.transaction((transaction) =>
    openSession(transaction, dependencies, opening),
  );
  if (!session) throw new Error('the person cannot sign in');
  return { ...session, personId };
}

/** The audit records about people, oldest first: who, what, to whom. */
export function auditOf(database: Database) {
  return database.query<{ actor: string; action: string; subject: string; whole: string }>({
    text: `SELECT actor, action, subject, r::text AS whole FROM audit_records r
      WHERE action NOT LIKE 'merchant%' ORDER BY id`,
  });
}

export const goodPassword = 'quatro palavras ao acaso';

/** Invites a person, who accepts with a password and codes. */
export async function joined(
  world: Pick<PeopleWorld, 'dependencies' | 'clock' | 'merchantId'>,
  email: string,
  role: Role = 'OWNER',
  name = nameIn(email),
) {
  const { dependencies, clock, merchantId } = world;
  const { token } = await invite(dependencies, { merchantId, role, email });
  const invitation = (await findInvitation(dependencies, token))!;
  const { draft, secret } = codesForLink(dependencies, invitation);
  const proof = {
    kind: 'PASSWORD',
    password: goodPassword,
    draft,
    code: codeNow(secret, clock.at),
  } as const;
  const given = { ...visitor, token, name, language: 'pt', proof } as const;
  const accepted = await acceptInvitation(dependencies, given);
  // The code that confirmed the app is used up.
  clock.at += 60_000;
  return { ...accepted, invitation, secret, email };
}
