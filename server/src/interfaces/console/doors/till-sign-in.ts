import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { named, nameText } from '../../../storefront/checkout/page/state.ts';
import { findTillPeople, type TillPerson } from '../../../tenants/people/pin-store.ts';
import { type PinResult, signInWithPin } from '../../../tenants/people/pins.ts';
import { findTill } from '../../../tenants/people/till-devices.ts';
import type { Redirect, View } from '../page.ts';
import { button, field, form, notice } from '../parts/form.ts';
import { empty } from '../parts/table.ts';
import type { SentForm } from '../request-context.ts';
import type { Caller, Door } from './door.ts';
import { homeOf } from './merchants.ts';
import { pauseText } from './parts.ts';
import { words as allWords } from './till-sign-in.words.ts';

/** On a shared phone, a person of the shop changes to themselves by their name and PIN. */
export const tillDoor: Door = {
  path: '/till',
  show: (caller) => view(caller),
  actions: { enter },
};

async function enter(caller: Caller, sent: SentForm): Promise<View | Redirect> {
  const { people, visitor, till, who } = caller;
  // Nobody has an empty id.
  const personId = parseId('pe', sent.text('person'));
  if (personId === undefined) return view(caller);
  const replaced = who && { id: who.sessionId, personId: who.person.id };
  const given = { ...visitor, till, personId, pin: sent.text('pin'), replaced };
  const result = await signInWithPin(people, given);
  if (result.kind !== 'SIGNED_IN') return refused(caller, result, personId);
  await caller.enter(result);
  return { to: homeOf(caller, result.merchantId, null) };
}

function refused(
  caller: Caller,
  result: Exclude<PinResult, { kind: 'SIGNED_IN' }>,
  personId: string,
): Promise<View> {
  const words = allWords[caller.language];
  const { kind } = result;
  if (kind === 'TOO_MANY') {
    const said = pauseText(caller, result.retryInMs);
    return view(caller, { said, personId, status: 429, retryInMs: result.retryInMs });
  }
  if (kind === 'WRONG')
    return view(caller, { said: words.wrong(result.left), personId, status: 400 });
  return view(caller, { said: kind === 'LOCKED' ? words.isLocked : words.notHere, status: 400 });
}

interface Shown {
  said?: string;
  personId?: string;
  status?: number;
  retryInMs?: number;
}

async function view(caller: Caller, shown: Shown = {}): Promise<View> {
  const words = allWords[caller.language];
  const till = await findTill(caller.people.database, caller.till);
  const signIn = html`<p><a href="${caller.address('/console/sign-in')}">${words.signIn}</a></p>`;
  if (!till) {
    const main = html`<h1>${words.noTill}</h1><p>${words.noTillHint}</p>${signIn}`;
    return { title: words.noTill, main };
  }
  const people = await findTillPeople(caller.people.database, till.merchantId);
  const { said, status = 200, retryInMs } = shown;
  const main = html`<h1>${words.title}</h1><p class="hint">${words.of(nameText(till.merchantName))}</p>
${said === undefined ? undefined : notice(said, 'bad')}
${people.length === 0 ? empty(words.nobody, words.nobodyHint) : pinForm(caller, people, shown)}
${signIn}`;
  return { title: words.title, main, status, ...(retryInMs !== undefined && { retryInMs }) };
}

function pinForm(caller: Caller, people: readonly TillPerson[], { personId }: Shown): Html {
  const words = allWords[caller.language];
  const chosen = personId ?? (people.length === 1 ? people[0]!.id : undefined);
  const choice = ({ id, name, isLocked }: TillPerson) => {
    const checked = id === chosen ? html` checked` : undefined;
    const disabled = isLocked ? html` disabled` : undefined;
    const state = isLocked ? html` <span class="status">${words.locked}</span>` : undefined;
    return html`<li><label><input type="radio" name="person" value="${formatId('pe', id)}" required${checked}${disabled}> <b>${named(name)}</b>${state}</label></li>`;
  };
  return form(
    caller,
    html`<p>${words.choose}</p>
<fieldset class="people"><legend class="unseen">${words.names}</legend><ul class="choices">${people.map(choice)}</ul></fieldset>
${pinField(words.pin)}
${button('enter', words.go)}`,
  );
}

/** A field for six digits, hidden while they are typed; password managers neither fill in nor store them. */
export const pinField = (label: string, error?: string, hint?: string): Html =>
  field('pin', label, {
    type: 'password',
    inputMode: 'numeric',
    autoComplete: 'off',
    maxLength: 6,
    isRequired: true,
    error,
    ...(hint !== undefined && { hint }),
  });
