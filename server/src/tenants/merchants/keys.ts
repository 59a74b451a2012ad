import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import { invalidState, notFound } from '../../platform/errors/errors.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { type FourEyes, noFourEyes, requireNoApproval } from '../../platform/values/four-eyes.ts';
import { derivedUuid, formatId } from '../../platform/values/ids.ts';
import { allPermissions, hashApiKey, type Mode, newApiKey, parsePermissions } from './api-key.ts';
import { checkTerms, type KeyTerms, unlimitedTerms } from './key-terms.ts';
import {
  type ApiKey,
  findKey,
  findMerchant,
  findTenant,
  insertKey,
  type KeyPage,
  listKeys as listStoredKeys,
  markRevoked,
  keyPage as storedKeyPage,
} from './store.ts';

/** Pages and routes pass what needs a second person; whoever holds a shell on the server needs none. */
export type KeyMaking = Administration & { fourEyes?: FourEyes };

type Dependencies = Administration & { database: Database };

export interface KeyOrder {
  merchantId: string;
  mode: Mode;
  /** All of them, if it is left out. */
  permissions?: readonly string[];
  /** What is left out is not limited. */
  terms?: Partial<KeyTerms>;
  /** What the order is known by: given again, it makes no second key. */
  once?: string;
}

/**
 * Makes a key. Only this answer shows it: what is stored is its hash.
 * @throws VALIDATION_ERROR for a permission that does not exist, or a wrong label, expiry, address or limit
 * @throws NOT_FOUND for an unknown merchant
 * @throws FORBIDDEN (ApprovalNeeded) a live key needs a second person
 * @throws INVALID_STATE the same order has made its key before
 */
export function issueKey(
  dependencies: KeyMaking & { database: Database },
  order: KeyOrder,
): Promise<{ id: string; key: string }> {
  const key = newApiKey(order.mode);
  return dependencies.database.transaction((transaction) =>
    addKey(transaction, dependencies, order, key),
  );
}

/** The id of the key that an order makes. */
export const idOfOrder = (tenantId: string, once: string) =>
  derivedUuid(tenantId, `api key ${once}`);

/** The same as part of a transaction, for a given key. */
export async function addKey(
  transaction: Queryable,
  administration: KeyMaking,
  { merchantId, mode, permissions: given = allPermissions, terms: wanted, once }: KeyOrder,
  key: string,
): Promise<{ id: string; key: string }> {
  if (mode === 'live') requireNoApproval(administration.fourEyes ?? noFourEyes, 'live-keys');
  const permissions = parsePermissions(given);
  const tenant = await findTenant(transaction, merchantId, mode);
  if (!tenant) throw notFound('merchant');
  const createdAtMs = administration.clock.nowMs();
  const terms = checkTerms({ ...unlimitedTerms, ...wanted }, createdAtMs);
  // Of tenant and order together, so that nobody can aim at the id of another's key.
  const id = once === undefined ? administration.ids.next(createdAtMs) : idOfOrder(tenant.id, once);
  const last4 = key.slice(-4);
  const stored = {
    id,
    tenantId: tenant.id,
    merchantId,
    mode,
    last4,
    permissions,
    createdAtMs,
    ...terms,
  };
  if (!(await insertKey(transaction, { ...stored, hash: hashApiKey(key) }))) {
    throw invalidState('This order has made its key already. A key is shown only once.');
  }
  await writeAuditRecord(transaction, administration, {
    tenantId: tenant.id,
    action: 'api_key.issued',
    subject: formatId('ak', id),
    after: { last4, permissions, ...termsView(terms) },
  });
  return { id, key };
}

/**
 * The keys of one merchant, or of all, revoked ones too; oldest first.
 * @throws NOT_FOUND for an unknown merchant
 */
export function listKeys(dependencies: Dependencies, merchantId?: string): Promise<ApiKey[]> {
  return dependencies.database.transaction(async (transaction) => {
    await recordListing(transaction, dependencies, merchantId);
    return listStoredKeys(transaction, merchantId);
  });
}

/**
 * A page of the keys of one merchant, or of all, newest first; of each listing there is a record.
 * @throws NOT_FOUND for an unknown merchant
 */
export function listKeyPage(dependencies: Dependencies, page: KeyPage): Promise<ApiKey[]> {
  const { merchantId } = page;
  return dependencies.database.transaction(async (transaction) => {
    await recordListing(transaction, dependencies, merchantId);
    return storedKeyPage(transaction, page);
  });
}

async function recordListing(
  transaction: Queryable,
  administration: Administration,
  merchantId?: string,
): Promise<void> {
  if (merchantId !== undefined && !(await findMerchant(transaction, merchantId))) {
    throw notFound('merchant');
  }
  await writeAuditRecord(transaction, administration, {
    tenantId: null,
    action: 'api_keys.listed',
    subject: merchantId === undefined ? 'all' : formatId('me', merchantId),
    detail: {},
  });
}

/**
 * Every process refuses the key within 5 seconds. A second time it changes nothing.
 * @returns the key as it is now
 * @throws NOT_FOUND for an unknown key
 */
export function revokeKey(dependencies: Dependencies, id: string): Promise<ApiKey> {
  return dependencies.database.transaction(async (transaction) => {
    const key = await findKey(transaction, id);
    if (!key) throw notFound('key');
    const nowMs = dependencies.clock.nowMs();
    if (await markRevoked(transaction, key, nowMs)) {
      await writeAuditRecord(transaction, dependencies, {
        tenantId: key.tenantId,
        action: 'api_key.revoked',
        subject: formatId('ak', id),
        before: { revokedAt: null },
        after: { revokedAt: new Date(nowMs).toISOString() },
        detail: { last4: key.last4 },
      });
    }
    return (await findKey(transaction, id)) ?? key;
  });
}

/** A key as the API for staff and the command line show it. */
export function keyView(key: ApiKey) {
  const { mode, last4, permissions, label, allowedAddresses } = key;
  const at = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return {
    id: formatId('ak', key.id),
    merchantId: formatId('me', key.merchantId),
    mode,
    last4,
    label,
    permissions,
    allowedAddresses,
    maxPayment: key.maxPaymentMinor?.toString() ?? null,
    maxRefundedPerDay: key.maxRefundedPerDayMinor?.toString() ?? null,
    createdAt: new Date(key.createdAtMs).toISOString(),
    expiresAt: at(key.expiresAtMs),
    revokedAt: at(key.revokedAtMs),
    lastUsedAt: at(key.lastUsedAtMs),
    rolledTo: key.rolledTo === null ? null : formatId('ak', key.rolledTo),
  };
}

/** For the audit records, and for programs. */
export function termsView(terms: KeyTerms) {
  return {
    label: terms.label,
    expiresAt: terms.expiresAtMs === null ? null : new Date(terms.expiresAtMs).toISOString(),
    allowedAddresses: terms.allowedAddresses,
    maxPayment: terms.maxPaymentMinor?.toString() ?? null,
    maxRefundedPerDay: terms.maxRefundedPerDayMinor?.toString() ?? null,
  };
}
