import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { isLoopback } from '../../../platform/network/networks.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { draftCodes, readDraft } from '../../../tenants/people/credentials.ts';
import {
  type DemoOwner,
  type FirstMethod,
  findFirstLink,
  useFirstLink,
} from '../../../tenants/people/first-sign-in-link.ts';
import { passkeyCreation } from '../../../tenants/people/passkeys.ts';
import type { Redirect, View } from '../page.ts';
import { button, type FieldErrors, form, notice } from '../parts/form.ts';
import type { SentForm } from '../request-context.ts';
import { browserOf } from './browser-name.ts';
import type { Caller, Door } from './door.ts';
import {
  mistakesOf,
  passkeyButton,
  passkeyScripts,
  passwordFields,
  recoveryCodes,
  responseOf,
} from './parts.ts';
import { words as allWords } from './welcome.words.ts';

/**
 * The link that the first start prints. Opening it does not use it up, because browsers, terminals
 * and virus scanners fetch links before people do. Its buttons sign in, with a passkey or a password
 * for later if the person likes.
 */
export const welcomeDoor: Door = {
  path: '/welcome/:token',
  show: (caller) => view(caller),
  actions: {
    '': (caller) => enter(caller),
    passkey(caller, sent) {
      const response = responseOf<RegistrationResponseJSON>(sent.text('response'))!;
      const label = browserOf(caller.visitor.userAgent) ?? '';
      return enter(caller, sent, { kind: 'PASSKEY', response, label });
    },
    password(caller, sent) {
      const [draft, code] = [sent.text('draft'), sent.text('code')];
      const password = sent.all('password')[0] ?? '';
      return enter(caller, sent, { kind: 'PASSWORD', password, draft, code });
    },
  },
};

async function enter(
  caller: Caller,
  sent?: SentForm,
  method?: FirstMethod,
): Promise<View | Redirect> {
  const { people, visitor, language, address } = caller;
  const given = { ...visitor, address: nearest(caller), language, ...(method && { method }) };
  try {
    const entered = await useFirstLink(people, tokenOf(caller), given);
    if (entered === undefined) return over(caller);
    await caller.enter(entered);
    const shop = address(`/console/${formatId('me', entered.merchantId)}/test`);
    if (entered.recoveryCodes.length === 0) return { to: shop };
    const main = recoveryCodes(caller, entered.recoveryCodes, shop);
    return { title: allWords[language].title, main };
  } catch (error) {
    const errors = mistakesOf(error, caller);
    return { ...(await view(caller, errors, sent?.text('draft'))), status: 400 };
  }
}

const tokenOf = ({ params }: Caller) => params.token ?? '';

/** With a proxy on this machine, its client must be on this machine, too. */
function nearest({ socketAddress, visitor }: Caller): string | null {
  return isLoopback(socketAddress.replace(/^::ffff:/, '')) ? visitor.address : socketAddress;
}

function over({ language }: Caller): View {
  const words = allWords[language];
  const main = html`<h1>${words.over}</h1>${notice(words.overHint, 'bad')}`;
  return { title: words.title, main, status: 404 };
}

/** @param draft of the one-time codes, if the form is shown again */
async function view(caller: Caller, errors: FieldErrors = {}, draft?: string): Promise<View> {
  const words = allWords[caller.language];
  const owner = await findFirstLink(caller.people, tokenOf(caller), nearest(caller));
  const main = html`<h1>${words.title}</h1><p>${words.hint}</p>
${form(caller, html`<button class="button primary wide">${words.go}</button>`)}
${owner === undefined || owner.hasMethod ? undefined : await methods(caller, owner, errors, draft)}`;
  return { title: words.title, main, scripts: passkeyScripts };
}

/** A passkey or a password, without which the session can prove nobody's identity after ten minutes. */
async function methods(
  caller: Caller,
  { personId: id, email }: DemoOwner,
  errors: FieldErrors,
  draft: string | undefined,
): Promise<Html> {
  const words = allWords[caller.language];
  const { people } = caller;
  const options = await passkeyCreation(people, { id, email, name: 'Demo' });
  const again = draft === undefined ? undefined : readDraft(people, id, email, draft);
  const isOpen = draft === undefined || draft === '' ? undefined : html` open`;
  return html`<section class="card"><h2>${words.keep}</h2><p class="hint">${words.keepHint}</p>
${errors.page === undefined ? undefined : notice(errors.page, 'bad')}
${form(
  caller,
  html`${passkeyButton(caller, 'create', options, words.passkey)}
${errors.passkey === undefined ? undefined : notice(errors.passkey, 'bad')}
<details class="more way"${isOpen}><summary>${words.orPassword}</summary>
<div class="fields">
<input class="unseen" type="text" name="username" value="${email}" autocomplete="username" tabindex="-1" aria-hidden="true" readonly>
${passwordFields(caller, again ?? draftCodes(people, id, email), errors)}
${button('password', words.withPassword, 'plain')}
</div></details>`,
)}</section>`;
}
