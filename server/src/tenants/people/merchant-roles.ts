import {
  type Administration,
  type AuditRecord,
  writeAuditRecord,
} from '../../platform/audit/record.ts';
import {
  forbidden,
  invalid,
  invalidState,
  limitReached,
  notFound,
} from '../../platform/errors/errors.ts';
import { lockCount } from '../../platform/postgres/advisory-lock.ts';
import { type Database, type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { looksLike } from '../../platform/text/look-alikes.ts';
import { formatId } from '../../platform/values/ids.ts';
import { grantable, type Permission } from './permissions.ts';
import { parseName } from './person.ts';
import { type Post, roleIdOf, teamDetail } from './teams.ts';

/** A role that a merchant's owners put together. */
export interface MerchantRole {
  id: string;
  name: string;
  permissions: Permission[];
  /** How many members and open invitations have it. */
  uses: number;
}

/** The contents of a role, and which permissions its author holds. */
export interface RoleOrder {
  merchantId: string;
  name: string;
  permissions: readonly string[];
  holds: (permission: Permission) => boolean;
}

type Dependencies = Administration & { database: Database };
type Identified = { merchantId: string; id: string };

const mostRoles = 20;
const longestName = 40;

const openInvitations = `SELECT count(*) FROM invitations i
    WHERE i.merchant_id = r.merchant_id AND i.role_id = r.id AND i.used_at IS NULL AND i.revoked_at IS NULL
      AND i.expires_at > $2`;

/** A merchant's custom roles, by name. */
export function listMerchantRoles(
  { database, clock }: Pick<Dependencies, 'database' | 'clock'>,
  merchantId: string,
): Promise<MerchantRole[]> {
  return rolesOf(database, merchantId, clock.nowMs());
}

function rolesOf(database: Queryable, merchantId: string, nowMs: number): Promise<MerchantRole[]> {
  const text = `
SELECT r.id, r.name, r.permissions, ((SELECT count(*) FROM memberships m
    WHERE m.merchant_id = r.merchant_id AND m.role_id = r.id) + (${openInvitations}))::integer AS uses
FROM merchant_roles r WHERE r.merchant_id = $1 ORDER BY lower(r.name), r.id`;
  return database.query<MerchantRole>({ text }, [merchantId, timestamp(nowMs)]);
}

/**
 * Makes a role of a merchant.
 * @throws VALIDATION_ERROR names the field; FORBIDDEN for a permission that the author does not hold; LIMIT_REACHED
 */
export async function createMerchantRole(
  dependencies: Dependencies,
  order: RoleOrder,
): Promise<string> {
  const { merchantId } = order;
  const { name, permissions } = checked(order);
  const { database, clock, ids } = dependencies;
  return database.transaction(async (transaction) => {
    const nowMs = clock.nowMs();
    await lockRoles(transaction, merchantId);
    const roles = await rolesOf(transaction, merchantId, nowMs);
    if (roles.length >= mostRoles)
      throw limitReached(`A merchant has at most ${mostRoles} roles of its own.`);
    if (roles.some((each) => looksLike(each.name, name))) throw nameTaken();
    const id = ids.next(nowMs);
    const text = `
INSERT INTO merchant_roles (merchant_id, id, name, permissions, created_at) VALUES ($1, $2, $3, $4, $5)
ON CONFLICT DO NOTHING RETURNING id`;
    const values = [merchantId, id, name, permissions, timestamp(nowMs)];
    if ((await transaction.query({ text }, values)).length === 0) throw nameTaken();
    const after = { name, permissions };
    await record(transaction, dependencies, { merchantId, id }, 'role.created', { after });
    return id;
  });
}

/**
 * Changes a role: its members have the new permissions with their next request.
 * @throws VALIDATION_ERROR, FORBIDDEN, NOT_FOUND
 */
export async function changeMerchantRole(
  dependencies: Dependencies,
  order: RoleOrder & Identified,
): Promise<void> {
  const { merchantId, id } = order;
  const { name, permissions } = checked(order);
  await dependencies.database.transaction(async (transaction) => {
    await lockRoles(transaction, merchantId);
    const roles = await rolesOf(transaction, merchantId, dependencies.clock.nowMs());
    const before = roles.find((role) => role.id === id);
    if (!before) throw notFound('role');
    const isTaken = (each: MerchantRole) => each.id !== id && looksLike(each.name, name);
    if (before.name !== name && roles.some(isTaken)) throw nameTaken();
    const text =
      'UPDATE merchant_roles SET name = $3, permissions = $4 WHERE merchant_id = $1 AND id = $2';
    await transaction.query({ text }, [merchantId, id, name, permissions]);
    await record(transaction, dependencies, order, 'role.changed', {
      before: { name: before.name, permissions: before.permissions },
      after: { name, permissions },
    });
  });
}

/**
 * Deletes a role that nobody has.
 * @throws NOT_FOUND
 * @throws INVALID_STATE a member or an open invitation has it
 */
export async function deleteMerchantRole(
  dependencies: Dependencies,
  role: Identified,
): Promise<void> {
  await dependencies.database.transaction(async (transaction) => {
    await lockRoles(transaction, role.merchantId);
    const roles = await rolesOf(transaction, role.merchantId, dependencies.clock.nowMs());
    const found = roles.find(({ id }) => id === role.id);
    if (!found) throw notFound('role');
    if (found.uses > 0) throw invalidState('Members have this role: give them another role first.');
    const text = 'DELETE FROM merchant_roles WHERE merchant_id = $1 AND id = $2';
    await transaction.query({ text }, [role.merchantId, role.id]);
    const before = { name: found.name, permissions: found.permissions };
    await record(transaction, dependencies, role, 'role.deleted', { before });
  });
}

/**
 * Before somebody gets a merchant's custom role: keeps it from being deleted until the transaction ends.
 * @returns its name, for the audit log; nothing for the roles of the table
 * @throws NOT_FOUND there is no such role
 */
export async function requireMerchantRole(
  transaction: Queryable,
  post: Post,
): Promise<{ name?: string }> {
  const id = roleIdOf(post);
  if (!('merchantId' in post) || (post.role !== 'CUSTOM' && id === null)) return {};
  await lockRoles(transaction, post.merchantId);
  const text = 'SELECT name FROM merchant_roles WHERE merchant_id = $1 AND id = $2';
  const [found] = await transaction.query<{ name: string }>({ text }, [post.merchantId, id]);
  if (post.role !== 'CUSTOM' || !found) throw notFound('role');
  return { name: found.name };
}

const lockRoles = (transaction: Queryable, merchantId: string) =>
  lockCount(transaction, `roles of ${merchantId}`);

function checked({ name: given, permissions, holds }: RoleOrder) {
  const name = parseName(given);
  if (name.length > longestName) throw invalid('name', `must have 1 to ${longestName} characters`);
  const chosen = grantable.filter((permission) => permissions.includes(permission));
  if (chosen.length === 0) throw invalid('permissions', 'must name at least one permission');
  const isUnknown = permissions.some((each) => !chosen.some((permission) => permission === each));
  if (isUnknown || !chosen.every(holds)) {
    throw forbidden('A role never has a permission that its author does not hold.');
  }
  return { name, permissions: chosen };
}

const nameTaken = () => invalid('name', 'is the name of another role');

function record(
  transaction: Queryable,
  dependencies: Dependencies,
  { merchantId, id }: Identified,
  action: 'role.created' | 'role.changed' | 'role.deleted',
  change: Pick<AuditRecord, 'before' | 'after'>,
): Promise<void> {
  return writeAuditRecord(transaction, dependencies, {
    tenantId: null,
    action,
    subject: formatId('ro', id),
    ...change,
    detail: teamDetail({ merchantId }),
  });
}
