import type { Queryable } from '../../platform/postgres/database.ts';
import { timestamp } from '../../platform/postgres/database.ts';
import { emailToFind, type Person } from './person.ts';
import type { StaffRole } from './staff-permissions.ts';

/** A person's credentials besides passkeys. */
export interface Credentials {
  id: string;
  passwordHash: string | null;
  totpBox: Buffer | null;
  totpLastStep: bigint | null;
  /** Whether the given code is an unused recovery code. */
  isRecoveryCode: boolean;
}

/** The context of a person's TOTP secret, which opens nowhere else. */
export const codesContext = (personId: string) => `people/${personId}`;

const credentialsStatement = (condition: string) => ({
  name: `people.credentials_by_${condition === 'p.id' ? 'id' : 'email'}`,
  text: `
SELECT p.id, p.password_hash AS "passwordHash", p.totp_box AS "totpBox", p.totp_last_step AS "totpLastStep",
  EXISTS (
    SELECT FROM recovery_codes r WHERE r.person_id = p.id AND r.code_hash = $2 AND r.used_at IS NULL
  ) AS "isRecoveryCode"
FROM people p WHERE ${condition} = $1 AND p.disabled_at IS NULL`,
});
const byEmail = credentialsStatement('lower(p.email)');
const byId = credentialsStatement('p.id');

/** The credentials of the person with this e-mail, unless disabled. */
export async function findCredentials(
  database: Queryable,
  who: { email: string } | { id: string },
  codeHash: Buffer,
): Promise<Credentials | undefined> {
  const [statement, value] = 'id' in who ? [byId, who.id] : [byEmail, who.email];
  return (await database.query<Credentials>(statement, [value, codeHash]))[0];
}

/** The person and the hash that was compared; comparing takes so long that the hash may change meanwhile. */
export interface Checked {
  personId: string;
  passwordHash: string | null;
}

/** False if this code or a later one was used, or another password was set meanwhile. */
export async function takeStep(
  transaction: Queryable,
  { personId, passwordHash }: Checked,
  step: number,
): Promise<boolean> {
  const text = `
UPDATE people SET totp_last_step = $2
WHERE id = $1 AND (totp_last_step IS NULL OR totp_last_step < $2) AND password_hash = $3 RETURNING id`;
  return (await transaction.query({ text }, [personId, step, passwordHash])).length > 0;
}

/** False if the code was used or another password was set meanwhile. */
export async function takeRecoveryCode(
  transaction: Queryable,
  { personId, passwordHash }: Checked,
  codeHash: Buffer,
  nowMs: number,
): Promise<boolean> {
  // Locks the person, like a change of password does: that change then ends the session that begins here.
  const text = `
WITH person AS MATERIALIZED (SELECT id FROM people WHERE id = $1 AND password_hash = $4 FOR UPDATE)
UPDATE recovery_codes SET used_at = $3 FROM person
WHERE person_id = person.id AND code_hash = $2 AND used_at IS NULL RETURNING person_id`;
  const values = [personId, codeHash, timestamp(nowMs), passwordHash];
  return (await transaction.query({ text }, values)).length > 0;
}

/** False if the e-mail is taken. */
export async function insertPerson(
  transaction: Queryable,
  { id, email, name, language }: Person,
  nowMs: number,
): Promise<boolean> {
  const text = `
INSERT INTO people (id, email, name, language, created_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT DO NOTHING RETURNING id`;
  const values = [id, email, name, language, timestamp(nowMs)];
  return (await transaction.query({ text }, values)).length > 0;
}

export interface StoredPerson extends Person {
  createdAtMs: number;
  disabledAtMs: number | null;
  hasPassword: boolean;
  hasPin: boolean;
  passkeys: number;
  /** Null for people who are not staff. */
  staffRole: StaffRole | null;
  /** How many single sign-on identities they have. */
  identities: number;
}

const personSelect = `
SELECT p.id, p.email, p.name, p.language, p.created_at AS "createdAtMs", p.disabled_at AS "disabledAtMs",
  p.password_hash IS NOT NULL AS "hasPassword", p.pin_hash IS NOT NULL AS "hasPin",
  (SELECT count(*)::integer FROM passkeys k WHERE k.person_id = p.id) AS passkeys,
  (SELECT s.role FROM staff s WHERE s.person_id = p.id) AS "staffRole",
  (SELECT count(*)::integer FROM identities i WHERE i.person_id = p.id) AS identities
FROM people p`;

export async function findPerson(
  database: Queryable,
  id: string,
): Promise<StoredPerson | undefined> {
  const text = `${personSelect} WHERE p.id = $1`;
  return (await database.query<StoredPerson>({ text }, [id]))[0];
}

export async function findPersonByEmail(
  database: Queryable,
  email: string,
): Promise<StoredPerson | undefined> {
  const text = `${personSelect} WHERE lower(p.email) = $1`;
  return (await database.query<StoredPerson>({ text }, [emailToFind(email)]))[0];
}

/** All people, oldest first. */
export function findPeople(database: Queryable): Promise<StoredPerson[]> {
  return database.query<StoredPerson>({ text: `${personSelect} ORDER BY p.id` });
}

/** Sets the hash of a password and, if given, the secret of one-time codes. */
export async function setPasswordHash(
  transaction: Queryable,
  personId: string,
  passwordHash: string,
  codes: { totpBox: Buffer; step: number } | undefined,
): Promise<void> {
  const text = `
UPDATE people SET password_hash = $2, totp_box = coalesce($3, totp_box),
  totp_last_step = coalesce($4, totp_last_step)
WHERE id = $1`;
  const values = [personId, passwordHash, codes?.totpBox ?? null, codes?.step ?? null];
  await transaction.query({ text }, values);
}

/** Replaces all recovery codes of a person. */
export async function replaceRecoveryCodes(
  transaction: Queryable,
  personId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  const remove = 'DELETE FROM recovery_codes WHERE person_id = $1';
  await transaction.query({ text: remove }, [personId]);
  const text = 'INSERT INTO recovery_codes (person_id, code_hash) SELECT $1, unnest($2::bytea[])';
  await transaction.query({ text }, [personId, hashes]);
}

/** How many recovery codes of a person are unused. */
export async function countRecoveryCodes(database: Queryable, personId: string): Promise<number> {
  const text = `
SELECT count(*)::integer AS count FROM recovery_codes WHERE person_id = $1 AND used_at IS NULL`;
  return (await database.query<{ count: number }>({ text }, [personId]))[0]!.count;
}

/** Removes all of a person's credentials. */
export async function forgetCredentials(transaction: Queryable, personId: string): Promise<void> {
  const text = `
WITH passkeys_gone AS (DELETE FROM passkeys WHERE person_id = $1),
  codes_gone AS (DELETE FROM recovery_codes WHERE person_id = $1),
  identities_gone AS (DELETE FROM identities WHERE person_id = $1)
UPDATE people SET password_hash = NULL, totp_box = NULL, totp_last_step = NULL, pin_hash = NULL, pin_tries = 0
WHERE id = $1`;
  await transaction.query({ text }, [personId]);
}

/** How the console addresses a person: name and language. */
export async function updateProfile(
  database: Queryable,
  personId: string,
  { name, language }: Pick<Person, 'name' | 'language'>,
): Promise<void> {
  const text = 'UPDATE people SET name = $2, language = $3 WHERE id = $1';
  await database.query({ text }, [personId, name, language]);
}
