import { listPayments } from '../../../money/payments/list.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { isSetUp } from '../../../tenants/merchants/brand.ts';
import { hasColleagues } from '../../../tenants/people/members.ts';
import type { Permission } from '../../../tenants/people/permissions.ts';
import { icon } from '../icons.ts';
import type { MerchantContext } from '../request-context.ts';
import { words as allWords } from './first-steps.words.ts';

/** Suggestions for a shop without payments. */
export function firstSteps(visit: MerchantContext): Html | undefined {
  if (!visit.can('payments.charge')) return undefined;
  const { pages } = visit.words;
  const link = visit.can('links.write')
    ? html`<a class="button plain" href="${visit.to('links/new')}">${pages.links}</a>`
    : undefined;
  return html`<p class="bar"><a class="button primary" href="${visit.to('charge')}">${pages.charge}</a>${link}</p>`;
}

interface Step {
  name: 'look' | 'charge' | 'team';
  page: string;
  permission: Permission;
  isDone(visit: MerchantContext): Promise<boolean>;
}

const steps: readonly Step[] = [
  {
    name: 'look',
    page: 'settings',
    permission: 'settings.write',
    isDone: ({ services, merchant }) => isSetUp(services.database, merchant.id),
  },
  {
    name: 'charge',
    page: 'charge',
    permission: 'payments.charge',
    isDone: async ({ services, tenantId }) =>
      (await listPayments(services.database, tenantId, {}, { limit: 1 })).length > 0,
  },
  {
    name: 'team',
    page: 'team',
    permission: 'people.write',
    isDone: ({ services, merchant }) => hasColleagues(services.people, { merchantId: merchant.id }),
  },
];

/** What a new shop does next, as far as the role allows; undefined once all is done. */
export async function nextSteps(visit: MerchantContext): Promise<Html | undefined> {
  const words = allWords[visit.language];
  const own = steps.filter(({ permission }) => visit.can(permission));
  const shown = await Promise.all(
    own.map(async (step) => ({ ...step, isDone: await step.isDone(visit) })),
  );
  if (shown.every(({ isDone }) => isDone)) return undefined;
  const line = ({ name, page, isDone }: (typeof shown)[number]) => {
    const { title, hint } = words.steps[name];
    return isDone
      ? html`<li class="done">${icon('tick')}<div><b>${title}</b> <span class="hint">${words.isDone}</span></div></li>`
      : html`<li>${icon(page)}<div><a href="${visit.to(page)}"><b>${title}</b></a><p class="hint">${hint}</p></div></li>`;
  };
  return html`<section class="card"><h2>${words.title}</h2><ol class="steps">${shown.map(line)}</ol></section>`;
}
