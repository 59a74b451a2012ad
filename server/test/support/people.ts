import type { TestContext } from 'node:test';
import { randomIds } from '../../src/ids.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import type { Role } from '../../src/people/permissions.ts';
import { openSession, type Visitor } from '../../src/people/sessions.ts';
import type { Database } from '../../src/postgres/database.ts';
import { timestamp } from '../../src/postgres/database.ts';
import { testDatabase } from './database.ts';

export const visitor: Visitor = { address: '192.0.2.7', userAgent: 'Firefox on a phone' };

/** A merchant, a clock that the test sets, and what people's use cases need. */
export async function peopleWorld(context: Pick<TestContext, 'after'>) {
  const { database } = await testDatabase(context);
  const clock = { at: Date.parse('2026-11-22T08:00:00.000Z'), nowMs: () => clock.at };
  const dependencies = { database, clock, ids: randomIds(), actor: 'cli:maria', origin: 'praia-1' };
  const { id: merchantId } = await createMerchant(dependencies, 'Loja da Praia');
  return { database, clock, dependencies, merchantId };
}

export type PeopleWorld = Awaited<ReturnType<typeof peopleWorld>>;

/** A person without any way to sign in. */
export async function addPerson(
  { database, clock, dependencies }: Pick<PeopleWorld, 'database' | 'clock' | 'dependencies'>,
  email: string,
): Promise<string> {
  const id = dependencies.ids.next(clock.at);
  await database.query(
    {
      text: `INSERT INTO people (id, email, name, language, created_at) VALUES ($1, $2, 'Maria', 'pt', $3)`,
    },
    [id, email, timestamp(clock.at)],
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

/** Signs a person in without asking for anything. */
export async function signedIn({ database, dependencies }: PeopleWorld, personId: string) {
  const opening = { ...visitor, personId, signedInWith: 'PASSKEY' } as const;
  const session = await database.transaction((transaction) =>
    openSession(transaction, dependencies, opening),
  );
  if (!session) throw new Error('the person cannot sign in');
  return { ...session, personId };
}

/** What people left in the audit log, oldest first: who, what, to whom. */
export function auditOf(database: Database) {
  return database.query<{ actor: string; action: string; subject: string; whole: string }>({
    text: `SELECT actor, action, subject, r::text AS whole FROM audit_records r
      WHERE action NOT LIKE 'merchant%' ORDER BY id`,
  });
}
