import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { DomainError } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { nameText } from '../../../storefront/checkout/page/state.ts';
import {
  AccountExists,
  acceptInvitation,
  codesForLink,
  joinTeam,
  type Proof,
  passkeyForLink,
} from '../../../tenants/people/accept-invitation.ts';
import type { QrProof } from '../../../tenants/people/accept-qr.ts';
import { findInvitation, type OpenInvitation } from '../../../tenants/people/invitations.ts';
import { NameTaken } from '../../../tenants/people/member-store.ts';
import type { Redirect, View } from '../page.ts';
import { button, type FieldErrors, field, form, hidden, notice } from '../parts/form.ts';
import type { SentForm } from '../request-context.ts';
import { roleName, roleWords } from '../words/roles.ts';
import { staffRoleWords } from '../words/staff-roles.ts';
import { browserOf } from './browser-name.ts';
import type { Caller, Door } from './door.ts';
import { words as allWords } from './invitation.words.ts';
import { homeOfTeam } from './merchants.ts';
import {
  mistakesOf,
  passkeyButton,
  passkeyScripts,
  passwordFields,
  recoveryCodes,
  responseOf,
  signInFirst,
} from './parts.ts';
import { acceptQrHere, qrView } from './qr-invitation.ts';
import { leadOn, signOnCard } from './single-sign-on.ts';

/** Accepts an invitation, or recovers a lost account. Opening the link does not use it up. */
export const invitationDoor: Door = {
  path: '/invitation/:token',
  async show(caller) {
    const invitation = await findInvitation(caller.people, tokenOf(caller));
    return invitation ? view(caller, invitation) : over(caller);
  },
  actions: {
    sso: (caller) => leadOn(caller, { kind: 'INVITATION', token: tokenOf(caller) }),
    pin: (caller, sent) => accept(caller, sent, { kind: 'PIN', pin: sent.text('pin') }),
    passkey: (caller, sent) => {
      const response = responseOf<RegistrationResponseJSON>(sent.text('response'))!;
      const label = browserOf(caller.visitor.userAgent) ?? '';
      return accept(caller, sent, { kind: 'PASSKEY', response, label });
    },
    password: (caller, sent) => {
      const [password = '', draft, code] = [
        sent.all('password')[0],
        sent.text('draft'),
        sent.text('code'),
      ];
      return accept(caller, sent, { kind: 'PASSWORD', password, draft, code });
    },
    async join(caller) {
      const { people, who, visitor } = caller;
      if (who === undefined) return signInFirst(caller);
      const given = { ...visitor, token: tokenOf(caller) };
      const session = { personId: who.person.id };
      try {
        const joined = await overOr(joinTeam(people, session, given));
        if (joined === undefined) return over(caller);
        return { to: homeOfTeam(caller, joined, who.person.email) };
      } catch (error) {
        if (!(error instanceof NameTaken)) throw error;
        const invitation = (await findInvitation(people, given.token))!;
        const errors = { page: allWords[caller.language].nameTaken };
        return { ...(await view(caller, invitation, errors)), status: 400 };
      }
    },
  },
};

const tokenOf = ({ params }: Caller) => params.token ?? '';

async function accept(
  caller: Caller,
  sent: SentForm,
  proof: Proof | QrProof,
): Promise<View | Redirect> {
  const { people, visitor, language } = caller;
  const invitation = await findInvitation(people, tokenOf(caller));
  if (!invitation) return over(caller);
  const name = sent.text('name');
  // A PIN is for people without e-mail, and a password for the others.
  if (invitation.email === null) {
    const isPossible = proof.kind === 'PIN' || proof.kind === 'PASSKEY';
    return isPossible
      ? acceptQrHere(caller, invitation, { name, proof })
      : view(caller, invitation);
  }
  if (proof.kind === 'PIN') return view(caller, invitation);
  const given = { ...visitor, token: tokenOf(caller), name, language, proof };
  try {
    const accepted = await overOr(acceptInvitation(people, given));
    if (accepted === undefined) return over(caller);
    await caller.enter(accepted);
    if (accepted.recoveryCodes.length === 0) return { to: caller.address('/console') };
    const title = allWords[language].welcome;
    const next = caller.address('/console');
    return { title, main: recoveryCodes(caller, accepted.recoveryCodes, next) };
  } catch (error) {
    const errors =
      error instanceof AccountExists
        ? { page: allWords[language].accountExists }
        : mistakesOf(error, caller);
    const kept = { name, draft: sent.text('draft'), kind: proof.kind };
    return { ...(await view(caller, invitation, errors, kept)), status: 400 };
  }
}

/** Undefined if the link was used or revoked meanwhile. */
async function overOr<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    const isOver = error instanceof DomainError && error.code === 'INVALID_STATE';
    if (isOver && !(error instanceof AccountExists)) return undefined;
    throw error;
  }
}

function over({ language }: Caller): View {
  const words = allWords[language];
  const main = html`<h1>${words.over}</h1>${notice(words.overHint, 'bad')}`;
  return { title: words.over, main, status: 404 };
}

interface Kept {
  name: string;
  draft: string;
  kind: Proof['kind'];
}

async function view(
  caller: Caller,
  invitation: OpenInvitation,
  errors: FieldErrors = {},
  kept?: Kept,
): Promise<View> {
  if (invitation.email === null) return qrView(caller, invitation);
  const words = allWords[caller.language];
  const { kind, merchantName, staffRole } = invitation;
  const inviting =
    staffRole === null ? words.title(nameText(merchantName ?? '')) : words.staffTitle;
  const title = kind === 'RESET' ? words.reset : inviting;
  const intro = introOf(caller, invitation) ?? html`<p>${words.resetHint}</p>`;
  // The link alone does not reveal whether its e-mail has an account: otherwise an inviter could
  // check that for anybody.
  const who = kind === 'INVITATION' ? caller.who : undefined;
  const main = html`<h1>${title}</h1>${intro}
<p class="hint">${words.isFor} ${invitation.email}</p>
${who ? member(caller, who, invitation, errors) : await newcomer(caller, invitation, errors, kept)}`;
  return { title, main, scripts: passkeyScripts };
}

/** What the role allows; a merchant's custom role says it by its name. */
function introOf({ language }: Caller, invitation: OpenInvitation): Html | undefined {
  const { role, roleName: own, staffRole } = invitation;
  const words = allWords[language];
  if (role === 'CUSTOM')
    return html`<p>${words.role} <b>${roleName(language, { role, roleName: own })}</b>.</p>`;
  const means =
    (role && roleWords[language][role]) ?? (staffRole && staffRoleWords[language][staffRole]);
  return means ? html`<p>${words.role} <b>${means.name}</b>. ${means.means}</p>` : undefined;
}

/** A signed-in person joins with their account. */
function member(
  caller: Caller,
  who: NonNullable<Caller['who']>,
  { email }: OpenInvitation,
  { page }: FieldErrors,
): Html {
  const words = allWords[caller.language];
  const { address } = caller;
  if (who.person.email?.toLowerCase() !== email) {
    return html`${notice(words.otherAccount(who.person.email ?? who.person.name), 'note')}
<form method="post" action="${address('/console/sign-out')}">${hidden('csrf', who.csrfToken)}<button class="button plain">${caller.words.signOut}</button></form>`;
  }
  const join = html`<button name="action" value="join" class="button primary wide">${words.join}</button>`;
  return html`${page === undefined ? undefined : notice(page, 'bad')}${form(caller, join)}`;
}

async function newcomer(
  caller: Caller,
  invitation: OpenInvitation,
  errors: FieldErrors,
  kept: Kept | undefined,
): Promise<Html> {
  const words = allWords[caller.language];
  const options = await passkeyForLink(caller.people, invitation, kept?.name ?? '');
  const codes = codesForLink(caller.people, invitation, kept?.draft);
  const name =
    invitation.kind === 'RESET'
      ? undefined
      : field('name', words.name, {
          value: kept?.name,
          autoComplete: 'name',
          maxLength: 100,
          isRequired: true,
          error: errors.name,
        });
  const isOpen = kept?.kind === 'PASSWORD' ? html` open` : undefined;
  const isInvitation = invitation.kind === 'INVITATION';
  const signIn = html`<p>${words.haveAccount} <a href="${signInFirst(caller).to}">${words.signIn}</a></p>`;
  return html`${errors.page === undefined ? undefined : notice(errors.page, 'bad')}
${isInvitation ? html`${signIn}${signOnCard(caller)}` : undefined}${form(
  caller,
  html`${name}
${passkeyButton(caller, 'create', options, words.passkey)}
${errors.passkey === undefined ? undefined : notice(errors.passkey, 'bad')}
<p class="hint">${words.passkeyHint}</p>
<details class="more way"${isOpen}><summary>${words.orPassword}</summary>
<div class="fields">
<input class="unseen" type="text" name="username" value="${invitation.email ?? undefined}" autocomplete="username" tabindex="-1" aria-hidden="true" readonly>
${passwordFields(caller, codes, errors)}
${button('password', words.accept, 'plain')}
</div></details>`,
)}`;
}
