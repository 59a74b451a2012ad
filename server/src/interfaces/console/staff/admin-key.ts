import { notFound } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { nameText } from '../../../storefront/checkout/page/state.ts';
import { type AdminKey, findAdminKey } from '../../../tenants/people/admin-key-store.ts';
import { revokeAdminKey } from '../../../tenants/people/admin-keys.ts';
import type { Redirect, StaffPage, View } from '../page.ts';
import { button, form } from '../parts/form.ts';
import { given, idText, instant, status } from '../parts/format.ts';
import { doneNotice } from '../parts/success-notice.ts';
import { facts } from '../parts/table.ts';
import type { StaffContext } from '../request-context.ts';
import { staffPermissionWords } from '../words/staff-permissions.ts';
import { adminKeyState, maskedAdminKey } from './admin-keys.ts';
import { words as allWords } from './admin-keys.words.ts';

/** One key of `/admin/v1`: its permissions, and its end. */
export const adminKeyPage: StaffPage = {
  path: 'admin-keys/:id',
  permission: 'admin_keys.read',
  show: (visit) => view(visit),
  actions: {
    revoke: { permission: 'admin_keys.write', isSensitive: 'ALWAYS', run: revoke },
  },
};

/** @throws NOT_FOUND */
function idOf({ params }: StaffContext): string {
  const id = parseId('ak', params.id ?? '');
  if (id === undefined) throw notFound('admin key');
  return id;
}

async function revoke(visit: StaffContext): Promise<Redirect> {
  const { clock, ids } = visit.services;
  const { database } = visit.services.people;
  const id = idOf(visit);
  await revokeAdminKey({ database, clock, ids, ...visit.author }, id);
  return { to: visit.to(`admin-keys/${formatId('ak', id)}`, { done: 'revoked' }) };
}

async function view(visit: StaffContext): Promise<View> {
  const words = allWords[visit.language];
  const key = await findAdminKey(visit.services.people.database, idOf(visit));
  if (!key) throw notFound('admin key');
  const state = adminKeyState(key, visit.nowMs);
  const main = html`${doneNotice(visit, words.done)}
<section class="card">${about(visit, key, state)}</section>
${visit.can('admin_keys.write') && state === 'VALID' ? revoking(visit) : undefined}
<p><a href="${visit.to('admin-keys')}">${words.back}</a></p>`;
  return { title: nameText(key.label), main, scripts: ['developers.css'] };
}

function about(visit: StaffContext, key: AdminKey, state: string): Html {
  const words = allWords[visit.language];
  const opens = staffPermissionWords[visit.language];
  const { allowedAddresses, permissions } = key;
  const at = (ms: number | null) => (ms === null ? words.never : instant(visit, ms));
  const actor = visit.can('audit.read')
    ? html`<a href="${visit.to('audit', { actor: key.createdBy })}">${given(key.createdBy)}</a>`
    : given(key.createdBy);
  return facts([
    [words.key, html`<code>${maskedAdminKey(key)}</code>`],
    [words.id, idText('ak', key.id)],
    [words.state, status(visit, state)],
    [words.may, html`<ul>${permissions.map((each) => html`<li>${opens[each] ?? each}</li>`)}</ul>`],
    [
      words.addresses,
      allowedAddresses.length === 0 ? words.everywhere : allowedAddresses.join(', '),
    ],
    [words.createdBy, actor],
    [words.created, instant(visit, key.createdAtMs)],
    [words.lastUsed, at(key.lastUsedAtMs)],
    [words.expires, at(key.expiresAtMs)],
  ]);
}

function revoking(visit: StaffContext): Html {
  const words = allWords[visit.language];
  return html`<details class="card danger-zone"><summary>${words.revoke}</summary><p>${words.revokeHint}</p>
${form(visit, button('revoke', words.revokeNow, 'danger'))}</details>`;
}
