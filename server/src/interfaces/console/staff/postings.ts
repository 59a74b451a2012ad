import { accountSums } from '../../../money/ledger/balances.ts';
import { type ListedPosting, listPostings } from '../../../money/ledger/list-postings.ts';
import { listRefunds } from '../../../money/refunds/store.ts';
import { reversalsOf } from '../../../money/reversals/store.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { nameText } from '../../../storefront/checkout/page/state.ts';
import { findMerchant, findTenant } from '../../../tenants/merchants/store.ts';
import type { StaffPage, View } from '../page.ts';
import { field, hidden, notice } from '../parts/form.ts';
import { empty, pager } from '../parts/table.ts';
import type { StaffContext } from '../request-context.ts';
import { words as allWords } from './ledger.words.ts';
import { postingsAddress, postingsTable, sourceIn, sumsTable } from './ledger-parts.ts';

const limit = 50;
const mostRefunds = 100;
const longestSearch = 100;

/** What is booked of a merchant in one mode: all of it, the newest payments first, or what belongs to one thing. */
export const postingsPage: StaffPage = {
  path: 'ledger/:id',
  permission: 'ledger.read',
  show: (visit) => view(visit),
};

interface Asked {
  merchantId: string;
  merchantName: string;
  mode: 'live' | 'test';
  tenantId: string;
  of: string;
}

async function askedOf({ services, params, query }: StaffContext): Promise<Asked> {
  const merchantId = parseId('me', params.id ?? '');
  const merchant = merchantId && (await findMerchant(services.database, merchantId));
  const mode = query.get('mode') === 'test' ? 'test' : 'live';
  const tenant = merchantId && (await findTenant(services.database, merchantId, mode));
  if (!merchant || !tenant) throw notFound('merchant');
  const of = (query.get('of') ?? '').trim().slice(0, longestSearch);
  return { merchantId: merchant.id, merchantName: merchant.name, mode, tenantId: tenant.id, of };
}

async function view(visit: StaffContext): Promise<View> {
  const words = allWords[visit.language];
  const { database } = visit.services;
  const asked = await askedOf(visit);
  const source = asked.of === '' ? undefined : sourceIn(asked.of);
  const isWrong = asked.of !== '' && source === undefined;
  const sourceIds = source && (await partsOf(visit, asked.tenantId, source));
  const page = { limit: limit + 1, sourceIds: sourceIds || undefined, after: afterOf(visit) };
  const rows = isWrong ? [] : await listPostings(database, asked.tenantId, page);
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const { merchantId, mode } = asked;
  const sums = await accountSums(database, { merchantId, mode });
  const to = (of: string) => sourceAddress(visit, asked, of);
  const main = html`${modeLinks(visit, asked)}
${sums.length === 0 ? undefined : sumsTable(visit, sums)}
<h2>${asked.of === '' ? words.postings : html`${words.postingsOf} <bdi>${asked.of}</bdi>`}</h2>
${search(visit, asked)}
${isWrong ? notice(words.wrongId, 'bad') : undefined}
${shown.length === 0 ? empty(words.noPostings) : postingsTable(visit, shown, to)}
${pager(visit, visit.page, last && positionText(last))}`;
  const shownView = { title: nameText(asked.merchantName), main };
  return isWrong ? { ...shownView, status: 400 } : shownView;
}

/** A payment is booked with its refunds and reversals. */
async function partsOf(
  { services: { database } }: StaffContext,
  tenantId: string,
  id: string,
): Promise<string[]> {
  const [refunds, reversals] = await Promise.all([
    listRefunds(database, tenantId, { paymentId: id }, { limit: mostRefunds }),
    reversalsOf(database, tenantId, id),
  ]);
  return [id, ...[...refunds, ...reversals].map((each) => each.id)];
}

const positionText = ({ sourceId, kind }: ListedPosting) => `${sourceId}.${kind}`;

/** The last posting of the page before; what is none begins at the newest. */
function afterOf({ query }: StaffContext): { sourceId: string; kind: string } | undefined {
  const [sourceId = '', kind = ''] = (query.get('starting_after') ?? '').split('.');
  const isPosition = sourceIn(sourceId) === sourceId && /^[a-z0-9_]{1,60}$/.test(kind);
  return isPosition ? { sourceId, kind } : undefined;
}

/** The page of a payment; of anything else, what is booked of it. */
const sourceAddress = (visit: StaffContext, asked: Asked, source: string) =>
  parseId('pi', source) !== undefined && visit.can('payments.read')
    ? visit.to(`payments/${source}`)
    : postingsAddress(visit, asked, source);

function modeLinks(visit: StaffContext, asked: Asked): Html {
  const { words } = visit;
  const link = (mode: 'live' | 'test') =>
    mode === asked.mode
      ? html`<b aria-current="true">${words[mode]}</b>`
      : html`<a href="${postingsAddress(visit, { ...asked, mode })}">${words[mode]}</a>`;
  const merchant = visit.to(`merchants/${formatId('me', asked.merchantId)}`);
  return html`<p class="bar"><span class="unseen">${words.mode}:</span> ${link('live')} ${link('test')} · <a href="${merchant}">${allWords[visit.language].merchant}</a> · <a href="${visit.to('ledger')}">${allWords[visit.language].title}</a></p>`;
}

function search(visit: StaffContext, asked: Asked): Html {
  const words = allWords[visit.language];
  const all =
    asked.of === '' ? undefined : html`<a href="${postingsAddress(visit, asked)}">${words.all}</a>`;
  return html`<form class="filters" role="search">${hidden('mode', asked.mode)}
${field('of', words.of, { value: asked.of, type: 'search', placeholder: words.ofHint, maxLength: longestSearch })}
<div class="bar"><button class="button plain">${words.find}</button>${all}</div></form>`;
}
