import { html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { named } from '../../../storefront/checkout/page/state.ts';
import { staffFolderOf } from '../../../tenants/cells/staff-cells.ts';
import { demoEmail } from '../../../tenants/people/first-sign-in-link.ts';
import type { Team } from '../../../tenants/people/teams.ts';
import { empty } from '../parts/table.ts';
import { roleName } from '../words/roles.ts';
import { staffRoleWords } from '../words/staff-roles.ts';
import type { Door, OwnCaller } from './door.ts';
import { words as allWords } from './merchants.words.ts';
import { personBar } from './parts.ts';

/** The home page of a merchant; newcomers of the demo stay in test mode. */
export const homeOf = (
  { address }: Pick<OwnCaller, 'address'>,
  merchantId: string,
  email: string | null,
): string =>
  address(`/console/${formatId('me', merchantId)}/${email === demoEmail ? 'test' : 'live'}`);

/** The start page of staff. */
export const staffHome = ({ address }: Pick<OwnCaller, 'address'>): string =>
  address(staffFolderOf(undefined));

/** The home page of a team that a person has just joined. */
export const homeOfTeam = (
  caller: Pick<OwnCaller, 'address'>,
  team: Team,
  email: string | null,
): string => ('merchantId' in team ? homeOf(caller, team.merchantId, email) : staffHome(caller));

/** People with several places choose one; with a single place, the page redirects there. */
export const merchantsDoor: Door<OwnCaller> = {
  path: '',
  show(caller) {
    const { who, language } = caller;
    const words = allWords[language];
    const { memberships, person, staffRole } = who;
    const places = memberships.map((membership) => ({
      to: homeOf(caller, membership.merchantId, person.email),
      name: membership.merchantName,
      as: roleName(language, membership),
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
