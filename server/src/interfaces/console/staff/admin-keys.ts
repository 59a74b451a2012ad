import { html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { named } from '../../../storefront/checkout/page/state.ts';
import { type AdminKey, listAdminKeys } from '../../../tenants/people/admin-key-store.ts';
import { staffPermissions } from '../../../tenants/people/staff-permissions.ts';
import type { StaffPage } from '../page.ts';
import { count, given, instant, status } from '../parts/format.ts';
import { type Column, empty, pager, table } from '../parts/table.ts';
import type { StaffContext } from '../request-context.ts';
import { words as allWords } from './admin-keys.words.ts';

const limit = 50;

/** The keys with which programs call `/admin/v1`, newest first; those that work no longer, too. */
export const adminKeysPage: StaffPage = {
  path: 'admin-keys',
  permission: 'admin_keys.read',
  async show(visit) {
    const words = allWords[visit.language];
    const after = parseId('ak', visit.query.get('starting_after') ?? '') ?? null;
    const keys = await listAdminKeys(visit.services.people.database, limit + 1, after);
    const shown = keys.slice(0, limit);
    const last = keys.length > limit ? shown.at(-1) : undefined;
    const main = html`<p>${words.intro}</p>
${visit.can('admin_keys.write') ? html`<p><a class="button primary" href="${visit.to('admin-keys/new')}">${words.newKey}</a></p>` : undefined}
${shown.length === 0 ? empty(words.nothing, words.nothingHint) : table(words.title, columns(visit), shown)}
${pager(visit, 'admin-keys', last && formatId('ak', last.id))}`;
    return { title: words.title, main, scripts: ['developers.css'] };
  },
};

export const maskedAdminKey = ({ last4 }: Pick<AdminKey, 'last4'>) => `ak_admin_…${last4}`;

export function adminKeyState({ revokedAtMs, expiresAtMs }: AdminKey, nowMs: number) {
  if (revokedAtMs !== null) return 'REVOKED';
  return expiresAtMs !== null && expiresAtMs <= nowMs ? 'EXPIRED' : 'VALID';
}

function columns(visit: StaffContext): Column<AdminKey>[] {
  const words = allWords[visit.language];
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
}
