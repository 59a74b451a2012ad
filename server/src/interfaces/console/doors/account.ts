import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { forbidden } from '../../../platform/errors/errors.ts';
import { html } from '../../../platform/text/html.ts';
import { parseId } from '../../../platform/values/ids.ts';
import {
  changePassword,
  changeProfile,
  renewRecoveryCodes,
  setPassword,
} from '../../../tenants/people/credentials.ts';
import { renamePasskey } from '../../../tenants/people/passkey-label.ts';
import { addPasskey, removePasskey } from '../../../tenants/people/passkeys.ts';
import { holds } from '../../../tenants/people/permissions.ts';
import { removePin, setPin } from '../../../tenants/people/pins.ts';
import { authorOf, endOtherSessions, endSession } from '../../../tenants/people/sessions.ts';
import { unlinkIdentity } from '../../../tenants/people/sso/sign-on.ts';
import { enrolTill, revokeTill } from '../../../tenants/people/till-devices.ts';
import type { Redirect, View } from '../page.ts';
import { type FieldErrors, notice } from '../parts/form.ts';
import { doneNotice } from '../parts/success-notice.ts';
import type { SentForm } from '../request-context.ts';
import { languages } from '../words/common.ts';
import { words as allWords } from './account.words.ts';
import { credentialCards, profileCard, sessionsCard } from './account-cards.ts';
import { identitiesCard } from './account-identities.ts';
import { noticesCard, saveNotices } from './account-notices.ts';
import { tillsCard } from './account-till.ts';
import { browserOf } from './browser-name.ts';
import type { Door, OwnCaller } from './door.ts';
import { mistakesOf, passkeyScripts, personBar, recoveryCodes, responseOf } from './parts.ts';
import { leadOn } from './single-sign-on.ts';

type Work = (caller: OwnCaller, sent: SentForm) => Promise<View | Redirect>;

/** A person's name, sign-in methods and sessions. */
export const accountDoor: Door<OwnCaller> = {
  path: '/account',
  show: (caller) => view(caller),
  actions: {
    profile: corrected(async (caller, sent) => {
      const language = languages.find((each) => each === sent.text('language')) ?? caller.language;
      const profile = { name: sent.text('name'), language };
      await changeProfile(caller.people, caller.who.person.id, profile);
      caller.speak(language);
      return done(caller, 'profile');
    }),
    notices: corrected(async (caller, sent) => {
      await saveNotices(caller, sent);
      return done(caller, 'profile');
    }),
    passkey: sensitive(async (caller, sent) => {
      const { people, visitor, who } = caller;
      const response = responseOf<RegistrationResponseJSON>(sent.text('response'))!;
      const given = {
        ...visitor,
        response,
        label: sent.text('label') || (browserOf(visitor.userAgent) ?? ''),
      };
      await addPasskey(people, { personId: who.person.id }, given);
      return done(caller, 'passkey');
    }),
    'rename-passkey': corrected(async (caller, sent) => {
      const passkey = { personId: caller.who.person.id, id: passkeyIn(caller, sent) };
      await renamePasskey(caller.people, passkey, sent.text('name'));
      return done(caller, 'passkey-renamed');
    }),
    'remove-passkey': sensitive(async (caller, sent) => {
      const passkey = { ...caller.visitor, id: passkeyIn(caller, sent) };
      await removePasskey(caller.people, sessionOf(caller), passkey);
      return done(caller, 'passkey-removed');
    }),
    password: sensitive(async (caller, sent) => {
      const given = { ...caller.visitor, password: sent.all('changed')[0] ?? '' };
      await changePassword(caller.people, sessionOf(caller), given);
      return done(caller, 'password');
    }),
    codes: sensitive(async (caller, sent) => {
      const [draft, code] = [sent.text('draft'), sent.text('code')];
      const given = { ...caller.visitor, password: sent.all('password')[0] ?? '', draft, code };
      return shown(caller, await setPassword(caller.people, sessionOf(caller), given));
    }),
    recovery: sensitive(async (caller) =>
      shown(caller, await renewRecoveryCodes(caller.people, sessionOf(caller), caller.visitor)),
    ),
    pin: sensitive(async (caller, sent) => {
      const pin = { ...caller.visitor, pin: sent.text('pin') };
      await setPin(caller.people, sessionOf(caller), pin);
      return done(caller, 'pin');
    }),
    'remove-pin': sensitive(async (caller) => {
      await removePin(caller.people, sessionOf(caller), caller.visitor);
      return done(caller, 'pin-removed');
    }),
    till: sensitive(async (caller, sent) => {
      const merchantId = parseId('me', sent.text('merchant'));
      const at = caller.who.memberships.find((each) => each.merchantId === merchantId);
      if (!at || !holds(at, 'payments.charge')) throw forbidden('lacks payments.charge');
      const label = browserOf(caller.visitor.userAgent) ?? '';
      const { person, sessionId } = caller.who;
      const order = { merchantId: at.merchantId, personId: person.id, sessionId, label };
      caller.keepTill(await enrolTill(authored(caller), { ...order, replaced: caller.till }));
      // Somebody else may pick the phone up next.
      await endSession(authored(caller), sessionOf(caller));
      caller.leave();
      return { to: caller.address('/console/till') };
    }),
    'end-till': corrected(async (caller, sent) => {
      const till = { personId: caller.who.person.id, id: parseId('td', sent.text('till')) ?? '' };
      if (till.id !== '') await revokeTill(authored(caller), till);
      return done(caller, 'till-ended');
    }),
    link: sensitive((caller) => leadOn(caller, { kind: 'LINK', sessionId: caller.who.sessionId })),
    unlink: sensitive(async (caller, sent) => {
      const identity = { issuer: sent.text('issuer'), subject: sent.text('subject') };
      await unlinkIdentity(caller.people, caller.who.person.id, identity, caller.visitor);
      return done(caller, 'unlinked');
    }),
    'end-session': async (caller, sent) => {
      const id = parseId('ss', sent.text('session'));
      const personId = caller.who.person.id;
      if (id !== undefined) await endSession(authored(caller), { personId, id });
      return done(caller, 'sessions');
    },
    'end-others': async (caller) => {
      await endOtherSessions(authored(caller), sessionOf(caller));
      return done(caller, 'sessions');
    },
  },
};

// No passkey has a person's id.
const passkeyIn = ({ who }: OwnCaller, sent: SentForm) =>
  parseId('pk', sent.text('passkey')) ?? who.person.id;

const sessionOf = ({ who }: OwnCaller) => ({
  id: who.sessionId,
  personId: who.person.id,
  email: who.person.email,
});

const authored = ({ people, who, visitor }: OwnCaller) => ({
  ...people,
  ...authorOf(who.person.id, visitor),
});

const done = ({ address }: OwnCaller, what: string): Redirect => ({
  to: address(`/console/account?done=${what}`),
});

function shown(caller: OwnCaller, codes: readonly string[]): View {
  const main = recoveryCodes(caller, codes, caller.address('/console/account'));
  return { title: allWords[caller.language].title, main };
}

/** Sign-in methods may only change after reauthentication. */
function sensitive(work: Work): Work {
  const careful = corrected(work);
  return (caller, sent) =>
    caller.who.isFresh
      ? careful(caller, sent)
      : Promise.resolve({ to: caller.address('/console/prove?next=/console/account') });
}

/** Shows the page again with the mistakes of a form. */
function corrected(work: Work): Work {
  return async (caller, sent) => {
    try {
      return await work(caller, sent);
    } catch (error) {
      const words = allWords[caller.language];
      const codes = { INVALID_STATE: words.refused, LIMIT_REACHED: words.tooMany };
      const errors = mistakesOf(error, caller, codes);
      const kept = { from: sent.text('action'), draft: sent.text('draft') };
      return { ...(await view(caller, errors, kept)), status: 400 };
    }
  };
}

/** For a form shown again: its name, and its input. */
export interface Kept {
  from?: string;
  draft?: string;
}

async function view(caller: OwnCaller, errors: FieldErrors = {}, kept: Kept = {}): Promise<View> {
  const words = allWords[caller.language];
  const main = html`${personBar(caller)}<h1>${words.title}</h1>
<div class="broad">
${errors.page === undefined ? doneNotice(caller, words.done) : notice(errors.page, 'bad')}
${await profileCard(caller, errors)}
${await credentialCards(caller, errors, kept)}
${await noticesCard(caller, kept.from === 'notices' ? errors : {})}
${await tillsCard(caller)}
${await identitiesCard(caller)}
${await sessionsCard(caller)}
<p><a href="${caller.address('/console')}">${words.back}</a></p>
</div>`;
  return { title: words.title, main, scripts: passkeyScripts };
}
