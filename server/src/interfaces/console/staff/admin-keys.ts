import { html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { named } from '../../../storefront/checkout/page/state.ts';
import { type AdminKey, listAdminKeys } from '../../../tenants/people/admin-key-store.ts';
import { staffPermissions } from '../../../tenants/people/staff-permissions.ts';
import type { StaffPage } from '../page.ts';
import { count, given, instant, status } from '../parts/format.ts';
import { listPage } from '../parts/list-page.ts';
import { words } from './admin-keys.words.ts';

/** The keys of `/admin/v1`, newest first, including expired and revoked ones. */
export const adminKeysPage: StaffPage = listPage({
  path: 'admin-keys',
  permission: 'admin_keys.read',
  words,
  create: { page: 'admin-keys/new', permission: 'admin_keys.write', label: ({ newKey }) => newKey },
  load: ({ services }, _, { limit, startingAfter }) =>
    listAdminKeys(services.people.database, limit + 1, startingAfter ?? null),
  cursor: 'ak',
  columns(visit, words) {
    const at = (ms: number | null) => (ms === null ? words.never : instant(visit, ms));
    const mayDo = ({ permissions }: AdminKey) =>
      permissions.length === staffPermissions.length
        ? words.everything
        : words.some(count(visit, permissions.length), count(visit, staffPermissions.length));
    return [
      {
        head: words.label,
        cell: (key) =>
          html`<div><a href="${visit.to(`admin-keys/${formatId('ak', key.id)}`)}">${named(key.label)}</a><br><code>${maskedAdminKey(key)}</code></div>`,
      },
      { head: words.state, cell: (key) => status(visit, adminKeyState(key, visit.nowMs)) },
      { head: words.may, cell: mayDo },
      { head: words.createdBy, cell: ({ createdBy }) => given(createdBy) },
      { head: words.created, cell: ({ createdAtMs }) => instant(visit, createdAtMs) },
      { head: words.lastUsed, cell: ({ lastUsedAtMs }) => at(lastUsedAtMs) },
      { head: words.expires, cell: ({ expiresAtMs }) => at(expiresAtMs) },
    ];
  },
  scripts: ['developers.css'],
});

export const maskedAdminKey = ({ last4 }: Pick<AdminKey, 'last4'>) => `ak_admin_…${last4}`;

export function adminKeyState({ revokedAtMs, expiresAtMs }: AdminKey, nowMs: number) {
  if (revokedAtMs !== null) return 'REVOKED';
  return expiresAtMs !== null && expiresAtMs <= nowMs ? 'EXPIRED' : 'VALID';
}
