import { DomainError } from '../../platform/errors/errors.ts';
import { lockCount } from '../../platform/postgres/advisory-lock.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { timestamp } from '../../platform/postgres/database.ts';
import { looksLike } from '../../platform/text/look-alikes.ts';
import type { MemberRole } from './permissions.ts';
import type { StaffRole } from './staff-permissions.ts';
import { merchantOf, type Post, type RoleIn, roleIdOf, type Team } from './teams.ts';

/** The members of a team. */
export interface Member<In extends MemberRole | StaffRole = MemberRole> {
  personId: string;
  name: string;
  /** Null for people who joined by a QR code. */
  email: string | null;
  role: In;
  /** Of the merchant's custom role. */
  roleId: string | null;
  joinedAtMs: number;
  disabledAtMs: number | null;
  hasPassword: boolean;
  passkeys: number;
  hasPin: boolean;
}

/** The table of a team; rows of staff name no merchant. */
const sourceOf = (team: Team) =>
  'merchantId' in team
    ? {
        table: 'memberships',
        isOfTeam: 'm.merchant_id = $1',
        chief: 'OWNER',
        roleId: 'm.role_id',
      }
    : {
        table: 'staff',
        isOfTeam: '$1::uuid IS NULL',
        chief: 'ADMIN',
        roleId: 'NULL::uuid',
      };

export function findMembers<Of extends Team>(
  database: Queryable,
  team: Of,
): Promise<Member<RoleIn<Of>>[]> {
  const { table, isOfTeam, roleId } = sourceOf(team);
  const text = `
SELECT p.id AS "personId", p.name, p.email, m.role, ${roleId} AS "roleId",
  m.created_at AS "joinedAtMs", p.pin_hash IS NOT NULL AS "hasPin",
  p.disabled_at AS "disabledAtMs", p.password_hash IS NOT NULL AS "hasPassword",
  (SELECT count(*)::integer FROM passkeys k WHERE k.person_id = p.id) AS passkeys
FROM ${table} m JOIN people p ON p.id = m.person_id
WHERE ${isOfTeam} ORDER BY m.created_at, p.id`;
  return database.query<Member<RoleIn<Of>>>({ text }, [merchantOf(team)]);
}

/** False if they are a member already. */
export async function insertMember(
  transaction: Queryable,
  member: Post & { personId: string },
  nowMs: number,
): Promise<boolean> {
  const { personId, role } = member;
  const [into, more] =
    'merchantId' in member
      ? [
          'memberships (person_id, role, created_at, merchant_id, role_id) VALUES ($1, $2, $3, $4, $5)',
          [member.merchantId, roleIdOf(member)],
        ]
      : ['staff (person_id, role, created_at) VALUES ($1, $2, $3)', []];
  const text = `INSERT INTO ${into} ON CONFLICT DO NOTHING RETURNING role`;
  const values = [personId, role, timestamp(nowMs), ...more];
  return (await transaction.query({ text }, values)).length > 0;
}

/*
 * All members of the team are locked in order of their ids, and then read: if two owners remove each other at once,
 * the second finds no other owner left.
 */
const lockedTarget = ({ table, isOfTeam, chief, roleId }: ReturnType<typeof sourceOf>) => `
WITH team AS MATERIALIZED (
  SELECT m.person_id, m.role, ${roleId} AS role_id FROM ${table} m
  WHERE ${isOfTeam} ORDER BY m.person_id FOR UPDATE
),
target AS (
  SELECT person_id, role, role_id FROM team
  WHERE person_id = $2 AND (role <> '${chief}' OR (
    SELECT count(*) FROM team other JOIN people p ON p.id = other.person_id AND p.disabled_at IS NULL
    WHERE other.role = '${chief}' AND other.person_id <> $2
  ) > 0)
)`;

/** The role that the member had; undefined if there is no such member, or no other owner. */
export async function deleteMember(
  transaction: Queryable,
  member: Team & { personId: string },
): Promise<MemberRole | StaffRole | undefined> {
  const source = sourceOf(member);
  const text = `${lockedTarget(source)}
DELETE FROM ${source.table} m USING target
WHERE ${source.isOfTeam} AND m.person_id = target.person_id RETURNING target.role`;
  return roleIn(await transaction.query({ text }, [merchantOf(member), member.personId]));
}

/** The same for another role, with the merchant's custom role that they had. */
export async function updateRole(
  transaction: Queryable,
  member: Post & { personId: string },
): Promise<{ role: MemberRole | StaffRole; roleId: string | null } | undefined> {
  const source = sourceOf(member);
  const isOfMerchant = 'merchantId' in member;
  const text = `${lockedTarget(source)}
UPDATE ${source.table} m SET role = $3${isOfMerchant ? ', role_id = $4' : ''} FROM target
WHERE ${source.isOfTeam} AND m.person_id = target.person_id
RETURNING target.role, target.role_id AS "roleId"`;
  const values = [merchantOf(member), member.personId, member.role];
  const all = isOfMerchant ? [...values, roleIdOf(member)] : values;
  const rows = await transaction.query<{ role: MemberRole; roleId: string | null }>({ text }, all);
  return rows[0];
}

export async function findRole(
  database: Queryable,
  member: Team & { personId: string },
): Promise<MemberRole | StaffRole | undefined> {
  const { table, isOfTeam } = sourceOf(member);
  const text = `SELECT m.role FROM ${table} m WHERE ${isOfTeam} AND m.person_id = $2`;
  return roleIn(await database.query({ text }, [merchantOf(member), member.personId]));
}

const roleIn = (rows: { role?: MemberRole | StaffRole }[]) => rows[0]?.role;

export interface Belonging {
  personId: string;
  merchantId: string;
  role: MemberRole;
  /** The name of the merchant's custom role. */
  roleName: string | null;
}

/** All people, or one. */
export function findBelongings(database: Queryable, personId?: string): Promise<Belonging[]> {
  const text = `
SELECT m.person_id AS "personId", m.merchant_id AS "merchantId", m.role, own.name AS "roleName"
FROM memberships m LEFT JOIN merchant_roles own ON own.merchant_id = m.merchant_id AND own.id = m.role_id
WHERE $1::uuid IS NULL OR m.person_id = $1 ORDER BY m.merchant_id`;
  return database.query<Belonging>({ text }, [personId ?? null]);
}

/** Removes a person with all their data. False if they did not exist. */
export async function deletePerson(transaction: Queryable, personId: string): Promise<boolean> {
  const text = `
WITH person AS (DELETE FROM people WHERE id = $1 RETURNING id, email),
  a AS (DELETE FROM passkeys WHERE person_id = $1),
  b AS (DELETE FROM recovery_codes WHERE person_id = $1),
  c AS (DELETE FROM memberships WHERE person_id = $1),
  s AS (DELETE FROM staff WHERE person_id = $1),
  d AS (DELETE FROM person_sessions WHERE person_id = $1),
  e AS (DELETE FROM identities WHERE person_id = $1),
  n AS (DELETE FROM notice_recipients WHERE person_id = $1),
  o AS (DELETE FROM notice_mails WHERE person_id = $1),
  q AS (DELETE FROM notice_settings WHERE person_id = $1),
  t AS (DELETE FROM till_devices WHERE enrolled_by = $1),
  f AS (DELETE FROM invitations i USING person WHERE lower(i.email) = lower(person.email) OR i.person_id = $1),
  g AS (UPDATE approvals SET asked_mailbox = NULL, asked_identity = NULL WHERE asked_by = $1)
SELECT id FROM person`;
  return (await transaction.query({ text }, [personId])).length > 0;
}

/** False if nothing changed. */
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

/** A colleague has this name: the till, the audit log and the sales of the day tell people apart by their names. */
export class NameTaken extends DomainError {
  constructor() {
    super('VALIDATION_ERROR', 'name is that of a colleague');
  }
}

const colleaguesOf = (team: Team) => {
  const { table, isOfTeam } = sourceOf(team);
  return {
    name: `${table}.colleagues_names`,
    text: `
SELECT p.name FROM ${table} m JOIN people p ON p.id = m.person_id
WHERE ${isOfTeam} AND m.person_id <> $2`,
  };
};

/**
 * Reserves a name in these teams until the transaction ends.
 * @throws NameTaken
 */
export async function requireFreeName(
  transaction: Queryable,
  { personId, name }: { personId: string; name: string },
  teams: readonly Team[],
): Promise<void> {
  // In one order, so that two people do not wait for each other.
  const keyed = teams.map((team) => [`names at ${merchantOf(team) ?? 'staff'}`, team] as const);
  for (const [key, team] of keyed.toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    await lockCount(transaction, key);
    const values = [merchantOf(team), personId];
    const colleagues = await transaction.query<{ name: string }>(colleaguesOf(team), values);
    if (colleagues.some((each) => looksLike(each.name, name))) throw new NameTaken();
  }
}
