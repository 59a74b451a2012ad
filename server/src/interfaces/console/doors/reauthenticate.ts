import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { type Html, html } from '../../../platform/text/html.ts';
import { findPerson } from '../../../tenants/people/account-store.ts';
import type { TooMany } from '../../../tenants/people/dependencies.ts';
import {
  passkeyReauthentication,
  reauthenticateWithPasskey,
} from '../../../tenants/people/passkeys.ts';
import { reauthenticateWithPassword } from '../../../tenants/people/sign-in.ts';
import type { Redirect, View } from '../page.ts';
import { button, field, form, notice } from '../parts/form.ts';
import type { Door, OwnCaller } from './door.ts';
import { noWay, passkeyButton, passkeyScripts, pauseText, personBar, responseOf } from './parts.ts';
import { words as allWords } from './reauthenticate.words.ts';
import { leadOn, signOnCard } from './single-sign-on.ts';

/** Before a sensitive action, the person proves that they still sit at the device. */
export const proveDoor: Door<OwnCaller> = {
  path: '/prove',
  show: (caller) => view(caller),
  actions: {
    sso: (caller) =>
      leadOn(caller, { kind: 'PROVE', sessionId: caller.who.sessionId }, caller.next),
    async passkey(caller, sent) {
      const response = responseOf<AuthenticationResponseJSON>(sent.text('response'));
      const result = await reauthenticateWithPasskey(caller.people, sessionOf(caller), response!);
      return goOn(caller, result, allWords[caller.language].wrongPasskey);
    },
    async password(caller, sent) {
      const password = sent.all('password')[0] ?? '';
      const given = { ...caller.visitor, password, code: sent.text('code') };
      const result = await reauthenticateWithPassword(caller.people, sessionOf(caller), given);
      return goOn(caller, result, allWords[caller.language].wrong);
    },
  },
};

const sessionOf = ({ who }: OwnCaller) => ({ id: who.sessionId, personId: who.person.id });

async function goOn(
  caller: OwnCaller,
  result: { kind: 'PROVEN' } | { kind: 'WRONG' } | TooMany,
  wrong: string,
): Promise<View | Redirect> {
  if (result.kind === 'PROVEN') return { to: caller.address(caller.next ?? '/console/account') };
  if (result.kind === 'WRONG') return view(caller, wrong, 400);
  const { retryInMs } = result;
  return { ...(await view(caller, pauseText(caller, retryInMs), 429)), retryInMs };
}

async function view(caller: OwnCaller, mistake?: string, status = 200): Promise<View> {
  const words = allWords[caller.language];
  const main = html`${personBar(caller)}<h1>${words.title}</h1>
<p>${words.why}</p>
${mistake === undefined ? undefined : notice(mistake, 'bad')}
${await ways(caller)}
<p><a href="${caller.address(caller.next ?? '/console/account')}">${words.back}</a></p>`;
  return { title: words.title, main, status, scripts: passkeyScripts };
}

async function ways(caller: OwnCaller): Promise<Html> {
  const words = allWords[caller.language];
  const person = await findPerson(caller.people.database, caller.who.person.id);
  const hasPasskeys = (person?.passkeys ?? 0) > 0;
  const withProvider = caller.who.sso === undefined ? undefined : signOnCard(caller);
  if (!hasPasskeys && !person?.hasPassword) return withProvider ?? noWay(caller);
  const session = { personId: caller.who.person.id };
  const options = hasPasskeys && (await passkeyReauthentication(caller.people, session));
  const withPasskey =
    options &&
    html`<section class="card">${form(caller, passkeyButton(caller, 'get', options, words.passkey))}</section>`;
  const withPassword =
    person?.hasPassword &&
    html`<section class="card">
<h2>${words.withPassword}</h2>
${form(
  caller,
  html`<input class="unseen" type="text" name="username" value="${person.email ?? undefined}" autocomplete="username" tabindex="-1" aria-hidden="true" readonly>
${field('password', words.password, { type: 'password', autoComplete: 'current-password', isRequired: true, maxLength: 200 })}
${field('code', words.code, { autoComplete: 'one-time-code', isRequired: true, maxLength: 40, hint: words.codeHint })}
${button('password', words.go, hasPasskeys ? 'plain' : 'primary')}`,
)}
</section>`;
  return html`${withProvider}${withPasskey || undefined}${withPassword || undefined}`;
}
