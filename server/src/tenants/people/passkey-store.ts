import type { Queryable } from '../../platform/postgres/database.ts';
import { timestamp } from '../../platform/postgres/database.ts';

/** A passkey as its person sees it in a list. */
export interface ListedPasskey {
  id: string;
  label: string;
  createdAtMs: number;
  lastUsedAtMs: number | null;
}

export interface StoredPasskey {
  id: string;
  personId: string;
  credentialId: Buffer;
  publicKey: Buffer;
  counter: bigint;
  transports: string[];
}

/** False if it is registered already. */
export async function insertPasskey(
  transaction: Queryable,
  passkey: StoredPasskey & { label: string },
  nowMs: number,
): Promise<boolean> {
  const text = `
INSERT INTO passkeys (id, person_id, credential_id, public_key, counter, transports, label, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING id`;
  const { id, personId, credentialId, publicKey, counter, transports, label } = passkey;
  const values = [
    id,
    personId,
    credentialId,
    publicKey,
    counter.toString(),
    transports,
    label,
    timestamp(nowMs),
  ];
  return (await transaction.query({ text }, values)).length > 0;
}

/** By the id from the browser, unless its person is disabled. */
export async function findPasskey(
  database: Queryable,
  credentialId: Buffer,
): Promise<(StoredPasskey & { email: string | null }) | undefined> {
  const text = `
SELECT k.id, k.person_id AS "personId", p.email, k.credential_id AS "credentialId", k.public_key AS "publicKey",
  k.counter, k.transports
FROM passkeys k JOIN people p ON p.id = k.person_id AND p.disabled_at IS NULL
WHERE k.credential_id = $1`;
  return (
    await database.query<StoredPasskey & { email: string | null }>({ text }, [credentialId])
  )[0];
}

export function findPasskeys(
  database: Queryable,
  personId: string,
): Promise<(ListedPasskey & Pick<StoredPasskey, 'credentialId' | 'transports'>)[]> {
  const text = `
SELECT id, label, created_at AS "createdAtMs", last_used_at AS "lastUsedAtMs",
  credential_id AS "credentialId", transports
FROM passkeys WHERE person_id = $1 ORDER BY id`;
  return database.query({ text }, [personId]);
}

/** Records the use of a passkey. False if it was removed, or its counter has advanced meanwhile: it may be a copy. */
export async function notePasskeyUse(
  transaction: Queryable,
  { id, counter }: Pick<StoredPasskey, 'id' | 'counter'>,
  next: number,
  nowMs: number,
): Promise<boolean> {
  const text = `
UPDATE passkeys SET counter = $3, last_used_at = $4 WHERE id = $1 AND counter = $2 RETURNING id`;
  const values = [id, counter.toString(), next, timestamp(nowMs)];
  return (await transaction.query({ text }, values)).length > 0;
}

/**
 * The label of the removed passkey; undefined if it is not theirs, or is their only way to sign in. All passkeys of
 * the person are locked and then read: if two are removed at once, the second finds no other left.
 */
export async function deletePasskey(
  transaction: Queryable,
  personId: string,
  id: string,
): Promise<string | undefined> {
  const text = `
WITH theirs AS MATERIALIZED (
  SELECT id FROM passkeys WHERE person_id = $1 ORDER BY id FOR UPDATE
)
DELETE FROM passkeys k USING people p
WHERE p.id = $1 AND k.person_id = p.id AND k.id = $2
  AND (p.password_hash IS NOT NULL OR (SELECT count(*) FROM theirs) > 1)
RETURNING k.label`;
  return (await transaction.query<{ label: string }>({ text }, [personId, id]))[0]?.label;
}

/** False if it is not theirs, or was removed. */
export async function updateLabel(
  database: Queryable,
  { personId, id }: { personId: string; id: string },
  label: string,
): Promise<boolean> {
  const text = 'UPDATE passkeys SET label = $3 WHERE person_id = $1 AND id = $2 RETURNING id';
  return (await database.query({ text }, [personId, id, label])).length > 0;
}

/** False if the challenge was already answered. */
export async function useChallenge(
  database: Queryable,
  challenge: Buffer,
  expiresAtMs: number,
): Promise<boolean> {
  const text = `
INSERT INTO used_challenges (challenge, expires_at) VALUES ($1, $2)
ON CONFLICT DO NOTHING RETURNING challenge`;
  const values = [challenge, timestamp(expiresAtMs)];
  return (await database.query({ text }, values)).length > 0;
}

/** Removes some that have expired. @returns how many */
export async function removeOldChallenges(
  database: Queryable,
  nowMs: number,
  limit: number,
): Promise<number> {
  const text = `
DELETE FROM used_challenges WHERE challenge IN (
  SELECT challenge FROM used_challenges WHERE expires_at <= $1 LIMIT $2
) RETURNING challenge`;
  return (await database.query({ text }, [timestamp(nowMs), limit])).length;
}
