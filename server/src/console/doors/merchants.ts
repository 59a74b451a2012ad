import { named } from '../../checkout/page/state.ts';
import { html } from '../../html.ts';
import { formatId } from '../../ids.ts';
import { demoEmail } from '../../people/first-link.ts';
import type { Membership } from '../../people/person.ts';
import { empty } from '../parts/table.ts';
import { roleWords } from '../words/roles.ts';
import type { Door, OwnCaller } from './door.ts';
import { words as allWords } from './merchants.words.ts';
import { personBar } from './parts.ts';

/** The home of a merchant; newcomers of the demo stay where no money moves. */
export const homeOf = (
  { address }: Pick<OwnCaller, 'address'>,
  merchantId: string,
  email: string,
): string =>
  address(`/console/${formatId('me', merchantId)}/${email === demoEmail ? 'test' : 'live'}`);

/** Whoever works for several merchants chooses one; for one alone there is nothing to choose. */
export const merchantsDoor: Door<OwnCaller> = {
  path: '',
  show(caller) {
    const { who, language } = caller;
    const words = allWords[language];
    const { memberships, person } = who;
    if (memberships.length === 1) {
      return Promise.resolve({ to: homeOf(caller, memberships[0]!.merchantId, person.email) });
    }
    const link = ({ merchantId, merchantName, role }: Membership) =>
      html`<li><a href="${homeOf(caller, merchantId, person.email)}"><b>${named(merchantName)}</b> <span class="hint">${roleWords[language][role].name}</span></a></li>`;
    const list =
      memberships.length === 0
        ? empty(words.none, words.noneHint)
        : html`<ul class="choices">${memberships.map(link)}</ul>`;
    const main = html`${personBar(caller)}<h1>${words.title}</h1>${list}`;
    return Promise.resolve({ title: words.title, main });
  },
};
