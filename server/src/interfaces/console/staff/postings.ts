import { accountSums } from '../../../money/ledger/balances.ts';
import { listPostings } from '../../../money/ledger/list-postings.ts';
import { listRefunds } from '../../../money/refunds/store.ts';
import { reversalsOf } from '../../../money/reversals/store.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { nameText } from '../../../storefront/checkout/page/state.ts';
import { findMerchant, findTenant } from '../../../tenants/merchants/store.ts';
import type { StaffPage, View } from '../page.ts';
import { field, hidden, notice } from '../parts/form.ts';
import { listSection } from '../parts/list-page.ts';
import type { StaffContext } from '../request-context.ts';
import { words as allWords } from './ledger.words.ts';
import { postingsAddress, postingsTable, sourceIn, sumsTable } from './ledger-parts.ts';

const mostRefunds = 100;
const longestSearch = 100;

/** A merchant's postings in one mode: all, newest payments first, or those of one object. */
export const postingsPage: StaffPage = {
  path: 'ledger/:id',
  permission: 'ledger.read',
  show: (visit) => view(visit),
};

const listWords = {
  pt: { title: allWords.pt.postings, nothing: allWords.pt.noPostings },
  en: { title: allWords.en.postings, nothing: allWords.en.noPostings },
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
  const { merchantId, mode } = asked;
  const sums = await accountSums(database, { merchantId, mode });
  const list = await listSection(visit, {
    words: listWords,
    async load({ services }, _, { limit, startingAfter }) {
      const after = positionIn(startingAfter);
      const page = { limit: limit + 1, sourceIds: sourceIds || undefined, after };
      return isWrong ? [] : listPostings(services.database, asked.tenantId, page);
    },
    cursor: ({ sourceId, kind }) => `${sourceId}.${kind}`,
    render: (_, __, rows) =>
      postingsTable(visit, rows, (source) => sourceAddress(visit, asked, source)),
  });
  const main = html`${modeLinks(visit, asked)}
${sums.length === 0 ? undefined : sumsTable(visit, sums)}
<h2>${asked.of === '' ? words.postings : html`${words.postingsOf} <bdi>${asked.of}</bdi>`}</h2>
${search(visit, asked)}
${isWrong ? notice(words.wrongId, 'bad') : undefined}
${list}`;
  const shownView = { title: nameText(asked.merchantName), main };
  return isWrong ? { ...shownView, status: 400 } : shownView;
}

/** Shows a payment's postings with those of its refunds and reversals. */
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

/** The last posting of the previous page; an invalid value starts at the newest. */
function positionIn(text = ''): { sourceId: string; kind: string } | undefined {
  const [sourceId = '', kind = ''] = text.split('.');
  const isPosition = sourceIn(sourceId) === sourceId && /^[a-z0-9_]{1,60}$/.test(kind);
  return isPosition ? { sourceId, kind } : undefined;
}

/** The page of a payment; for any other object, its postings. */
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
${field('of', words.postingsOf, { value: asked.of, type: 'search', placeholder: words.ofHint, maxLength: longestSearch })}
<div class="bar"><button class="button plain">${visit.words.find}</button>${all}</div></form>`;
}
