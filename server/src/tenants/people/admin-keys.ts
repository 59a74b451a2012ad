import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import { DomainError, forbidden, notFound } from '../../platform/errors/errors.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import { hashApiKey, newSecret } from '../merchants/api-key.ts';
import { checkTerms, unlimitedTerms } from '../merchants/key-restrictions.ts';
import {
  type AdminKey,
  findAdminKey,
  insertAdminKey,
  markAdminKeyRevoked,
} from './admin-key-store.ts';
import { parseStaffPermissions, type StaffPermission } from './staff-permissions.ts';

type Dependencies = Administration & { database: Database };

export interface AdminKeyOrder {
  /** Its purpose; the audit log shows no more of a key. */
  label: string;
  permissions: readonly string[];
  expiresAtMs?: number | null | undefined;
  allowedAddresses?: readonly string[] | undefined;
  /** The form's key, which determines the id: a form that arrives repeatedly creates one key. */
  id?: string | undefined;
  /** Whether the author has a permission; if omitted, they have all. */
  mayGive?: ((permission: StaffPermission) => boolean) | undefined;
}

/**
 * Creates a key of `/admin/v1`. Only this answer contains it; the database stores its hash.
 * @throws VALIDATION_ERROR for an unknown permission, or an invalid label, expiry or address
 * @throws FORBIDDEN the key would have permissions that its author lacks
 * @throws INVALID_STATE the same form has already created its key
 */
export async function issueAdminKey(
  dependencies: Dependencies,
  order: AdminKeyOrder,
): Promise<{ id: string; key: string }> {
  const { database, clock, ids, actor = 'gateway' } = dependencies;
  const createdAtMs = clock.nowMs();
  const permissions = parseStaffPermissions(order.permissions);
  const beyond = permissions.find((permission) => order.mayGive?.(permission) === false);
  if (beyond !== undefined) throw forbidden(`you cannot grant ${beyond} without having it`);
  const { label, expiresAtMs, allowedAddresses } = checkTerms(
    {
      ...unlimitedTerms,
      label: order.label,
      expiresAtMs: order.expiresAtMs ?? null,
      allowedAddresses: [...(order.allowedAddresses ?? [])],
    },
    createdAtMs,
  );
  const id = order.id ?? ids.next(createdAtMs);
  const key = `ak_admin_${newSecret()}`;
  const last4 = key.slice(-4);
  const terms = { label: label!, permissions, expiresAtMs, allowedAddresses };
  return database.transaction(async (transaction) => {
    const stored = { id, last4, createdAtMs, createdBy: actor, ...terms };
    const isNew = await insertAdminKey(transaction, { ...stored, hash: hashApiKey(key) });
    if (!isNew) throw new DomainError('INVALID_STATE', 'This form has already created its key.');
    await writeAuditRecord(transaction, dependencies, {
      tenantId: null,
      action: 'admin_key.issued',
      subject: formatId('ak', id),
      after: { last4, ...adminTermsView(terms) },
    });
    return { id, key };
  });
}

/**
 * Revokes a key; every process refuses it within 5 seconds. A repeated call changes nothing.
 * @returns the key as it is now
 * @throws NOT_FOUND
 */
export function revokeAdminKey(dependencies: Dependencies, id: string): Promise<AdminKey> {
  return dependencies.database.transaction(async (transaction) => {
    const nowMs = dependencies.clock.nowMs();
    const isChanged = await markAdminKeyRevoked(transaction, id, nowMs);
    const key = await findAdminKey(transaction, id);
    if (!key) throw notFound('admin key');
    if (isChanged) {
      await writeAuditRecord(transaction, dependencies, {
        tenantId: null,
        action: 'admin_key.revoked',
        subject: formatId('ak', id),
        before: { revokedAt: null },
        after: { revokedAt: new Date(nowMs).toISOString() },
        detail: { last4: key.last4, label: key.label },
      });
    }
    return key;
  });
}

/** For audit records and programs. */
export function adminTermsView(
  terms: Pick<AdminKey, 'label' | 'permissions' | 'expiresAtMs' | 'allowedAddresses'>,
) {
  const { label, permissions, expiresAtMs, allowedAddresses } = terms;
  const expiresAt = expiresAtMs === null ? null : new Date(expiresAtMs).toISOString();
  return { label, permissions, expiresAt, allowedAddresses };
}

/** A key as the API and the command line show it. */
export function adminKeyView(key: AdminKey) {
  const at = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return {
    id: formatId('ak', key.id),
    last4: key.last4,
    ...adminTermsView(key),
    createdBy: key.createdBy,
    createdAt: new Date(key.createdAtMs).toISOString(),
    revokedAt: at(key.revokedAtMs),
    lastUsedAt: at(key.lastUsedAtMs),
  };
}
