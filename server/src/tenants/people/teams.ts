import { formatId } from '../../platform/values/ids.ts';
import { can, type Role } from './permissions.ts';
import { type StaffRole, staffCan } from './staff-permissions.ts';

/** Those who work together: the members of a merchant, or the staff of the gateway. */
export type Team = { merchantId: string } | { team: 'STAFF' };

export const staffTeam = { team: 'STAFF' } as const;

/** As what somebody works in a team. */
export type Post = { merchantId: string; role: Role } | { team: 'STAFF'; role: StaffRole };

export type RoleIn<Of extends Team> = Of extends { merchantId: string } ? Role : StaffRole;

/** The merchant of a team; null for the staff, who belong to none. */
export const merchantOf = (team: Team): string | null =>
  'merchantId' in team ? team.merchantId : null;

/** Which team a record of the audit log is about. */
export const teamDetail = (team: Team): Record<string, string> =>
  'merchantId' in team ? { merchant: formatId('me', team.merchantId) } : { team: 'STAFF' };

/** Whether whoever works as this lets others in: to the team, or as staff to a merchant. */
export const mayInvite = (post: Post): boolean =>
  'merchantId' in post
    ? can(post.role, 'people.write')
    : staffCan(post.role, 'staff.write') || staffCan(post.role, 'merchants.write');

/** Whoever answers for the team: at least one of them stays. */
export const isChief = (role: Role | StaffRole): boolean => role === 'OWNER' || role === 'ADMIN';
