import {
  type AccountFilter,
  type AccountSum,
  accountId,
  accountPage,
  accountSums,
  type Balance,
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
import { field, notice, select } from '../parts/form.ts';
import { amount } from '../parts/format.ts';
import { type Column, empty, pager, table } from '../parts/table.ts';
import { everywhere, visitOf } from '../query-all-cells.ts';
import type { StaffContext } from '../request-context.ts';
import { cellColumn } from './cells.ts';
import { words as allWords } from './ledger.words.ts';
import { accountText, postingsAddress, sourceIn, sumsTable } from './ledger-parts.ts';

const limit = 50;
const longestSearch = 100;
const mostImbalances = 20;
const modes = ['live', 'test'] as const;
const currencies = ['CVE', 'AOA'] as const;

/** What the accounts of all merchants hold, and that they add up; postings are found by what they belong to. */
export const ledgerPage: StaffPage = {
  path: 'ledger',
  permission: 'ledger.read',
  show: (visit) => (asked(visit, 'of') === '' ? view(visit) : find(visit)),
};

const asked = ({ query }: StaffContext, name: string) =>
  (query.get(name) ?? '').trim().slice(0, longestSearch);

/** To the postings of what somebody typed. */
async function find(visit: StaffContext): Promise<View | Redirect> {
  const words = allWords[visit.language];
  const text = asked(visit, 'of');
  const id = sourceIn(text);
  if (id === undefined) return { ...(await view(visit, words.wrongId)), status: 400 };
  const owner = await findInAnyCell(visit.services, (database) => findPostingOwner(database, id));
  if (owner === undefined) return view(visit, words.notBooked);
  return { to: postingsAddress(visitOf(visit, owner), owner, text) };
}

async function view(visit: StaffContext, wrong?: string): Promise<View> {
  const words = allWords[visit.language];
  const filter = filterOf(visit);
  const after = parseAccountId(asked(visit, 'starting_after'));
  const page = { limit: limit + 1, after };
  const [accounts, sums, wrongOnes] = await Promise.all([
    everywhere(visit, (database) => accountPage(database, filter, page)),
    everywhere(visit, (database) => accountSums(database, filter)),
    everywhere(visit, (database) => imbalances(database, mostImbalances)),
  ]);
  const rows = mergeRows(accounts, ({ merchantId }) => [merchantId], { isNewestFirst: false });
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const nothing = visit.query.size === 0 ? empty(words.none, words.noneHint) : empty(words.noMatch);
  const main = html`${balance(visit, wrongOnes)}
${searches(visit, wrong)}
${sums.length === 0 ? undefined : html`<h2>${words.sums}</h2><p class="hint">${words.sumsHint}</p>${sumsTable(visit, addedUp(sums))}`}
<h2>${words.accountsTitle}</h2>
${shown.length === 0 ? nothing : table(words.accountsTitle, columns(visit), shown)}
${pager(visit, 'ledger', last && accountId(last), { isNewestFirst: false })}
<p class="hint">${words.checkHint}</p>`;
  return { title: words.title, main };
}

/** What the same accounts of several cells hold. */
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

function filterOf(visit: StaffContext): AccountFilter {
  const text = asked(visit, 'merchant');
  const merchantId = parseId('me', text);
  return {
    merchantId,
    merchantName: merchantId === undefined && text !== '' ? text : undefined,
    mode: modes.find((each) => each === asked(visit, 'mode')),
    currency: currencies.find((each) => each === asked(visit, 'currency')),
  };
}

function balance(visit: StaffContext, wrong: readonly Imbalance[]): Html {
  const words = allWords[visit.language];
  if (wrong.length === 0) return notice(words.balanced, 'good');
  const list: Column<Imbalance>[] = [
    merchantColumn(visit),
    { head: words.mode, cell: ({ mode }) => visit.words[mode] },
    {
      head: words.balance,
      isNumber: true,
      cell: ({ totalMinor, currency }) => amount(visit, totalMinor, currency),
    },
  ];
  return html`${notice(words.imbalances, 'bad')}${table(words.imbalancesOf, list, wrong)}`;
}

function searches(visit: StaffContext, wrong: string | undefined): Html {
  const words = allWords[visit.language];
  const all = ['', visit.words.all] as const;
  const modeChoices = [all, ...modes.map((each) => [each, visit.words[each]] as const)];
  const currencyChoices = [all, ...currencies.map((each) => [each, each] as const)];
  const value = (name: string) => ({ value: asked(visit, name) });
  return html`<form class="filters" role="search" aria-label="${words.postings}">
${field('of', words.of, { ...value('of'), type: 'search', error: wrong, placeholder: words.ofHint, maxLength: longestSearch })}
<div class="bar"><button class="button plain">${words.find}</button></div></form>
<form class="filters" role="search" aria-label="${words.accountsTitle}">
${field('merchant', words.merchantSearch, { ...value('merchant'), type: 'search', maxLength: longestSearch })}
${select('mode', words.mode, modeChoices, value('mode'))}
${select('currency', words.currency, currencyChoices, value('currency'))}
<div class="bar"><button class="button plain">${visit.words.apply}</button>${visit.query.size === 0 ? undefined : html`<a href="${visit.to('ledger')}">${visit.words.clear}</a>`}</div></form>`;
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

function columns(visit: StaffContext): Column<Balance & InCell>[] {
  const words = allWords[visit.language];
  return [
    merchantColumn(visit),
    ...cellColumn(visit),
    { head: words.mode, cell: ({ mode }) => visit.words[mode] },
    { head: words.account, cell: ({ account }) => accountText(visit, account) },
    {
      head: words.balance,
      isNumber: true,
      cell: ({ balanceMinor, currency }) => amount(visit, balanceMinor, currency),
    },
  ];
}
