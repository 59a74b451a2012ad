import { formatId } from '../platform/values/ids.ts';
import { findTenants } from '../tenants/merchants/store.ts';
import type { Workspace } from './workspace.ts';

/** Names the owner of a ledger by merchant and mode: people do not know tenants. */
export interface Owner {
  merchantId: string | null;
  mode: string | null;
}

export const nameOf = ({ merchantId, mode }: Owner) =>
  `${merchantId ?? 'an unknown merchant'} (${mode ?? '?'})`;

/** Adds the merchant and mode of each item. */
export async function withOwners<T extends { tenantId: string }>(
  { database }: Workspace,
  items: readonly T[],
): Promise<(T & Owner)[]> {
  if (items.length === 0) return [];
  const tenants = await findTenants(database, [...new Set(items.map(({ tenantId }) => tenantId))]);
  const owners = new Map(tenants.map((tenant) => [tenant.id, tenant]));
  return items.map((item) => {
    const owner = owners.get(item.tenantId);
    const merchantId = owner ? formatId('me', owner.merchantId) : null;
    return { ...item, merchantId, mode: owner?.mode ?? null };
  });
}
