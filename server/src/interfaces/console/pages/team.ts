import { notFound } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { named } from '../../../storefront/checkout/page/state.ts';
import { invitationUrl, inviteByQr } from '../../../tenants/people/invitations.ts';
import { listMerchantRoles } from '../../../tenants/people/merchant-roles.ts';
import { roles } from '../../../tenants/people/permissions.ts';
import { listTills, revokeTill, type TillDevice } from '../../../tenants/people/till-devices.ts';
import type { ConsolePage } from '../page.ts';
import { authorAtHome, inviter } from '../parts/author.ts';
import { form, hidden } from '../parts/form.ts';
import { day } from '../parts/format.ts';
import { teamPageOf } from '../parts/team.ts';
import { teamWords } from '../parts/team.words.ts';
import type { QrCode } from '../parts/team-kind.ts';
import type { MerchantContext } from '../request-context.ts';
import { roleWords } from '../words/roles.ts';

/** The merchant's members with their roles and shared phones; owners invite, change and remove. */
export const teamPage: ConsolePage = teamPageOf({
  teamOf: ({ merchant }) => ({ merchantId: merchant.id }),
  permissions: { read: 'people.read', write: 'people.write' },
  canWrite: (visit) => visit.can('people.write'),
  roles,
  suggested: 'SUPPORT',
  least: 'VIEWER',
  words: ({ language }) => teamWords[language],
  roleWords: ({ language }) => roleWords[language],
  ownRoles: ({ services, merchant }) => listMerchantRoles(services.people, merchant.id),
  makeQr,
  cards: tillsCard,
  otherActions: {
    async 'end-till'(visit, sent) {
      const id = parseId('td', sent.text('till'));
      const merchantId = visit.merchant.id;
      const isEnded =
        id !== undefined && (await revokeTill(authorAtHome(visit), { id, merchantId }));
      if (!isEnded) throw notFound('till');
    },
  },
});

async function makeQr(visit: MerchantContext, personId: string | null): Promise<QrCode> {
  const order = { merchantId: visit.merchant.id, personId };
  const { token, expiresAtMs } = await inviteByQr(inviter(visit), order);
  return { url: invitationUrl(visit.services.people.consoleUrl, token), expiresAtMs };
}

/** The phones on which people change by PIN. */
async function tillsCard(visit: MerchantContext): Promise<Html> {
  const words = teamWords[visit.language];
  const tills = await listTills(visit.services.people, { merchantId: visit.merchant.id });
  const row = ({ id, label, enrolledBy, createdAtMs }: TillDevice) => html`<li class="bar spread">
<div><b>${named(label)}</b><p class="hint">${words.enrolledBy} ${named(enrolledBy)} · ${day(visit, createdAtMs)}</p></div>
${form(visit, html`${hidden('till', formatId('td', id))}<button name="action" value="end-till" class="button danger" aria-label="${words.revokeTillOf(label)}">${words.revokeTill}</button>`)}
</li>`;
  const list =
    tills.length === 0
      ? html`<p>${words.noTills}</p>`
      : html`<ul class="things">${tills.map(row)}</ul>`;
  return html`<section class="card"><h2>${words.tills}</h2><p class="hint">${words.tillsHint}</p>${list}</section>`;
}
