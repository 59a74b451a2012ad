import { formatId } from '../platform/values/ids.ts';
import { merchantsServedElsewhere } from '../tenants/cells/store.ts';
import { findTenants } from '../tenants/merchants/store.ts';
import type { Workspace } from './workspace.ts';

/** Names the owner of a ledger by merchant and mode: people do not know tenants. */
export interface Owner {
  merchantId: string | null;
  mode: string | null;
}

export const nameOf = ({ merchantId, mode }: Owner) =>
  `${merchantId ?? 'an unknown merchant'} (${mode ?? '?'})`;

/**
 * Drops merchants that have left this cell, or have not arrived yet: another cell reports them. @param before the
 * merchants that were elsewhere before the items were read
 */
export async function withOwners<T extends { tenantId: string }>(
  { database }: Workspace,
  items: readonly T[],
  before: ReadonlySet<string> = new Set(),
): Promise<(T & Owner)[]> {
  if (items.length === 0) return [];
  const tenants = await findTenants(database, [...new Set(items.map(({ tenantId }) => tenantId))]);
  const owners = new Map(tenants.map((tenant) => [tenant.id, tenant]));
  const elsewhere = await merchantsServedElsewhere(database);
  return items.flatMap((item) => {
    const owner = owners.get(item.tenantId);
    if (owner && (elsewhere.has(owner.merchantId) || before.has(owner.merchantId))) return [];
    const merchantId = owner ? formatId('me', owner.merchantId) : null;
    return [{ ...item, merchantId, mode: owner?.mode ?? null }];
  });
}
