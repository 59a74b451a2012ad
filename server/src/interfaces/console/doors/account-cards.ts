import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { named } from '../../../storefront/checkout/page/state.ts';
import { countRecoveryCodes, findPerson } from '../../../tenants/people/account-store.ts';
import { draftCodes, readDraft } from '../../../tenants/people/credentials.ts';
import {
  type ListedPasskey,
  listPasskeys,
  passkeyCreation,
} from '../../../tenants/people/passkeys.ts';
import { type ListedSession, listSessions } from '../../../tenants/people/sessions.ts';
import { button, type FieldErrors, field, form, hidden, select } from '../parts/form.ts';
import { day, instant } from '../parts/format.ts';
import { languages } from '../words/common.ts';
import type { Kept } from './account.ts';
import { words as allWords } from './account.words.ts';
import { pinCard } from './account-till.ts';
import { browserOf } from './browser-name.ts';
import type { OwnCaller } from './door.ts';
import { newPasswordField, noWay, passkeyButton, passwordFields } from './parts.ts';

export async function profileCard(caller: OwnCaller, errors: FieldErrors): Promise<Html> {
  const words = allWords[caller.language];
  const person = await findPerson(caller.people.database, caller.who.person.id);
  const choices = languages.map((each) => [each, words.languages[each]] as const);
  return html`<section class="card"><h2>${words.profile}</h2>
${form(
  caller,
  html`${field('name', words.name, { value: person?.name, isRequired: true, maxLength: 100, autoComplete: 'name', error: errors.name })}
${select('language', words.language, choices, { value: person?.language })}
${button('profile', caller.words.save)}`,
)}</section>`;
}

/** Passkeys, password and codes. Their forms appear for ten minutes after reauthentication. */
export async function credentialCards(
  caller: OwnCaller,
  errors: FieldErrors,
  kept: Kept,
): Promise<Html> {
  const words = allWords[caller.language];
  const { isFresh, person } = caller.who;
  const gate = html`<section class="card"><h2>${words.locked}</h2><p>${words.lockedHint}</p>
<p><a class="button primary" href="${caller.address('/console/prove?next=/console/account')}">${words.prove}</a></p></section>`;
  const keys = await listPasskeys(caller.people, person.id);
  const hasNothing =
    caller.who.sso === undefined &&
    keys.length === 0 &&
    !(await findPerson(caller.people.database, person.id))?.hasPassword;
  const byLink = html`<section class="card"><h2>${words.byLink}</h2>${isFresh ? html`<p>${words.byLinkHint}</p>` : noWay(caller)}</section>`;
  return html`${hasNothing ? byLink : isFresh ? undefined : gate}
${await passkeysCard(caller, keys, errors)}
${await passwordCard(caller, errors, kept)}
${await pinCard(caller, kept.from === 'pin' ? errors : {})}`;
}

async function passkeysCard(
  caller: OwnCaller,
  keys: readonly ListedPasskey[],
  errors: FieldErrors,
): Promise<Html> {
  const words = allWords[caller.language];
  const { person, isFresh } = caller.who;
  const row = ({ id, label, createdAtMs, lastUsedAtMs }: ListedPasskey) => html`<li>
<div class="bar spread"><div><b>${named(label)}</b><p class="hint">${words.added} ${day(caller, createdAtMs)}${lastUsedAtMs === null ? undefined : html` · ${words.used} ${day(caller, lastUsedAtMs)}`}</p></div>
${isFresh ? form(caller, html`${hidden('passkey', formatId('pk', id))}<button name="action" value="remove-passkey" class="button danger" aria-label="${words.remove}: ${label}">${words.remove}</button>`) : undefined}</div>
<details class="more"><summary>${words.rename}</summary>
${form(caller, html`${hidden('passkey', formatId('pk', id))}<p class="bar"><input name="name" value="${label}" maxlength="60" required autocomplete="off" aria-label="${words.newName}"> ${button('rename-passkey', caller.words.save, 'plain')}</p>`)}</details>
</li>`;
  const list =
    keys.length === 0
      ? html`<p class="hint">${words.noPasskeys}</p>`
      : html`<ul class="things">${keys.map(row)}</ul>`;
  const adding =
    isFresh &&
    form(
      caller,
      html`${field('label', words.label, { hint: words.labelHint, maxLength: 60, error: errors.passkey })}
${passkeyButton(caller, 'create', await passkeyCreation(caller.people, person), words.add)}`,
    );
  return html`<section class="card"><h2>${words.passkeys}</h2><p class="hint">${words.passkeysHint}</p>${list}${adding || undefined}</section>`;
}

async function passwordCard(
  caller: OwnCaller,
  errors: FieldErrors,
  kept: Kept,
): Promise<Html | undefined> {
  const words = allWords[caller.language];
  const { people, who } = caller;
  const { id, email } = who.person;
  // A password is typed with the e-mail.
  if (email === null) return undefined;
  const hasPassword = (await findPerson(people.database, id))?.hasPassword ?? false;
  const left = hasPassword ? await countRecoveryCodes(people.database, id) : 0;
  const state = html`<p>${hasPassword ? words.hasPassword(left) : words.noPassword}</p>`;
  if (!who.isFresh) return html`<section class="card"><h2>${words.password}</h2>${state}</section>`;
  const again = kept.draft ? readDraft(people, id, email, kept.draft) : undefined;
  const setUp = form(
    caller,
    html`${passwordFields(caller, again ?? draftCodes(people, id, email), kept.from === 'codes' ? errors : {})}
${button('codes', words.setUp, hasPassword ? 'plain' : 'primary')}`,
  );
  const open = (name: string) => (kept.from === name ? html` open` : undefined);
  const change = html`<details class="more way"${open('password')}><summary>${words.change}</summary>
${form(caller, html`${newPasswordField(caller, kept.from === 'password' ? errors : {}, 'changed')}${button('password', words.change, 'plain')}`)}</details>
<details class="more way"><summary>${words.renew}</summary><p class="hint">${words.renewHint}</p>
${form(caller, button('recovery', words.renew, 'plain'))}</details>`;
  return html`<section class="card"><h2>${words.password}</h2>${state}
${hasPassword ? change : undefined}
<details class="more way"${open('codes')}><summary>${hasPassword ? words.newPhone : words.setUp}</summary>${setUp}</details>
</section>`;
}

/** The person's sessions, and buttons to end them. */
export async function sessionsCard(caller: OwnCaller): Promise<Html> {
  const words = allWords[caller.language];
  const { who, people } = caller;
  const sessions = await listSessions(people, who.person.id);
  const row = (session: ListedSession) => html`<li class="bar spread">
<div><b>${browserOf(session.userAgent) ?? words.unknown}</b>${session.id === who.sessionId ? html` <span class="status">${words.here}</span>` : undefined}
<p class="hint">${session.address ?? words.unknown} · ${words.with[session.signedInWith]} · ${words.seen} ${instant(caller, session.lastSeenAtMs)}</p></div>
${session.id === who.sessionId ? undefined : form(caller, html`${hidden('session', formatId('ss', session.id))}${button('end-session', words.end, 'plain')}`)}
</li>`;
  const others =
    sessions.length > 1 && form(caller, button('end-others', words.endOthers, 'danger'));
  return html`<section class="card"><h2>${words.sessions}</h2><p class="hint">${words.sessionsHint}</p>
<ul class="things">${sessions.map(row)}</ul>${others || undefined}</section>`;
}
