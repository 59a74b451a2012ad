import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { html } from '../../../platform/text/html.ts';
import type { SignInResult } from '../../../tenants/people/dependencies.ts';
import { passkeySignIn, signInWithPasskey } from '../../../tenants/people/passkeys.ts';
import { signInWithPassword } from '../../../tenants/people/sign-in.ts';
import type { Redirect, View } from '../page.ts';
import { button, field, form, notice } from '../parts/form.ts';
import type { Caller, Door } from './door.ts';
import { passkeyButton, passkeyScripts, pauseText, responseOf } from './parts.ts';
import { words as allWords } from './sign-in.words.ts';
import { leadOn, signOnCard } from './single-sign-on.ts';

/** Signs in, with a passkey or with password and code, and continues to the requested page. */
export const signInDoor: Door = {
  path: '/sign-in',
  async show(caller) {
    if (caller.who !== undefined) return onward(caller);
    const words = allWords[caller.language];
    const isOut = caller.query.get('done') === 'signed-out';
    return view(caller, isOut ? { said: { text: words.signedOut, kind: 'good' } } : {});
  },
  actions: {
    sso: (caller) => leadOn(caller, { kind: 'SIGN_IN' }, caller.next),
    async passkey(caller, sent) {
      const response = responseOf<AuthenticationResponseJSON>(sent.text('response'));
      const given = { ...caller.visitor, device: caller.device, response: response! };
      const result = await signInWithPasskey(caller.people, given);
      return enter(caller, result, { wrong: allWords[caller.language].wrongPasskey });
    },
    async password(caller, sent) {
      const { device, visitor, people, language } = caller;
      const email = sent.text('email');
      const given = { ...visitor, email, device, password: sent.all('password')[0] ?? '' };
      const result = await signInWithPassword(people, { ...given, code: sent.text('code') });
      return enter(caller, result, { wrong: allWords[language].wrong, email });
    },
  },
};

const onward = ({ next, address }: Caller): Redirect => ({ to: address(next ?? '/console') });

async function enter(
  caller: Caller,
  result: SignInResult,
  { wrong, email }: { wrong: string; email?: string },
): Promise<View | Redirect> {
  if (result.kind === 'SIGNED_IN') {
    await caller.enter(result);
    return onward(caller);
  }
  if (result.kind === 'WRONG') {
    return view(caller, { said: { text: wrong, kind: 'bad' }, email, status: 400 });
  }
  const { retryInMs } = result;
  const said = { text: pauseText(caller, retryInMs), kind: 'bad' } as const;
  return { ...(await view(caller, { said, email, status: 429 })), retryInMs };
}

interface Shown {
  said?: { text: string; kind: 'good' | 'bad' };
  email?: string | undefined;
  status?: number;
}

async function view(caller: Caller, { said, email, status = 200 }: Shown): Promise<View> {
  const words = allWords[caller.language];
  const options = await passkeySignIn(caller.people);
  const till = html`<p><a class="button plain wide" href="${caller.address('/console/till')}">${caller.words.changePerson}</a></p>`;
  const main = html`<h1>${words.title}</h1>
${said && notice(said.text, said.kind)}
${caller.till === undefined ? undefined : till}
<section class="card">
${form(caller, passkeyButton(caller, 'get', options, words.passkey))}
<p class="hint" data-with-passkey hidden>${words.passkeyHint}</p>
</section>
${signOnCard(caller)}
<section class="card">
<h2>${words.orPassword}</h2>
${form(
  caller,
  html`${field('email', words.email, { inputMode: 'email', value: email, autoComplete: 'username', isRequired: true, maxLength: 254 })}
${field('password', words.password, { type: 'password', autoComplete: 'current-password', isRequired: true, maxLength: 200 })}
${field('code', words.code, { autoComplete: 'one-time-code', isRequired: true, maxLength: 40, hint: words.codeHint })}
${button('password', words.signIn, 'plain')}`,
)}
</section>
<details class="more"><summary>${words.lost}</summary><p>${words.lostHint}</p></details>`;
  return { title: words.title, main, status, scripts: passkeyScripts };
}
