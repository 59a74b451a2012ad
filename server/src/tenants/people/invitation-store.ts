import type { Queryable } from '../../platform/postgres/database.ts';
import { timestamp } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import { merchantNames } from './merchant-names.ts';
import type { MemberRole } from './permissions.ts';
import { mailbox } from './person.ts';
import type { StaffRole } from './staff-permissions.ts';
import { merchantOf, type Post, type Team } from './teams.ts';

export type InvitationKind = 'INVITATION' | 'RESET' | 'FIRST';

export interface StoredInvitation {
  id: string;
  kind: InvitationKind;
  /** Null unless it invites to a merchant. */
  merchantId: string | null;
  role: MemberRole | null;
  /** Of the merchant's custom role. */
  roleId: string | null;
  /** Null unless it invites to the staff. */
  staffRole: StaffRole | null;
  /** Null: the link is in a QR code, for somebody without e-mail. */
  email: string | null;
  /** The member without e-mail who chooses a new PIN. */
  personId: string | null;
  invitedBy: string;
  createdAtMs: number;
  expiresAtMs: number;
}

export async function insertInvitation(
  transaction: Queryable,
  invitation: StoredInvitation & { tokenHash: Buffer },
): Promise<void> {
  const text = `
INSERT INTO invitations (id, token_hash, kind, merchant_id, role, staff_role, email, invited_by, created_at,
  expires_at, role_id, person_id)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`;
  const { id, tokenHash, kind, merchantId, role, staffRole, email, invitedBy } = invitation;
  const instants = [timestamp(invitation.createdAtMs), timestamp(invitation.expiresAtMs)];
  const values = [id, tokenHash, kind, merchantId, role, staffRole, email, invitedBy, ...instants];
  const { roleId, personId } = invitation;
  await transaction.query({ text }, [...values, roleId, personId]);
}

const columns = `
i.id, i.kind, i.merchant_id AS "merchantId", i.role, i.role_id AS "roleId", i.person_id AS "personId",
i.staff_role AS "staffRole", i.email, i.invited_by AS "invitedBy",
i.created_at AS "createdAtMs", i.expires_at AS "expiresAtMs"`;

/** The team and the role of an invitation. @throws Error for a link without a team, which is a bug */
export function postOf({ merchantId, role, roleId, staffRole }: StoredInvitation): Post {
  if (merchantId !== null && role !== null) {
    return { merchantId, role, ...(roleId !== null && { roleId }) };
  }
  if (staffRole !== null) return { team: 'STAFF', role: staffRole };
  throw new Error('the link leads into no team');
}

/** The invitations of a team. */
const isOf = (team: Team) =>
  'merchantId' in team ? 'i.merchant_id = $1' : '$1::uuid IS NULL AND i.staff_role IS NOT NULL';

/** Invitations that are still valid. */
const isOpen = (now: string) =>
  `i.used_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > ${now}`;

/** The content of the page behind a link. */
export type OpenInvitation = StoredInvitation & {
  merchantName: string | null;
  /** Of the merchant's custom role. */
  roleName: string | null;
};

export async function findOpenInvitation(
  database: Queryable,
  tokenHash: Buffer,
  nowMs: number,
): Promise<OpenInvitation | undefined> {
  const text = `
SELECT ${columns}, t.name AS "merchantName", own.name AS "roleName"
FROM invitations i LEFT JOIN ${merchantNames} ON t.id = i.merchant_id
  LEFT JOIN merchant_roles own ON own.merchant_id = i.merchant_id AND own.id = i.role_id
WHERE i.token_hash = $1 AND ${isOpen('$2')}`;
  return (await database.query<OpenInvitation>({ text }, [tokenHash, timestamp(nowMs)]))[0];
}

/** Uses the link up. Undefined if it was used or revoked, or has expired. */
export async function takeInvitation(
  transaction: Queryable,
  tokenHash: Buffer,
  kind: InvitationKind,
  nowMs: number,
): Promise<StoredInvitation | undefined> {
  const text = `
UPDATE invitations i SET used_at = $3
WHERE i.token_hash = $1 AND i.kind = $2 AND ${isOpen('$3')} RETURNING ${columns}`;
  const values = [tokenHash, kind, timestamp(nowMs)];
  return (await transaction.query<StoredInvitation>({ text }, values))[0];
}

/** The valid invitations of a team, oldest first. */
export function findOpenInvitations(
  database: Queryable,
  team: Team,
  nowMs: number,
): Promise<StoredInvitation[]> {
  const text = `
SELECT ${columns} FROM invitations i
WHERE ${isOf(team)} AND i.kind = 'INVITATION' AND ${isOpen('$2')} ORDER BY i.id`;
  return database.query<StoredInvitation>({ text }, [merchantOf(team), timestamp(nowMs)]);
}

/**
 * How many invitations were created since an instant, including revoked ones: by a team, and to an address by the
 * team or by the same author for another team.
 */
export async function countInvitations(
  transaction: Queryable,
  order: Team & { email: string; actor: string },
  sinceMs: number,
): Promise<{ toAddress: number; ofTeam: number }> {
  const text = `
SELECT count(*) FILTER (WHERE ${mailbox('i.email')} = ${mailbox('$2')})::integer AS "toAddress",
  count(*) FILTER (WHERE ${isOf(order)})::integer AS "ofTeam"
FROM invitations i
WHERE i.kind = 'INVITATION' AND i.created_at > $4 
  AND (${isOf(order)} OR (${mailbox('i.email')} = ${mailbox('$2')} AND i.invited_by = $3))`;
  const values = [merchantOf(order), order.email, order.actor, timestamp(sinceMs)];
  const [made] = await transaction.query<{ toAddress: number; ofTeam: number }>({ text }, values);
  return made!;
}

/** False if it is not this team's, or no longer valid. */
export async function revokeOne(
  transaction: Queryable,
  invitation: Team & { id: string },
  nowMs: number,
): Promise<boolean> {
  const text = `
UPDATE invitations i SET revoked_at = $3
WHERE ${isOf(invitation)} AND i.id = $2 AND ${isOpen('$3')} RETURNING i.id`;
  const values = [merchantOf(invitation), invitation.id, timestamp(nowMs)];
  return (await transaction.query({ text }, values)).length > 0;
}

/**
 * Revokes the invitations of an author who may no longer invite. Staff invite to merchants, too; invitations to
 * merchants that the author owns stay.
 */
export async function revokeOfAuthor(
  transaction: Queryable,
  member: Team & { personId: string },
  nowMs: number,
): Promise<StoredInvitation[]> {
  const { personId } = member;
  const isTheirs = `i.invited_by = $2 AND ${isOpen('$3')}`;
  const isFromStaff = `$1::uuid IS NULL AND (i.merchant_id IS NULL OR NOT EXISTS (
    SELECT FROM memberships m WHERE m.merchant_id = i.merchant_id AND m.person_id = $4 AND m.role = 'OWNER'
  ))`;
  const isInTeam =
    'merchantId' in member ? `${isOf(member)} AND $4::uuid IS NOT NULL` : isFromStaff;
  const text = `
UPDATE invitations i SET revoked_at = $3 WHERE ${isTheirs} AND ${isInTeam} RETURNING ${columns}`;
  const values = [merchantOf(member), nameOf(personId), timestamp(nowMs), personId];
  return transaction.query<StoredInvitation>({ text }, values);
}

/** Revokes all invitations of an author, to any team. */
export function revokeAllOfAuthor(
  transaction: Queryable,
  personId: string,
  nowMs: number,
): Promise<StoredInvitation[]> {
  const text = `
UPDATE invitations i SET revoked_at = $2 WHERE i.invited_by = $1 AND ${isOpen('$2')} RETURNING ${columns}`;
  return transaction.query<StoredInvitation>({ text }, [nameOf(personId), timestamp(nowMs)]);
}

/** The value of `invited_by` for a person. */
const nameOf = (personId: string) => `person:${formatId('pe', personId)}`;

/** Revokes the earlier link of this e-mail, or of this member without e-mail, and kind, which a new one replaces. */
export async function revokeEarlier(
  transaction: Queryable,
  {
    kind,
    email,
    personId,
    merchantId,
  }: Pick<StoredInvitation, 'kind' | 'email' | 'personId' | 'merchantId'>,
  nowMs: number,
): Promise<StoredInvitation[]> {
  const text = `
UPDATE invitations i SET revoked_at = $4
WHERE i.kind = $1 AND (i.email = $2 OR i.person_id = $5) AND i.merchant_id IS NOT DISTINCT FROM $3 AND ${isOpen('$4')}
RETURNING ${columns}`;
  const values = [kind, email, merchantId, timestamp(nowMs), personId];
  return transaction.query<StoredInvitation>({ text }, values);
}

/** Removes some that expired before this instant. @returns how many */
export async function removeOldInvitations(
  database: Queryable,
  beforeMs: number,
  limit: number,
): Promise<number> {
  const text = `
DELETE FROM invitations WHERE id IN (SELECT id FROM invitations WHERE expires_at <= $1 LIMIT $2)
RETURNING id`;
  return (await database.query({ text }, [timestamp(beforeMs), limit])).length;
}
