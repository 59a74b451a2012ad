import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import type { Contact } from '../../../tenants/merchants/contact.ts';
import { type ApiKey, listKeys } from '../../../tenants/merchants/store.ts';
import { listMembers, type Member } from '../../../tenants/people/members.ts';
import { listMerchantRoles } from '../../../tenants/people/merchant-roles.ts';
import { typedAmount } from '../parts/amount.ts';
import { button, checkbox, field, form, hidden, select } from '../parts/form.ts';
import { day, given, idText, instant, status } from '../parts/format.ts';
import { type Column, empty, facts, table } from '../parts/table.ts';
import type { StaffContext } from '../request-context.ts';
import { roleName } from '../words/roles.ts';
import type { Shown } from './merchant.ts';
import { words as allWords } from './merchant.words.ts';
import { feeFields } from './terms-form.ts';

export function about(visit: StaffContext, { merchant }: Shown): Html {
  const words = allWords[visit.language];
  return html`<section class="card">${facts([
    [words.id, idText('me', merchant.id)],
    [words.since, day(visit, merchant.createdAtMs)],
  ])}</section>`;
}

/** Current and former keys, showing only their last characters. */
export async function keysPart(visit: StaffContext, { merchant }: Shown): Promise<Html> {
  const words = allWords[visit.language];
  const keys = (await listKeys(visit.services.database, merchant.id)).reverse();
  const list = keys.length === 0 ? empty(words.noKeys) : table(words.keys, keyColumns(visit), keys);
  return html`<h2>${words.keys}</h2>${list}
${visit.can('api_keys.write') ? keyForm(visit) : undefined}`;
}

function keyColumns(visit: StaffContext): Column<ApiKey>[] {
  const words = allWords[visit.language];
  const columns: Column<ApiKey>[] = [
    {
      head: words.key,
      cell: ({ label, mode, last4 }) =>
        html`<div>${given(label) ?? words.unnamed}<br><code>sk_${mode}_…${last4}</code></div>`,
    },
    { head: words.state, cell: (key) => status(visit, stateOf(key, visit.nowMs)) },
    {
      head: words.permissions,
      cell: ({ permissions }) =>
        html`<details class="more"><summary>${permissions.length}</summary><code>${permissions.join(', ')}</code></details>`,
    },
    {
      head: words.lastUsed,
      cell: ({ lastUsedAtMs }) =>
        lastUsedAtMs === null ? words.never : instant(visit, lastUsedAtMs),
    },
  ];
  if (!visit.can('api_keys.write')) return columns;
  const revoke = (key: ApiKey) =>
    form(
      visit,
      html`${hidden('key', formatId('ak', key.id))}<button name="action" value="revoke-key" class="button danger" aria-label="${words.revokeOf(key.last4)}">${words.revoke}</button>`,
    );
  return [
    ...columns,
    {
      head: words.change,
      cell: (key) => (stateOf(key, visit.nowMs) === 'VALID' ? revoke(key) : undefined),
    },
  ];
}

function stateOf({ revokedAtMs, expiresAtMs }: ApiKey, nowMs: number) {
  if (revokedAtMs !== null) return 'REVOKED';
  return expiresAtMs !== null && expiresAtMs <= nowMs ? 'EXPIRED' : 'VALID';
}

/** Two people of the merchant make a live key then, because only they can request and approve one. */
export const needsTwoForLiveKeys = ({ services }: StaffContext): boolean =>
  services.fourEyes.has('live-keys');

function keyForm(visit: StaffContext): Html {
  const words = allWords[visit.language];
  const { services, nowMs } = visit;
  const test = ['test', visit.words.test] as const;
  const isLiveOffered = services.allowsLiveKeys && !needsTwoForLiveKeys(visit);
  const modes = isLiveOffered ? [test, ['live', visit.words.live] as const] : [test];
  const content = html`${hidden('once', services.ids.next(nowMs))}
${services.allowsLiveKeys && !isLiveOffered ? html`<p class="hint">${words.liveKeyNeedsTwo}</p>` : undefined}
<div class="pair">${select('mode', visit.words.mode, modes)}${field('label', words.label, { maxLength: 100 })}</div>
${button('key', words.makeKey)}`;
  return html`<details class="more"><summary>${words.makeKey}</summary><section class="card">${form(visit, content)}</section></details>`;
}

/** The members; staff admit owners, and owners admit the others. */
export async function peoplePart(
  visit: StaffContext,
  { merchant, errors, sent }: Shown,
): Promise<Html> {
  const words = allWords[visit.language];
  const members = await listMembers(visit.services.people, { merchantId: merchant.id });
  const roles = await listMerchantRoles(visit.services.people, merchant.id);
  const columns: Column<Member>[] = [
    { head: words.name, cell: ({ name }) => html`<b>${given(name)}</b>` },
    { head: words.email, cell: ({ email }) => email ?? visit.words.none },
    {
      head: words.role,
      cell: ({ role, roleId }) => {
        const own = roles.find(({ id }) => id === roleId)?.name ?? null;
        return roleName(visit.language, { role, roleName: own });
      },
    },
    { head: words.since, cell: ({ joinedAtMs }) => day(visit, joinedAtMs) },
  ];
  const list = members.length === 0 ? empty(words.noPeople) : table(words.people, columns, members);
  const isOpen = errors.email === undefined ? undefined : html` open`;
  const inviting = html`<details class="more"${isOpen}><summary>${words.invite}</summary><section class="card">${form(
    visit,
    html`${field('email', words.email, { inputMode: 'email', value: sent?.text('email'), error: errors.email, isRequired: true, maxLength: 254 })}
${button('invite', words.makeLink)}`,
  )}</section></details>`;
  return html`<h2>${words.people}</h2>${list}${visit.can('merchants.write') ? inviting : undefined}`;
}

/** The merchant's look on the payment page. */
export function brandCard(visit: StaffContext, { brand, errors, sent }: Shown): Html {
  const words = allWords[visit.language];
  const isSent = sent?.text('action') === 'brand';
  const value = (name: 'name' | 'colour' | keyof Contact) =>
    isSent ? sent.text(name) : (brand[name] ?? '');
  const without = brand.logoBytes === null ? undefined : checkbox('without', words.noLogo, 'yes');
  return html`<section class="card"><h2>${words.brand}</h2>
${form(
  visit,
  html`${field('name', words.brandName, { value: value('name'), error: errors.name, maxLength: 255 })}
${field('colour', words.colour, { value: value('colour'), error: errors.colour, placeholder: '#0b5d44', maxLength: 7 })}
${field('contactPhone', words.contactPhone, { value: value('contactPhone'), error: errors.contactPhone, hint: words.contactHint, placeholder: '+238 991 23 45', maxLength: 64 })}
${field('contactEmail', words.contactEmail, { value: value('contactEmail'), error: errors.contactEmail, maxLength: 254 })}
${field('website', words.website, { value: value('website'), error: errors.website, placeholder: 'https://loja.cv', maxLength: 255 })}
<div class="field"><label for="logo">${words.logo}</label><input id="logo" name="logo" type="file" accept="image/svg+xml,image/png" aria-describedby="logo-hint"><p class="hint" id="logo-hint">${words.logoHint}</p>${errors.logo === undefined ? undefined : html`<p class="error">${errors.logo}</p>`}</div>
${without}
${button('brand', visit.words.save, 'plain')}`,
  html` enctype="multipart/form-data"`,
)}</section>`;
}

/** Fees and limits of payments created from now on. */
export function termsCard(visit: StaffContext, { terms, errors, sent }: Shown): Html {
  const words = allWords[visit.language];
  const typed = sent?.text('action') === 'terms' ? sent : undefined;
  const { maxPaymentMinor } = terms;
  const limit = maxPaymentMinor === null ? '' : typedAmount(visit, maxPaymentMinor);
  return html`<section class="card terms"><h2>${words.terms}</h2>
<p class="hint">${words.termsHint}</p>
${errors.fees === undefined ? undefined : html`<p class="error" role="alert">${errors.fees}</p>`}
${form(
  visit,
  html`${feeFields(visit, terms, typed)}
${field('maxPayment', words.maxPayment, { value: typed?.text('maxPayment') ?? limit, error: errors.maxPayment, hint: words.maxPaymentHint, inputMode: 'decimal', maxLength: 20 })}
${button('terms', visit.words.save, 'plain')}`,
)}</section>`;
}

export function suspensionCard(visit: StaffContext, { terms }: Shown): Html {
  const words = allWords[visit.language];
  const isSuspended = terms.suspendedAtMs !== null;
  const content = isSuspended
    ? button('resume', words.resume)
    : button('suspend', words.suspend, 'danger');
  return html`<section class="card"><h2>${words.suspension}</h2>
<p>${isSuspended ? words.isSuspended : words.suspendHint}</p>
${form(visit, content)}</section>`;
}
