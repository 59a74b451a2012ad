import { DomainError } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { type AdminKeyOrder, issueAdminKey } from '../../../tenants/people/admin-keys.ts';
import { staffPermissions } from '../../../tenants/people/staff-permissions.ts';
import type { StaffPage, View } from '../page.ts';
import { shownOnce } from '../parts/code-block.ts';
import { area, button, type FieldErrors, field, form, notice, select } from '../parts/form.ts';
import { formErrors } from '../parts/form-errors.ts';
import { freshKey, keyField } from '../parts/idempotency-key.ts';
import { addressesIn, expiryIn, lifetimes, permissionsField } from '../parts/key-form.ts';
import type { SentForm, StaffContext } from '../request-context.ts';
import { staffPermissionWords } from '../words/staff-permissions.ts';
import { words as allWords } from './admin-keys.words.ts';

/** Creates a key of `/admin/v1`; only the answer to the form shows it. */
export const newAdminKeyPage: StaffPage = {
  path: 'admin-keys/new',
  permission: 'admin_keys.write',
  show: (visit) => Promise.resolve(view(visit, keyForm(visit))),
  actions: {
    create: { permission: 'admin_keys.write', isSensitive: 'ALWAYS', run: create },
  },
};

const view = (visit: StaffContext, main: Html, status = 200): View => ({
  title: allWords[visit.language].newKey,
  main: html`${main}<p><a href="${visit.to('admin-keys')}">${allWords[visit.language].back}</a></p>`,
  status,
  scripts: ['developers.css'],
});

async function create(visit: StaffContext, sent: SentForm): Promise<View> {
  const words = allWords[visit.language];
  const { clock, ids } = visit.services;
  const { database } = visit.services.people;
  const expiresAtMs = expiryIn(visit, sent);
  if (expiresAtMs === undefined) return again(visit, sent, { expires: words.wrong.expires });
  try {
    const order = { ...orderIn(visit, sent), expiresAtMs };
    const { key } = await issueAdminKey({ database, clock, ids, ...visit.author }, order);
    return view(visit, shownOnce(visit, words.made, key, words.madeHint));
  } catch (error) {
    if (error instanceof DomainError && error.code === 'INVALID_STATE') {
      return view(visit, notice(words.madeBefore, 'bad'), 409);
    }
    const { wrong } = words;
    const codes = { FORBIDDEN: { permissions: wrong.permissions } };
    return again(visit, sent, formErrors(visit, error, { wrong, codes }));
  }
}

/** @throws VALIDATION_ERROR if the form is not ours, or was open for too long */
function orderIn(visit: StaffContext, sent: SentForm): AdminKeyOrder {
  return {
    id: freshKey(visit, sent),
    label: sent.text('label'),
    permissions: sent.all('permissions'),
    allowedAddresses: addressesIn(sent),
    mayGive: (permission) => visit.can(permission),
  };
}

/** The form again, with the mistakes. */
const again = (visit: StaffContext, sent: SentForm, errors: FieldErrors): View =>
  view(visit, keyForm(visit, sent, errors), 400);

function keyForm(visit: StaffContext, sent = visit.kept, errors: FieldErrors = {}): Html {
  const words = allWords[visit.language];
  const opens = staffPermissionWords[visit.language];
  const typed = (name: string) => ({ value: sent?.text(name), error: errors[name] });
  const chosen = sent?.all('permissions') ?? [];
  const mine = staffPermissions.filter((each) => visit.can(each));
  const permissions = mine.map((each) => [each, opens[each], chosen.includes(each)] as const);
  const choices = lifetimes.map((days) => [days, words.days(days)] as const);
  return html`<section class="card">${errors.page === undefined ? undefined : notice(errors.page, 'bad')}
${form(
  visit,
  html`${keyField(visit, errors.page === undefined ? sent : undefined)}
${field('label', words.label, { ...typed('label'), hint: words.labelHint, isRequired: true, maxLength: 100 })}
${permissionsField(words, permissions, errors.permissions)}
${select('expires', words.expiry, [...choices, ['', words.never]], { ...typed('expires'), value: sent?.text('expires') ?? '90' })}
${area('addresses', words.addresses, { ...typed('addresses'), hint: words.addressesHint })}
${button('create', words.create)}`,
)}</section>`;
}
