import { html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { named } from '../../../storefront/checkout/page/state.ts';
import { staffFolderOf } from '../../../tenants/cells/staff-cells.ts';
import { demoEmail } from '../../../tenants/people/first-sign-in-link.ts';
import type { Team } from '../../../tenants/people/teams.ts';
import { empty } from '../parts/table.ts';
import { roleWords } from '../words/roles.ts';
import { staffRoleWords } from '../words/staff-roles.ts';
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

/** Where the staff of the gateway begin. */
export const staffHome = ({ address }: Pick<OwnCaller, 'address'>): string =>
  address(staffFolderOf(undefined));

/** The home of a team that somebody has just joined. */
export const homeOfTeam = (
  caller: Pick<OwnCaller, 'address'>,
  team: Team,
  email: string,
): string => ('merchantId' in team ? homeOf(caller, team.merchantId, email) : staffHome(caller));

/** Whoever works in several places chooses one; for one alone there is nothing to choose. */
export const merchantsDoor: Door<OwnCaller> = {
  path: '',
  show(caller) {
    const { who, language } = caller;
    const words = allWords[language];
    const { memberships, person, staffRole } = who;
    const places = memberships.map(({ merchantId, merchantName, role }) => ({
      to: homeOf(caller, merchantId, person.email),
      name: merchantName,
      as: roleWords[language][role].name,
    }));
    if (staffRole !== null) {
      const as = staffRoleWords[language][staffRole].name;
      places.unshift({ to: staffHome(caller), name: words.gateway, as });
    }
    const [only] = places;
    if (only !== undefined && places.length === 1) return Promise.resolve({ to: only.to });
    const list =
      places.length === 0
        ? empty(words.none, words.noneHint)
        : html`<ul class="choices">${places.map(
            ({ to, name, as }) =>
              html`<li><a href="${to}"><b>${named(name)}</b> <span class="hint">${as}</span></a></li>`,
          )}</ul>`;
    const main = html`${personBar(caller)}<h1>${words.title}</h1>${list}`;
    return Promise.resolve({ title: words.title, main });
  },
};
