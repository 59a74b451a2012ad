import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import { invalidState, notFound } from '../../platform/errors/errors.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { type FourEyes, noFourEyes, requireNoApproval } from '../../platform/values/four-eyes.ts';
import { derivedUuid, formatId } from '../../platform/values/ids.ts';
import {
  hashApiKey,
  type Mode,
  newApiKey,
  parsePermissions,
  unlistedPermissions,
} from './api-key.ts';
import { checkTerms, type KeyTerms, unlimitedTerms } from './key-restrictions.ts';
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

/** Pages and routes pass the rules for a second person; somebody with a shell on the server needs none. */
export type KeyMaking = Administration & { fourEyes?: FourEyes };

type Dependencies = Administration & { database: Database };

export interface KeyOrder {
  merchantId: string;
  mode: Mode;
  /** All of them if omitted, except disbursements of a live key. */
  permissions?: readonly string[];
  /** Omitted limits are unlimited. */
  terms?: Partial<KeyTerms>;
  /** Identifies the order: a repeated order creates no second key. */
  once?: string;
}

/**
 * Creates a key. Only this answer contains it; the database stores its hash.
 * @throws VALIDATION_ERROR for an unknown permission, or an invalid label, expiry, address or limit
 * @throws NOT_FOUND for an unknown merchant
 * @throws FORBIDDEN (ApprovalNeeded) a live key needs a second person
 * @throws INVALID_STATE the same order has already created its key
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

/** The id of the key that an order creates. */
export const idOfOrder = (tenantId: string, once: string) =>
  derivedUuid(tenantId, `api key ${once}`);

/** The same in a transaction, for a given key. */
export async function addKey(
  transaction: Queryable,
  administration: KeyMaking,
  {
    merchantId,
    mode,
    permissions: given = unlistedPermissions(mode),
    terms: wanted,
    once,
  }: KeyOrder,
  key: string,
): Promise<{ id: string; key: string }> {
  if (mode === 'live') requireNoApproval(administration.fourEyes ?? noFourEyes, 'live-keys');
  const permissions = parsePermissions(given);
  const tenant = await findTenant(transaction, merchantId, mode);
  if (!tenant) throw notFound('merchant');
  const createdAtMs = administration.clock.nowMs();
  const terms = checkTerms({ ...unlimitedTerms, ...wanted }, createdAtMs);
  // Derived from tenant and order together, so that nobody can target the id of another tenant's key.
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
    throw invalidState('This order has already created its key. A key is shown only once.');
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
 * The keys of one merchant, or of all, including revoked ones; oldest first.
 * @throws NOT_FOUND for an unknown merchant
 */
export function listKeys(dependencies: Dependencies, merchantId?: string): Promise<ApiKey[]> {
  return dependencies.database.transaction(async (transaction) => {
    await recordListing(transaction, dependencies, merchantId);
    return listStoredKeys(transaction, merchantId);
  });
}

/**
 * A page of the keys of one merchant, or of all, newest first; each listing is recorded.
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
 * Revokes a key; every process refuses it within 5 seconds. A repeated call changes nothing.
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

/** A key as the admin API and the command line show it. */
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
    maxDisbursement: key.maxDisbursementMinor?.toString() ?? null,
    maxDisbursedPerDay: key.maxDisbursedPerDayMinor?.toString() ?? null,
    createdAt: new Date(key.createdAtMs).toISOString(),
    expiresAt: at(key.expiresAtMs),
    revokedAt: at(key.revokedAtMs),
    lastUsedAt: at(key.lastUsedAtMs),
    rolledTo: key.rolledTo === null ? null : formatId('ak', key.rolledTo),
  };
}

/** For audit records and programs. */
export function termsView(terms: KeyTerms) {
  return {
    label: terms.label,
    expiresAt: terms.expiresAtMs === null ? null : new Date(terms.expiresAtMs).toISOString(),
    allowedAddresses: terms.allowedAddresses,
    maxPayment: terms.maxPaymentMinor?.toString() ?? null,
    maxRefundedPerDay: terms.maxRefundedPerDayMinor?.toString() ?? null,
    maxDisbursement: terms.maxDisbursementMinor?.toString() ?? null,
    maxDisbursedPerDay: terms.maxDisbursedPerDayMinor?.toString() ?? null,
  };
}
