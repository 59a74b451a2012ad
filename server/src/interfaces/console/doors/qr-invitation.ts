import { type Html, html } from '../../../platform/text/html.ts';
import { nameText } from '../../../storefront/checkout/page/state.ts';
import { acceptQr, passkeyForQr, type QrProof } from '../../../tenants/people/accept-qr.ts';
import type { OpenInvitation } from '../../../tenants/people/invitations.ts';
import type { Redirect, View } from '../page.ts';
import { button, type FieldErrors, field, form, notice } from '../parts/form.ts';
import { roleWords } from '../words/roles.ts';
import type { Caller } from './door.ts';
import { mistakesOf, passkeyButton, passkeyScripts } from './parts.ts';
import { words as allWords } from './qr-invitation.words.ts';
import { pinField } from './till-sign-in.ts';

/** The page behind a QR code, for somebody without e-mail: a name, and a PIN or a passkey. */
export async function qrView(
  caller: Caller,
  invitation: OpenInvitation,
  { errors = {}, name }: { errors?: FieldErrors; name?: string } = {},
): Promise<View> {
  const words = allWords[caller.language];
  const isNew = invitation.personId === null;
  const merchant = nameText(invitation.merchantName ?? '');
  const title = isNew ? words.title(merchant) : words.again;
  const { name: role, means } = roleWords[caller.language].CASHIER;
  const options = await passkeyForQr(caller.people, invitation, name || merchant);
  const named = field('name', words.name, {
    value: name,
    autoComplete: 'name',
    maxLength: 100,
    isRequired: true,
    error: errors.name,
  });
  const main = html`<h1>${title}</h1>
<p>${words.role} <b>${role}</b>. ${means}</p>
${errors.page === undefined ? undefined : notice(errors.page, 'bad')}
${form(
  caller,
  html`${isNew ? named : undefined}
${pinField(words.pin, errors.pin, words.pinHint)}
${button('pin', words.accept)}
<details class="more way"><summary>${words.orPasskey}</summary>
<p class="hint">${words.passkeyHint}</p>
${passkeyButton(caller, 'create', options, words.passkey)}
${errors.passkey === undefined ? undefined : notice(errors.passkey, 'bad')}</details>`,
)}`;
  return { title, main, scripts: passkeyScripts };
}

/** Accepts with a PIN, for the shop's phones, or with a passkey, which signs in here too. */
export async function acceptQrHere(
  caller: Caller,
  invitation: OpenInvitation,
  { name, proof }: { name: string; proof: QrProof },
): Promise<View | Redirect> {
  const { people, visitor, language, address } = caller;
  const words = allWords[language];
  const given = { ...visitor, token: caller.params.token ?? '', name, language, proof };
  try {
    const accepted = await acceptQr(people, given);
    if (accepted) {
      await caller.enter(accepted);
      return { to: address('/console') };
    }
  } catch (error) {
    const errors = mistakesOf(error, caller, { INVALID_STATE: words.over });
    return { ...(await qrView(caller, invitation, { errors, name })), status: 400 };
  }
  return { title: words.welcome, main: welcome(caller) };
}

function welcome({ language, till, address }: Caller): Html {
  const words = allWords[language];
  const go = html`<p><a class="button primary wide" href="${address('/console/till')}">${words.toTill}</a></p>`;
  return html`<h1>${words.welcome}</h1><p>${words.welcomeHint}</p>${till === undefined ? undefined : go}`;
}
