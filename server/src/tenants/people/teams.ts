import { formatId } from '../../platform/values/ids.ts';
import { can, type MemberRole } from './permissions.ts';
import { type StaffRole, staffCan } from './staff-permissions.ts';

/** A team: the members of a merchant, or the staff of the gateway. */
export type Team = { merchantId: string } | { team: 'STAFF' };

export const staffTeam = { team: 'STAFF' } as const;

/** A person's role in a team. */
export type Post =
  | {
      merchantId: string;
      role: MemberRole;
      /** Of the merchant's custom role; null unless the role is CUSTOM. */
      roleId?: string | null;
    }
  | { team: 'STAFF'; role: StaffRole };

export type RoleIn<Of extends Team> = Of extends { merchantId: string } ? MemberRole : StaffRole;

/** The merchant of a team; null for staff. */
export const merchantOf = (team: Team): string | null =>
  'merchantId' in team ? team.merchantId : null;

/** The team that an audit record is about. */
export const teamDetail = (team: Team): Record<string, string> =>
  'merchantId' in team ? { merchant: formatId('me', team.merchantId) } : { team: 'STAFF' };

/** A merchant's custom role; null for the roles of the tables. */
export const roleIdOf = (post: Post): string | null =>
  'merchantId' in post ? (post.roleId ?? null) : null;

/** Whether this role may invite: to the team, or as staff to a merchant. */
export const mayInvite = (post: Post): boolean =>
  'merchantId' in post
    ? post.role !== 'CUSTOM' && can(post.role, 'people.write')
    : staffCan(post.role, 'staff.write') || staffCan(post.role, 'merchants.write');

/** The role of which each team must keep at least one member. */
export const isChief = (role: MemberRole | StaffRole): boolean =>
  role === 'OWNER' || role === 'ADMIN';
