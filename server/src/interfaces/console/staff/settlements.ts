import { settlementStatuses } from '../../../money/settlements/settlement.ts';
import { listAllSettlements } from '../../../money/settlements/store.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { mergeRows } from '../../../tenants/cells/all-cells.ts';
import { findMerchants, type Merchant, searchMerchants } from '../../../tenants/merchants/store.ts';
import type { StaffPage } from '../page.ts';
import { choice, filtersOf, mode, text } from '../parts/filters.ts';
import { given, instant } from '../parts/format.ts';
import { listPage } from '../parts/list-page.ts';
import { settlementColumns } from '../parts/settlement.ts';
import { askedOf, empty } from '../parts/table.ts';
import { everywhere, visitOf } from '../query-all-cells.ts';
import type { StaffContext } from '../request-context.ts';
import { cellColumn } from './cells.ts';
import { words as allWords } from './settlements.words.ts';

const shownMerchants = 10;

/** Payouts of all merchants to their banks, newest first. */
export const staffSettlementsPage: StaffPage = listPage({
  path: 'settlements',
  permission: 'settlements.read',
  words: allWords,
  filters: (visit, words) =>
    filtersOf(visit, {
      merchant: text(words.merchant, { type: 'search', placeholder: words.merchantHint }),
      status: choice(visit, words.status, settlementStatuses, visit.words.statuses),
      mode: mode(visit),
    }),
  async load(visit, { merchant, status, mode }, page) {
    const merchants = merchant === undefined ? [] : await merchantsOf(visit, merchant);
    if (merchant !== undefined && merchants.length !== 1) {
      return { rows: undefined, note: whichMerchant(visit, merchants) };
    }
    const filter = { merchantId: merchants[0]?.id, mode, status };
    const found = await everywhere(visit, (database) => listAllSettlements(database, filter, page));
    return mergeRows(found, ({ id }) => [id]);
  },
  cursor: 'se',
  async columns(visit, words, rows) {
    const ids = rows.map(({ merchantId }) => merchantId);
    const merchants = await everywhere(visit, (database) => findMerchants(database, ids));
    const names = new Map(merchants.map(({ id, name }) => [id, name]));
    return [
      {
        head: words.date,
        cell: (row) =>
          html`<a href="${visitOf(visit, row).to(`settlements/${formatId('se', row.id)}`)}">${instant(visit, row.createdAtMs)}</a>`,
      },
      ...cellColumn(visit),
      { head: words.merchant, cell: ({ merchantId }) => given(names.get(merchantId)) },
      ...settlementColumns(visit),
    ];
  },
});

async function merchantsOf(visit: StaffContext, asked: string): Promise<Merchant[]> {
  const search = { id: parseId('me', asked), name: asked };
  const page = { afterId: undefined, limit: shownMerchants };
  const found = await everywhere(visit, (database) =>
    searchMerchants(database, { ...search, ...page }),
  );
  return mergeRows(found, ({ id }) => [id]).slice(0, shownMerchants);
}

/** Several merchants, or none, have this name. */
function whichMerchant(visit: StaffContext, merchants: readonly Merchant[]): Html {
  const words = allWords[visit.language];
  if (merchants.length === 0) return empty(words.noMerchant);
  const address = (id: string) =>
    visit.to('settlements', { ...askedOf(visit), merchant: formatId('me', id) });
  return html`<section class="card"><p>${words.which}</p>
<ul>${merchants.map(({ id, name }) => html`<li><a href="${address(id)}">${given(name)}</a></li>`)}</ul></section>`;
}
