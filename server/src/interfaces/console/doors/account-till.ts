import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { named, nameText } from '../../../storefront/checkout/page/state.ts';
import { findPerson } from '../../../tenants/people/account-store.ts';
import { holds } from '../../../tenants/people/permissions.ts';
import { listTills, type TillDevice } from '../../../tenants/people/till-devices.ts';
import { button, type FieldErrors, form, hidden } from '../parts/form.ts';
import { day } from '../parts/format.ts';
import { words as allWords } from './account.words.ts';
import type { OwnCaller } from './door.ts';
import { pinField } from './till-sign-in.ts';

/** Where the person may charge. */
const chargesAt = ({ who }: OwnCaller) =>
  who.memberships.filter((each) => holds(each, 'payments.charge'));

/** The person's PIN; only for people who charge somewhere. */
export async function pinCard(caller: OwnCaller, errors: FieldErrors): Promise<Html | undefined> {
  if (chargesAt(caller).length === 0) return undefined;
  const words = allWords[caller.language];
  const hasPin = (await findPerson(caller.people.database, caller.who.person.id))?.hasPin ?? false;
  const remove = html`<button name="action" value="remove-pin" class="button danger" formnovalidate>${words.removePin}</button>`;
  const set = form(
    caller,
    html`${pinField(words.newPin, errors.pin)}<p class="bar">${button('pin', words.setPin, 'plain')}${hasPin ? remove : undefined}</p>`,
  );
  return html`<section class="card"><h2>${words.pin}</h2><p class="hint">${words.pinHint}</p>
<p>${hasPin ? words.hasPin : words.noPin}</p>${caller.who.isFresh ? set : undefined}</section>`;
}

/** The shared phones that the person enrolled, and buttons that enrol this one. */
export async function tillsCard(caller: OwnCaller): Promise<Html | undefined> {
  const shops = chargesAt(caller);
  const tills = await listTills(caller.people, { personId: caller.who.person.id });
  if (shops.length === 0 && tills.length === 0) return undefined;
  const words = allWords[caller.language];
  const row = ({ id, label, merchantName, createdAtMs }: TillDevice) => html`<li class="bar spread">
<div><b>${named(merchantName)}</b><p class="hint">${label} · ${words.added} ${day(caller, createdAtMs)}</p></div>
${form(caller, html`${hidden('till', formatId('td', id))}<button name="action" value="end-till" class="button plain" aria-label="${words.endTillOf(label)}">${words.endTill}</button>`)}
</li>`;
  const enrol = shops.map(({ merchantId, merchantName }) =>
    form(
      caller,
      html`${hidden('merchant', formatId('me', merchantId))}${button('till', words.useAsTill(nameText(merchantName)), 'plain')}`,
    ),
  );
  return html`<section class="card"><h2>${words.tills}</h2><p class="hint">${words.tillsHint}</p>
${tills.length === 0 ? undefined : html`<ul class="things">${tills.map(row)}</ul>`}${caller.who.isFresh ? enrol : undefined}</section>`;
}
