import { notFound } from '../../../platform/errors/errors.ts';
import { html } from '../../../platform/text/html.ts';
import { parseId } from '../../../platform/values/ids.ts';
import { nameText } from '../../../storefront/checkout/page/state.ts';
import {
  changeMerchantRole,
  createMerchantRole,
  deleteMerchantRole,
  listMerchantRoles,
  type MerchantRole,
} from '../../../tenants/people/merchant-roles.ts';
import type { Permission } from '../../../tenants/people/permissions.ts';
import { grantable } from '../../../tenants/people/permissions.ts';
import type { Action, ConsolePage, Redirect, View } from '../page.ts';
import { authorAtHome } from '../parts/author.ts';
import { button, checkbox, type FieldErrors, field, form, notice } from '../parts/form.ts';
import { formErrors } from '../parts/form-errors.ts';
import { permissionsHere } from '../parts/when-disbursing.ts';
import type { MerchantContext, SentForm } from '../request-context.ts';
import { permissionWords } from '../words/permissions.ts';
import { words as allWords } from './roles.words.ts';

/** Puts a new role together. */
export const newRolePage: ConsolePage = {
  path: 'roles/new',
  permission: 'people.write',
  show: (visit) => Promise.resolve(view(visit, undefined)),
  actions: {
    create: change(async (visit, sent) => {
      await createMerchantRole(authorAtHome(visit), orderOf(visit, sent));
      return { to: visit.to('roles', { done: 'made' }) };
    }),
  },
};

/** Changes or deletes a role of the merchant's own. */
export const rolePage: ConsolePage = {
  path: 'roles/:id',
  permission: 'people.write',
  show: async (visit) => view(visit, await roleOf(visit)),
  actions: {
    change: change(async (visit, sent) => {
      const { id } = await roleOf(visit);
      await changeMerchantRole(authorAtHome(visit), { ...orderOf(visit, sent), id });
      return { to: visit.to('roles', { done: 'changed' }) };
    }),
    delete: change(async (visit) => {
      const { id } = await roleOf(visit);
      await deleteMerchantRole(authorAtHome(visit), { merchantId: visit.merchant.id, id });
      return { to: visit.to('roles', { done: 'deleted' }) };
    }),
  },
};

/** Rights are granted: whoever does it proves who they are, and sees what was wrong. */
function change(run: (visit: MerchantContext, sent: SentForm) => Promise<Redirect>): Action {
  return {
    permission: 'people.write',
    isSensitive: 'ALWAYS',
    async run(visit, sent) {
      try {
        return await run(visit, sent);
      } catch (error) {
        const words = allWords[visit.language];
        const wrong = { name: words.badName, permissions: words.chooseOne };
        const codes = {
          INVALID_STATE: words.inUse,
          LIMIT_REACHED: words.tooMany,
          FORBIDDEN: words.tooMuch,
        };
        const errors = formErrors(visit, error, { wrong, codes });
        const role = visit.params.id === undefined ? undefined : await roleOf(visit);
        return { ...view(visit, role, { errors, sent }), status: 400 };
      }
    },
  };
}

async function roleOf({ params, services, merchant }: MerchantContext): Promise<MerchantRole> {
  const id = parseId('ro', params.id ?? '');
  const roles = await listMerchantRoles(services.people, merchant.id);
  const found = roles.find((each) => each.id === id);
  if (!found) throw notFound('role');
  return found;
}

const orderOf = (visit: MerchantContext, sent: SentForm) => ({
  merchantId: visit.merchant.id,
  name: sent.text('name'),
  permissions: sent.all('permission'),
  holds: (permission: Permission) => visit.can(permission),
});

function view(
  visit: MerchantContext,
  role: MerchantRole | undefined,
  { errors = {}, sent }: { errors?: FieldErrors; sent?: SentForm } = {},
): View {
  const words = allWords[visit.language];
  const again = sent ?? visit.kept;
  const chosen: readonly string[] = again ? again.all('permission') : (role?.permissions ?? []);
  const boxes = permissionsHere(visit, grantable, chosen)
    .filter((each) => visit.can(each))
    .map((each) =>
      checkbox('permission', permissionWords[visit.language][each], each, chosen.includes(each)),
    );
  const wrong = errors.permissions;
  const content = html`${field('name', words.name, { value: again?.text('name') ?? role?.name, isRequired: true, maxLength: 40, error: errors.name })}
<fieldset><legend>${words.permissions}</legend>${boxes}</fieldset>
${wrong === undefined ? undefined : html`<p class="error" role="alert">${wrong}</p>`}
${role === undefined ? undefined : html`<p class="hint">${words.at}</p>`}
<p class="bar">${button(role === undefined ? 'create' : 'change', visit.words.save)}${role === undefined ? undefined : html`<button name="action" value="delete" class="button danger" formnovalidate>${words.remove}</button>`}</p>`;
  const main = html`${errors.page === undefined ? undefined : notice(errors.page, 'bad')}
<section class="card">${form(visit, content)}</section>
<p><a href="${visit.to('roles')}">${words.title}</a></p>`;
  return { title: role ? nameText(role.name) : words.make, main };
}
