import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import { DomainError, invalidState, notFound } from '../../platform/errors/errors.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import { findPerson } from './account-store.ts';
import { findOpenInvitations, revokeOfAuthor } from './invitation-store.ts';
import {
  deleteMember,
  deletePerson,
  findBelongings,
  findMembers,
  findRole,
  type Member,
  setDisabled,
  updateRole,
} from './member-store.ts';
import { requireMerchantRole } from './merchant-roles.ts';
import { recordRevoked, retireCredential } from './retire-credential.ts';
import { markEnded } from './session-store.ts';
import {
  isChief,
  mayInvite,
  type Post,
  type RoleIn,
  roleIdOf,
  staffTeam,
  type Team,
  teamDetail,
} from './teams.ts';
import { revokeTillsOf } from './till-devices.ts';

export type { Member } from './member-store.ts';

type Dependencies = Administration & { database: Database };

/** The members of a team, in the order of joining. */
export function listMembers<Of extends Team>(
  { database }: Pick<Dependencies, 'database'>,
  team: Of,
): Promise<Member<RoleIn<Of>>[]> {
  return findMembers(database, team);
}

/** Whether a team has more than one member, or has invited somebody. */
export async function hasColleagues(
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  team: Team,
): Promise<boolean> {
  if ((await findMembers(database, team)).length > 1) return true;
  return (await findOpenInvitations(database, team, clock.nowMs())).length > 0;
}

/**
 * Changes a member's role and signs them out, since their sessions began in the old role. Members who may no longer
 * invite lose their open invitations.
 * @param keeping the session of somebody who changes their own role
 * @throws NOT_FOUND no such member, or no such role
 * @throws INVALID_STATE the last owner stays owner, the last administrator stays administrator, and people without
 * e-mail stay cashiers
 */
export function changeRole(
  dependencies: Dependencies,
  member: Post & { personId: string },
  keeping?: string,
): Promise<void> {
  return dependencies.database.transaction(async (transaction) => {
    const named = await requireMerchantRole(transaction, member);
    await requireEmail(transaction, member);
    const before = await updateRole(transaction, member);
    if (before === undefined) throw await refusalFor(transaction, member);
    if (before.role === member.role && before.roleId === roleIdOf(member)) return;
    const was = { ...member, ...before } as Post;
    await signOut(transaction, dependencies, member, keeping);
    if (mayInvite(was) && !isChief(member.role))
      await revokeTheirs(transaction, dependencies, member);
    await writeAuditRecord(transaction, dependencies, {
      ...about(member.personId),
      action: 'person.role_changed',
      before: { role: before.role },
      after: { role: member.role, ...named },
      detail: teamDetail(member),
    });
  });
}

/**
 * Removes a member from a team with their invitations, and signs them out everywhere.
 * @param keeping the session of somebody who removes themselves
 * @throws NOT_FOUND no such member
 * @throws INVALID_STATE the last owner or administrator stays
 */
export function removeMember(
  dependencies: Dependencies,
  member: Team & { personId: string },
  keeping?: string,
): Promise<void> {
  return dependencies.database.transaction(async (transaction) => {
    const role = await takeOut(transaction, dependencies, member, keeping);
    await writeAuditRecord(transaction, dependencies, {
      ...about(member.personId),
      action: 'person.removed',
      before: { role },
      detail: teamDetail(member),
    });
  });
}

async function takeOut(
  transaction: Queryable,
  dependencies: Dependencies,
  member: Team & { personId: string },
  keeping?: string,
) {
  const role = await deleteMember(transaction, member);
  if (role === undefined) throw await refusalFor(transaction, member);
  // First, so that no session makes more afterwards.
  await signOut(transaction, dependencies, member, keeping);
  await revokeTheirs(transaction, dependencies, member);
  if ('merchantId' in member) await revokeTillsOf(transaction, dependencies, member);
  return role;
}

const signOut = (
  transaction: Queryable,
  { clock }: Dependencies,
  { personId }: { personId: string },
  but?: string,
) => markEnded(transaction, { personId, ...(but !== undefined && { but }) }, clock.nowMs());

async function revokeTheirs(
  transaction: Queryable,
  dependencies: Dependencies,
  member: Team & { personId: string },
): Promise<void> {
  const revoked = await revokeOfAuthor(transaction, member, dependencies.clock.nowMs());
  await recordRevoked(transaction, dependencies, revoked);
}

/** Whoever joined by a QR code proved nothing but to be there: they stay cashiers. */
async function requireEmail(
  transaction: Queryable,
  { personId, role }: Post & { personId: string },
): Promise<void> {
  if (role === 'CASHIER') return;
  const person = await findPerson(transaction, personId);
  if (person?.email === null) throw new StaysCashier();
}

/** People without e-mail get no other role. */
export class StaysCashier extends DomainError {
  constructor() {
    super('INVALID_STATE', 'People without e-mail are cashiers: invite them by e-mail instead.');
  }
}

async function refusalFor(transaction: Queryable, member: Team & { personId: string }) {
  if ((await findRole(transaction, member)) === undefined) return notFound('member');
  return 'merchantId' in member
    ? invalidState('A merchant must keep its last owner: make someone else owner first.')
    : invalidState(
        'The staff must keep their last administrator: make someone else administrator first.',
      );
}

const about = (personId: string) => ({ tenantId: null, subject: formatId('pe', personId) });

/**
 * Removes a person from all teams, with all their data; for the gateway's operator.
 * @throws NOT_FOUND
 * @throws INVALID_STATE they are the last owner of a merchant, or the last administrator
 */
export function removePerson(dependencies: Dependencies, personId: string): Promise<void> {
  return dependencies.database.transaction(async (transaction) => {
    for (const { merchantId } of await findBelongings(transaction, personId)) {
      await takeOut(transaction, dependencies, { merchantId, personId });
    }
    const inStaff = { ...staffTeam, personId };
    if ((await findRole(transaction, inStaff)) !== undefined) {
      await takeOut(transaction, dependencies, inStaff);
    }
    if (!(await deletePerson(transaction, personId))) throw notFound('person');
    const record = { ...about(personId), action: 'person.removed' } as const;
    await writeAuditRecord(transaction, dependencies, record);
  });
}

/**
 * Locks a person out everywhere at once, or lets them in again. Only their open invitations are removed.
 * @returns false if nothing changed, or there is no such person
 */
export function disablePerson(
  dependencies: Dependencies,
  personId: string,
  disabled: boolean,
): Promise<boolean> {
  return dependencies.database.transaction(async (transaction) => {
    const nowMs = dependencies.clock.nowMs();
    if (!(await setDisabled(transaction, personId, disabled ? nowMs : null))) return false;
    await markEnded(transaction, { personId }, nowMs);
    // An intruder in the account may have invited themselves.
    if (disabled) await retireCredential(transaction, dependencies, personId);
    const record = { ...about(personId), action: 'person.disabled' } as const;
    await writeAuditRecord(transaction, dependencies, { ...record, after: { disabled } });
    return true;
  });
}
