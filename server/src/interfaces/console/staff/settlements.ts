import { type Settlement, settlementStatuses } from '../../../money/settlements/settlement.ts';
import { listAllSettlements } from '../../../money/settlements/store.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { mergeRows } from '../../../tenants/cells/all-cells.ts';
import type { InCell } from '../../../tenants/cells/staff-cells.ts';
import { findMerchants, type Merchant, searchMerchants } from '../../../tenants/merchants/store.ts';
import type { StaffPage } from '../page.ts';
import { field, select } from '../parts/form.ts';
import { amount, count, given, instant, status } from '../parts/format.ts';
import { empty, pager, table } from '../parts/table.ts';
import { everywhere, visitOf } from '../query-all-cells.ts';
import type { StaffContext } from '../request-context.ts';
import { cellColumn } from './cells.ts';
import { modeChoices, modeIn } from './mode-filter.ts';
import { words as allWords } from './settlements.words.ts';

const limit = 50;
const longestSearch = 100;
const shownMerchants = 10;

/** Payouts of all merchants to their banks, newest first. */
export const staffSettlementsPage: StaffPage = {
  path: 'settlements',
  permission: 'settlements.read',
  async show(visit) {
    const words = allWords[visit.language];
    const asked = (visit.query.get('merchant') ?? '').trim().slice(0, longestSearch);
    const merchants = asked === '' ? [] : await merchantsOf(visit, asked);
    const isOne = asked === '' || merchants.length === 1;
    const main = html`${filters(visit, asked)}
${isOne ? await list(visit, merchants[0]?.id) : choice(visit, merchants)}`;
    return { title: words.title, main };
  },
};

async function merchantsOf(visit: StaffContext, asked: string): Promise<Merchant[]> {
  const search = { id: parseId('me', asked), name: asked };
  const page = { afterId: undefined, limit: shownMerchants };
  const found = await everywhere(visit, (database) =>
    searchMerchants(database, { ...search, ...page }),
  );
  return mergeRows(found, ({ id }) => [id]).slice(0, shownMerchants);
}

function filters(visit: StaffContext, merchant: string): Html {
  const words = allWords[visit.language];
  const { all, apply, statuses } = visit.words;
  const choices = settlementStatuses.map((each) => [each, statuses[each] ?? each] as const);
  const value = visit.query.get('status') ?? '';
  return html`<form class="filters" action="${visit.to('settlements')}">
${field('merchant', words.merchant, { type: 'search', value: merchant, maxLength: longestSearch, hint: words.merchantHint })}
${select('status', words.status, [['', all], ...choices], { value })}
${select('mode', words.mode, modeChoices(visit), { value: modeIn(visit) })}
<div class="bar"><button class="button plain">${apply}</button></div>
</form>`;
}

/** Several have this name, or none. */
function choice(visit: StaffContext, merchants: readonly Merchant[]): Html {
  const words = allWords[visit.language];
  if (merchants.length === 0) return empty(words.noMerchant);
  const others = { status: visit.query.get('status') ?? '', mode: modeIn(visit) };
  const address = (id: string) =>
    visit.to('settlements', { ...others, merchant: formatId('me', id) });
  return html`<section class="card"><p>${words.which}</p>
<ul>${merchants.map(({ id, name }) => html`<li><a href="${address(id)}">${given(name)}</a></li>`)}</ul></section>`;
}

async function list(visit: StaffContext, merchantId: string | undefined): Promise<Html> {
  const words = allWords[visit.language];
  const state = settlementStatuses.find((each) => each === visit.query.get('status'));
  const page = { limit, startingAfter: parseId('se', visit.query.get('starting_after') ?? '') };
  const filter = { merchantId, mode: modeIn(visit), status: state };
  const found = await everywhere(visit, (database) => listAllSettlements(database, filter, page));
  const rows = mergeRows(found, ({ id }) => [id]);
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  if (shown.length === 0) {
    return visit.query.size === 0 ? empty(words.nothing, words.nothingHint) : empty(words.noMatch);
  }
  const ids = shown.map((row) => row.merchantId);
  const merchants = await everywhere(visit, (database) => findMerchants(database, ids));
  const names = new Map(merchants.map(({ id, name }) => [id, name]));
  return html`${rowsTable(visit, shown, names)}
${pager(visit, 'settlements', last && formatId('se', last.id))}`;
}

function rowsTable(
  visit: StaffContext,
  rows: readonly (Settlement & InCell)[],
  names: ReadonlyMap<string, string>,
): Html {
  const words = allWords[visit.language];
  const address = (row: Settlement & InCell) =>
    visitOf(visit, row).to(`settlements/${formatId('se', row.id)}`);
  return table<Settlement & InCell>(
    words.title,
    [
      {
        head: words.date,
        cell: (row) => html`<a href="${address(row)}">${instant(visit, row.createdAtMs)}</a>`,
      },
      ...cellColumn(visit),
      { head: words.merchant, cell: ({ merchantId }) => given(names.get(merchantId)) },
      { head: words.status, cell: (row) => status(visit, row.status) },
      {
        head: words.net,
        isNumber: true,
        cell: (row) => amount(visit, row.netMinor, row.currency),
      },
      { head: words.count, isNumber: true, cell: (row) => count(visit, Number(row.itemCount)) },
      { head: words.reference, cell: (row) => row.payoutRef ?? undefined },
    ],
    rows,
  );
}
