import {
  type AccountSum,
  accountId,
  accountPage,
  accountSums,
  type Imbalance,
  imbalances,
  parseAccountId,
} from '../../../money/ledger/balances.ts';
import { findPostingOwner } from '../../../money/ledger/list-postings.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { parseId } from '../../../platform/values/ids.ts';
import { named } from '../../../storefront/checkout/page/state.ts';
import { findInAnyCell, mergeRows } from '../../../tenants/cells/all-cells.ts';
import type { InCell } from '../../../tenants/cells/staff-cells.ts';
import type { Redirect, StaffPage, View } from '../page.ts';
import { choice, filtersOf, text } from '../parts/filters.ts';
import { field, notice } from '../parts/form.ts';
import { listPage, type StaffListPage } from '../parts/list-page.ts';
import { amountColumn, type Column, table } from '../parts/table.ts';
import { everywhere, visitOf } from '../query-all-cells.ts';
import type { StaffContext } from '../request-context.ts';
import { cellColumn } from './cells.ts';
import { words as allWords } from './ledger.words.ts';
import { accountText, postingsAddress, sourceIn, sumsTable } from './ledger-parts.ts';

const longestSearch = 100;
const mostImbalances = 20;
const modes = ['live', 'test'] as const;
const currencies = ['CVE', 'AOA'] as const;

const accounts: StaffListPage = listPage({
  path: 'ledger',
  permission: 'ledger.read',
  words: allWords,
  isOldestFirst: true,
  above: async (visit, _, { errors }) => html`${await balance(visit)}${search(visit, errors?.of)}`,
  filters(visit, words) {
    const { live, test } = visit.words;
    return filtersOf(visit, {
      merchant: text(words.merchant, { type: 'search', placeholder: words.merchantHint }),
      mode: choice(visit, words.mode, modes, { live, test }),
      currency: choice(visit, words.currency, currencies),
    });
  },
  async load(visit, { merchant, mode, currency }, { limit, startingAfter }) {
    const merchantId = parseId('me', merchant ?? '');
    const merchantName = merchantId === undefined ? merchant : undefined;
    const filter = { merchantId, merchantName, mode, currency };
    const page = { limit: limit + 1, after: parseAccountId(startingAfter ?? '') };
    const [found, sums] = await Promise.all([
      everywhere(visit, (database) => accountPage(database, filter, page)),
      everywhere(visit, (database) => accountSums(database, filter)),
    ]);
    const rows = mergeRows(found, (row) => [row.merchantId], { isNewestFirst: false });
    return { rows, note: sumsOf(visit, addedUp(sums)) };
  },
  cursor: accountId,
  columns: (visit, words) => [
    merchantColumn(visit),
    ...cellColumn(visit),
    { head: words.mode, cell: (row) => visit.words[row.mode] },
    { head: words.account, cell: ({ account }) => accountText(visit, account) },
    amountColumn(visit, words.balance, ({ balanceMinor }) => balanceMinor),
  ],
  below: (_, { checkHint }) => html`<p class="hint">${checkHint}</p>`,
});

/** The account balances of all merchants, which add up to zero, and a search for postings by object. */
export const ledgerPage: StaffPage = {
  ...accounts,
  show(visit) {
    const text = asked(visit);
    return text === '' ? accounts.view(visit) : find(visit, text);
  },
};

const asked = ({ query }: StaffContext) => (query.get('of') ?? '').trim().slice(0, longestSearch);

/** Leads to the postings of the typed object. */
async function find(visit: StaffContext, text: string): Promise<View | Redirect> {
  const words = allWords[visit.language];
  const id = sourceIn(text);
  if (id === undefined) return accounts.view(visit, { errors: { of: words.wrongId } });
  const owner = await findInAnyCell(visit.services, (database) => findPostingOwner(database, id));
  if (owner === undefined) {
    return { ...(await accounts.view(visit, { errors: { of: words.notBooked } })), status: 200 };
  }
  return { to: postingsAddress(visitOf(visit, owner), owner, text) };
}

function sumsOf(visit: StaffContext, sums: readonly AccountSum[]): Html {
  const words = allWords[visit.language];
  const shown = html`<h2>${words.sums}</h2><p class="hint">${words.sumsHint}</p>${sumsTable(visit, sums)}`;
  return html`${sums.length === 0 ? undefined : shown}<h2>${words.accountsTitle}</h2>`;
}

/** Adds up the same accounts of several cells. */
function addedUp(sums: readonly (AccountSum & InCell)[]): readonly AccountSum[] {
  if (sums.every(({ cell }) => cell === undefined)) return sums;
  const groups = Map.groupBy(sums, ({ mode, currency, account }) =>
    [mode, currency, account].join(' '),
  );
  return [...groups]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([, group]) => ({
      ...group[0]!,
      totalMinor: group.reduce((sum, { totalMinor }) => sum + totalMinor, 0n),
    }));
}

async function balance(visit: StaffContext): Promise<Html> {
  const words = allWords[visit.language];
  const wrong = await everywhere(visit, (database) => imbalances(database, mostImbalances));
  if (wrong.length === 0) return notice(words.balanced, 'good');
  const columns: Column<Imbalance>[] = [
    merchantColumn(visit),
    { head: words.mode, cell: ({ mode }) => visit.words[mode] },
    amountColumn(visit, words.balance, ({ totalMinor }) => totalMinor),
  ];
  return html`${notice(words.imbalances, 'bad')}${table(words.imbalancesOf, columns, wrong)}`;
}

function search(visit: StaffContext, error: string | undefined): Html {
  const words = allWords[visit.language];
  return html`<form class="filters" role="search" action="${visit.to('ledger')}">
${field('of', words.postingsOf, { value: asked(visit), type: 'search', error, placeholder: words.ofHint, maxLength: longestSearch })}
<div class="bar"><button class="button plain">${visit.words.find}</button></div></form>`;
}

interface OfMerchant extends InCell {
  merchantId: string;
  merchantName: string;
  mode: 'live' | 'test';
}

const merchantColumn = (visit: StaffContext): Column<OfMerchant> => ({
  head: allWords[visit.language].merchant,
  cell: (row) =>
    html`<a href="${postingsAddress(visitOf(visit, row), row)}">${named(row.merchantName)}</a>`,
});
