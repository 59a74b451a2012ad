import { DomainError } from '../../../platform/errors/errors.ts';
import { type Queryable, timestamp } from '../../../platform/postgres/database.ts';

/** A person's identity at the provider. */
export interface Identity {
  issuer: string;
  subject: string;
}

/** The identity belongs to another account. */
export class IdentityTaken extends DomainError {
  constructor() {
    super('INVALID_STATE', 'The identity belongs to another account: sign in with it.');
  }
}

export interface ListedIdentity extends Identity {
  createdAtMs: number;
  lastUsedAtMs: number | null;
}

/** Records the use of an identity. @returns its person; undefined if it belongs to nobody */
export async function noteIdentityUse(
  transaction: Queryable,
  { issuer, subject }: Identity,
  nowMs: number,
): Promise<string | undefined> {
  const text = `
UPDATE identities SET last_used_at = $3 WHERE issuer = $1 AND subject = $2
RETURNING person_id AS "personId"`;
  const values = [issuer, subject, timestamp(nowMs)];
  return (await transaction.query<{ personId: string }>({ text }, values))[0]?.personId;
}

/** False if the identity already belongs to an account. */
export async function insertIdentity(
  transaction: Queryable,
  { issuer, subject }: Identity,
  personId: string,
  nowMs: number,
): Promise<boolean> {
  const text = `
INSERT INTO identities (issuer, subject, person_id, created_at, last_used_at) VALUES ($1, $2, $3, $4, $4)
ON CONFLICT DO NOTHING RETURNING subject`;
  const values = [issuer, subject, personId, timestamp(nowMs)];
  return (await transaction.query({ text }, values)).length > 0;
}

export function findIdentities(database: Queryable, personId: string): Promise<ListedIdentity[]> {
  const text = `
SELECT issuer, subject, created_at AS "createdAtMs", last_used_at AS "lastUsedAtMs"
FROM identities WHERE person_id = $1 ORDER BY created_at, issuer, subject`;
  return database.query<ListedIdentity>({ text }, [personId]);
}

/**
 * Removes an identity from its person, and ends the sessions that it opened, including one that began meanwhile.
 * False if it is not theirs, or is their only way to sign in.
 */
export async function deleteIdentity(
  transaction: Queryable,
  personId: string,
  { issuer, subject }: Identity,
  nowMs: number,
): Promise<boolean> {
  const text = `
DELETE FROM identities i USING people p
WHERE p.id = $1 AND i.person_id = p.id AND i.issuer = $2 AND i.subject = $3
  AND (p.password_hash IS NOT NULL OR EXISTS (SELECT FROM passkeys k WHERE k.person_id = p.id))
RETURNING i.person_id`;
  const values = [personId, issuer, subject];
  if ((await transaction.query({ text }, values)).length === 0) return false;
  // Only a second statement sees the session of a sign-in that the first had to wait for.
  const end = `
UPDATE person_sessions SET ended_at = $4, sso_box = NULL
WHERE person_id = $1 AND sso_issuer = $2 AND sso_subject = $3 AND ended_at IS NULL`;
  await transaction.query({ text: end }, [...values, timestamp(nowMs)]);
  return true;
}
