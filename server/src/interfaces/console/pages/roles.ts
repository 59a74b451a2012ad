import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { named, nameText } from '../../../storefront/checkout/page/state.ts';
import { listMerchantRoles, type MerchantRole } from '../../../tenants/people/merchant-roles.ts';
import { can, type Permission, permissions, roles } from '../../../tenants/people/permissions.ts';
import type { ConsolePage } from '../page.ts';
import { doneNotice } from '../parts/success-notice.ts';
import { type Column, empty, table } from '../parts/table.ts';
import { uselessIn } from '../parts/useless-permissions.ts';
import { permissionsHere } from '../parts/when-disbursing.ts';
import type { MerchantContext } from '../request-context.ts';
import { permissionWords } from '../words/permissions.ts';
import { roleWords } from '../words/roles.ts';
import { words as allWords } from './roles.words.ts';

/** Who may do what: the table of permissions, and the roles that owners put together. */
export const rolesPage: ConsolePage = {
  path: 'roles',
  permission: 'people.read',
  async show(visit) {
    const words = allWords[visit.language];
    const own = await listMerchantRoles(visit.services.people, visit.merchant.id);
    const main = html`${doneNotice(visit, words.done)}
<h2>${words.own}</h2>${own.length === 0 ? empty(words.none, words.ownHint) : ownList(visit, own)}
${visit.can('people.write') ? html`<p><a class="button primary" href="${visit.to('roles/new')}">${words.make}</a></p>` : undefined}
<h2>${words.who}</h2><p class="hint">${words.whoHint}</p>
${table(words.who, columns(visit, own), permissionsHere(visit, permissions))}
<p><a href="${visit.to('team')}">${words.team}</a></p>`;
    return { title: words.title, main };
  },
};

function ownList(visit: MerchantContext, own: readonly MerchantRole[]): Html {
  const words = allWords[visit.language];
  const nameOf = ({ id, name }: MerchantRole) =>
    visit.can('people.write')
      ? html`<a href="${visit.to(`roles/${formatId('ro', id)}`)}">${named(name)}</a>`
      : html`<b>${named(name)}</b>`;
  const texts = permissionWords[visit.language];
  const namesOf = (of: readonly Permission[]) => of.map((each) => texts[each] ?? each).join('; ');
  return table(
    words.own,
    [
      { head: words.name, cell: nameOf },
      {
        head: words.permissions,
        cell: (role) =>
          html`<div>${namesOf(role.permissions)}${uselessNote(visit, role.permissions)}</div>`,
      },
      { head: words.team, cell: ({ uses }) => words.uses(uses) },
    ],
    own,
  );
}

/** A button needs its page: says which permissions do nothing, and what they lack. */
function uselessNote(visit: MerchantContext, held: readonly Permission[]): Html[] {
  const words = allWords[visit.language];
  const texts = permissionWords[visit.language];
  return uselessIn(held).map(({ permission, lacks }) => {
    const wanted = lacks.map((each) => texts[each]);
    return html`<p class="hint">${words.useless(texts[permission], wanted)}</p>`;
  });
}

function columns(visit: MerchantContext, own: readonly MerchantRole[]): Column<Permission>[] {
  const words = allWords[visit.language];
  const mark = (isAllowed: boolean) =>
    isAllowed
      ? html`<span aria-label="${words.yes}" role="img">✓</span>`
      : html`<span class="hint" aria-label="${words.no}" role="img">–</span>`;
  return [
    { head: words.what, cell: (each) => permissionWords[visit.language][each] },
    ...roles.map((role) => ({
      head: roleWords[visit.language][role].name,
      cell: (each: Permission) => mark(can(role, each)),
    })),
    ...own.map((role) => ({
      head: nameText(role.name),
      cell: (each: Permission) => mark(role.permissions.includes(each)),
    })),
  ];
}
