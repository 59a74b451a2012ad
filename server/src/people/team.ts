import { type Administration, writeAuditRecord } from '../audit/record.ts';
import { invalidState, notFound } from '../errors.ts';
import { formatId } from '../ids.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import { revokeOfAuthor } from './invitation-store.ts';
import type { Role } from './permissions.ts';
import { markEnded } from './session-store.ts';
import {
  deleteMember,
  deletePerson,
  findBelongings,
  findMembers,
  findRole,
  type Member,
  setDisabled,
  updateRole,
} from './team-store.ts';

export type { Member } from './team-store.ts';

type Dependencies = Administration & { database: Database };

/** Who belongs to a merchant, in the order in which they came. */
export function listMembers(
  { database }: Pick<Dependencies, 'database'>,
  merchantId: string,
): Promise<Member[]> {
  return findMembers(database, merchantId);
}

/**
 * Gives a member another role.
 * @throws NOT_FOUND no such member
 * @throws INVALID_STATE the last owner stays owner
 */
export function changeRole(
  dependencies: Dependencies,
  member: { merchantId: string; personId: string; role: Role },
): Promise<void> {
  return dependencies.database.transaction(async (transaction) => {
    const before = await updateRole(transaction, member);
    if (before === undefined) throw await refusalFor(transaction, member);
    if (before === member.role) return;
    await writeAuditRecord(transaction, dependencies, {
      ...about(member.personId),
      action: 'person.role_changed',
      before: { role: before },
      after: { role: member.role },
      detail: { merchant: formatId('me', member.merchantId) },
    });
  });
}

/**
 * Removes a member from a merchant, with the invitations that they made: they are out with their next click.
 * @throws NOT_FOUND no such member
 * @throws INVALID_STATE the last owner stays
 */
export function removeMember(
  dependencies: Dependencies,
  member: { merchantId: string; personId: string },
): Promise<void> {
  return dependencies.database.transaction(async (transaction) => {
    const { clock } = dependencies;
    const { merchantId, personId } = member;
    const role = await deleteMember(transaction, member);
    if (role === undefined) throw await refusalFor(transaction, member);
    const author = `person:${formatId('pe', personId)}`;
    await revokeOfAuthor(transaction, { merchantId, author, nowMs: clock.nowMs() });
    await writeAuditRecord(transaction, dependencies, {
      ...about(personId),
      action: 'person.removed',
      before: { role },
      detail: { merchant: formatId('me', merchantId) },
    });
  });
}

async function refusalFor(
  transaction: Queryable,
  { merchantId, personId }: { merchantId: string; personId: string },
) {
  const role = await findRole(transaction, merchantId, personId);
  return role === undefined
    ? notFound('member')
    : invalidState('A merchant keeps its last owner: make somebody else owner first.');
}

const about = (personId: string) => ({ tenantId: null, subject: formatId('pe', personId) });

/**
 * Removes a person from all merchants, and everything that is stored of them; for whoever runs the gateway.
 * @throws NOT_FOUND
 * @throws INVALID_STATE they are the last owner of a merchant
 */
export function removePerson(dependencies: Dependencies, personId: string): Promise<void> {
  return dependencies.database.transaction(async (transaction) => {
    const author = `person:${formatId('pe', personId)}`;
    const nowMs = dependencies.clock.nowMs();
    for (const { merchantId } of await findBelongings(transaction, personId)) {
      const role = await deleteMember(transaction, { merchantId, personId });
      if (role === undefined) throw await refusalFor(transaction, { merchantId, personId });
      await revokeOfAuthor(transaction, { merchantId, author, nowMs });
    }
    if (!(await deletePerson(transaction, personId))) throw notFound('person');
    const record = { ...about(personId), action: 'person.removed' } as const;
    await writeAuditRecord(transaction, dependencies, record);
  });
}

/**
 * Locks a person out at once, everywhere, or lets them in again; nothing of them is removed.
 * @returns false where it was so before, or there is no such person
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
    const record = { ...about(personId), action: 'person.disabled' } as const;
    await writeAuditRecord(transaction, dependencies, { ...record, after: { disabled } });
    return true;
  });
}
