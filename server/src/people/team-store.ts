import type { Queryable } from '../postgres/database.ts';
import { timestamp } from '../postgres/database.ts';
import type { Role } from './permissions.ts';

/** Who belongs to a merchant. */
export interface Member {
  personId: string;
  name: string;
  email: string;
  role: Role;
  joinedAtMs: number;
  disabledAtMs: number | null;
  hasPassword: boolean;
  passkeys: number;
}

export function findMembers(database: Queryable, merchantId: string): Promise<Member[]> {
  const text = `
SELECT p.id AS "personId", p.name, p.email, m.role, m.created_at AS "joinedAtMs",
  p.disabled_at AS "disabledAtMs", p.password_hash IS NOT NULL AS "hasPassword",
  (SELECT count(*)::integer FROM passkeys k WHERE k.person_id = p.id) AS passkeys
FROM memberships m JOIN people p ON p.id = m.person_id
WHERE m.merchant_id = $1 ORDER BY m.created_at, p.id`;
  return database.query<Member>({ text }, [merchantId]);
}

/** False where they are a member already. */
export async function insertMember(
  transaction: Queryable,
  { merchantId, personId, role }: { merchantId: string; personId: string; role: Role },
  nowMs: number,
): Promise<boolean> {
  const text = `
INSERT INTO memberships (merchant_id, person_id, role, created_at) VALUES ($1, $2, $3, $4)
ON CONFLICT DO NOTHING RETURNING role`;
  const values = [merchantId, personId, role, timestamp(nowMs)];
  return (await transaction.query({ text }, values)).length > 0;
}

/*
 * All members of the merchant are locked, in the order of their ids, and read as they are then: of two owners
 * who remove each other at once, the second finds that there is no other owner left.
 */
const team = `
WITH team AS MATERIALIZED (
  SELECT m.person_id, m.role FROM memberships m
  WHERE m.merchant_id = $1 ORDER BY m.person_id FOR UPDATE
),
target AS (
  SELECT person_id, role FROM team
  WHERE person_id = $2 AND (role <> 'OWNER' OR (
    SELECT count(*) FROM team other JOIN people p ON p.id = other.person_id AND p.disabled_at IS NULL
    WHERE other.role = 'OWNER' AND other.person_id <> $2
  ) > 0)
)`;

/** The role that the member had; undefined where there is none such, or no other owner. */
export async function deleteMember(
  transaction: Queryable,
  { merchantId, personId }: { merchantId: string; personId: string },
): Promise<Role | undefined> {
  const text = `${team}
DELETE FROM memberships m USING target
WHERE m.merchant_id = $1 AND m.person_id = target.person_id RETURNING target.role`;
  return (await transaction.query<{ role: Role }>({ text }, [merchantId, personId]))[0]?.role;
}

/** The same for another role. */
export async function updateRole(
  transaction: Queryable,
  { merchantId, personId, role }: { merchantId: string; personId: string; role: Role },
): Promise<Role | undefined> {
  const text = `${team}
UPDATE memberships m SET role = $3 FROM target
WHERE m.merchant_id = $1 AND m.person_id = target.person_id RETURNING target.role`;
  const values = [merchantId, personId, role];
  return (await transaction.query<{ role: Role }>({ text }, values))[0]?.role;
}

export async function findRole(
  database: Queryable,
  merchantId: string,
  personId: string,
): Promise<Role | undefined> {
  const text = 'SELECT role FROM memberships WHERE merchant_id = $1 AND person_id = $2';
  return (await database.query<{ role: Role }>({ text }, [merchantId, personId]))[0]?.role;
}

export interface Belonging {
  personId: string;
  merchantId: string;
  role: Role;
}

/** Of all people, or of one. */
export function findBelongings(database: Queryable, personId?: string): Promise<Belonging[]> {
  const text = `
SELECT person_id AS "personId", merchant_id AS "merchantId", role FROM memberships
WHERE $1::uuid IS NULL OR person_id = $1 ORDER BY merchant_id`;
  return database.query<Belonging>({ text }, [personId ?? null]);
}

/** Removes a person and everything that is stored of them. False where they were gone. */
export async function deletePerson(transaction: Queryable, personId: string): Promise<boolean> {
  const text = `
WITH person AS (DELETE FROM people WHERE id = $1 RETURNING id, email),
  a AS (DELETE FROM passkeys WHERE person_id = $1),
  b AS (DELETE FROM recovery_codes WHERE person_id = $1),
  c AS (DELETE FROM memberships WHERE person_id = $1),
  d AS (DELETE FROM person_sessions WHERE person_id = $1),
  e AS (DELETE FROM identities WHERE person_id = $1),
  f AS (DELETE FROM invitations i USING person WHERE lower(i.email) = lower(person.email))
SELECT id FROM person`;
  return (await transaction.query({ text }, [personId])).length > 0;
}

/** False where it was so before. */
export async function setDisabled(
  transaction: Queryable,
  personId: string,
  atMs: number | null,
): Promise<boolean> {
  const text = `
UPDATE people SET disabled_at = $2
WHERE id = $1 AND (disabled_at IS NULL) <> ($2::timestamptz IS NULL) RETURNING id`;
  return (await transaction.query({ text }, [personId, timestamp(atMs)])).length > 0;
}
