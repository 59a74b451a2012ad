import { type Html, html } from '../../../platform/text/html.ts';
import { findIdentities, type ListedIdentity } from '../../../tenants/people/sso/identity-store.ts';
import { button, form, hidden } from '../parts/form.ts';
import { day } from '../parts/format.ts';
import type { OwnCaller } from './door.ts';
import { words as allWords } from './single-sign-on.words.ts';

/** The person's identity at the single sign-on provider, with buttons to connect or disconnect it. */
export async function identitiesCard(caller: OwnCaller): Promise<Html | undefined> {
  const { people, who, language } = caller;
  const words = allWords[language];
  const { provider } = people;
  if (provider === undefined) return undefined;
  const identities = await findIdentities(people.database, who.person.id);
  const row = ({ issuer, subject, createdAtMs }: ListedIdentity) => html`<li class="bar spread">
<div><b>${new URL(issuer).host}</b><p class="hint">${words.since} ${day(caller, createdAtMs)}</p></div>
${who.isFresh ? form(caller, html`${hidden('issuer', issuer)}${hidden('subject', subject)}${button('unlink', words.disconnect, 'danger')}`) : undefined}
</li>`;
  const list =
    identities.length === 0
      ? html`<p class="hint">${words.none}</p>`
      : html`<ul class="things">${identities.map(row)}</ul>`;
  const connect =
    who.isFresh && form(caller, button('link', words.connect(provider.label), 'plain'));
  return html`<section class="card"><h2>${words.identities}</h2>
<p class="hint">${words.identitiesHint(provider.label)}</p>${list}${connect || undefined}</section>`;
}
