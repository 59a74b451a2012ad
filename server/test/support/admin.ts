import { systemClock } from '../../src/platform/process/clock.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import { type AdminKeyOrder, issueAdminKey } from '../../src/tenants/people/admin-keys.ts';
import {
  type StaffRole,
  staffCan,
  staffPermissions,
} from '../../src/tenants/people/staff-permissions.ts';
import { type Api, apiOf, type TestGateway } from './gateway.ts';

/** The permissions of a staff role. */
export const permissionsOf = (role: StaffRole) =>
  staffPermissions.filter((permission) => staffCan(role, permission));

/** A key for `/admin/v1`, by default with every permission. */
export function adminKey(
  { database }: Pick<TestGateway, 'database'>,
  order: Partial<AdminKeyOrder> = {},
): Promise<{ id: string; key: string }> {
  const base = { database, clock: systemClock, ids: randomIds(), actor: 'cli:test' };
  return issueAdminKey(base, { label: 'a test', permissions: staffPermissions, ...order });
}

/** Calls `/admin/v1` of a gateway with such a key. */
export async function adminApi(
  gateway: Pick<TestGateway, 'database' | 'url'>,
  order: Partial<AdminKeyOrder> = {},
): Promise<Api> {
  return apiOf(gateway.url, (await adminKey(gateway, order)).key);
}
