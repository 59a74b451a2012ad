import {
  findAnyNamed,
  findByTransaction,
  type OwnedPayment,
} from '../../../money/payments/search-all.ts';
import type { Database } from '../../../platform/postgres/database.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, readId } from '../../../platform/values/ids.ts';
import { claimsIn } from '../../../storefront/checkout/link.ts';
import { mergeRows } from '../../../tenants/cells/all-cells.ts';
import type { InCell } from '../../../tenants/cells/staff-cells.ts';
import type { StaffPage } from '../page.ts';
import { field } from '../parts/form.ts';
import { idText, instant, status } from '../parts/format.ts';
import { amountColumn, type Column, empty, table } from '../parts/table.ts';
import { everywhere, visitOf } from '../query-all-cells.ts';
import type { StaffContext } from '../request-context.ts';
import { cellColumn } from './cells.ts';
import { words as allWords } from './payment.words.ts';

const longestSearch = 256;

/**
 * Finds payments of any merchant by an id, the address of a receipt or payment page, or the operator's transaction;
 * there is no list of all payments.
 */
export const staffPaymentsPage: StaffPage = {
  path: 'payments',
  permission: 'payments.read',
  async show(visit) {
    const words = allWords[visit.language];
    const text = (visit.query.get('q') ?? '').trim().slice(0, longestSearch);
    const claims = claimsIn(text);
    const id = claims?.id ?? readId(['pi', 'cs', 're', 'rb'], text);
    const ask = (database: Database) => findNamed(database, text, id);
    const found =
      text === '' ? undefined : mergeRows(await everywhere(visit, ask), ({ id }) => [id]);
    const [only, second] = found ?? [];
    if (only && !second && id !== undefined) {
      return { to: visitOf(visit, only).to(`payments/${formatId('pi', only.id)}`) };
    }
    const main = html`<p class="hint">${words.hint}</p>
${paymentSearch(visit, text)}
${found === undefined ? undefined : list(visit, found)}`;
    return { title: words.title, main };
  },
};

/** By an id in any case, with its prefix or without; a UUID may be the operator's transaction too. */
async function findNamed(
  database: Database,
  text: string,
  id: string | undefined,
): Promise<OwnedPayment[]> {
  const named = id === undefined ? [] : await findAnyNamed(database, id);
  return named.length > 0 ? named : findByTransaction(database, text);
}

/** Searches for another payment. */
export function paymentSearch(visit: StaffContext, value = ''): Html {
  const words = allWords[visit.language];
  return html`<form class="filters" role="search" action="${visit.to('payments')}">
${field('q', words.search, { value, type: 'search', placeholder: words.searchHint, maxLength: longestSearch })}
<div class="bar"><button class="button plain">${words.find}</button></div></form>`;
}

function list(visit: StaffContext, found: readonly (OwnedPayment & InCell)[]): Html {
  const words = allWords[visit.language];
  if (found.length === 0) return empty(words.none);
  const columns: Column<OwnedPayment & InCell>[] = [
    {
      head: words.payment,
      cell: (row) =>
        html`<a href="${visitOf(visit, row).to(`payments/${formatId('pi', row.id)}`)}">${idText('pi', row.id)}</a>`,
    },
    ...cellColumn(visit),
    { head: words.mode, cell: ({ mode }) => visit.words[mode] },
    { head: words.created, cell: ({ createdAtMs }) => instant(visit, createdAtMs) },
    amountColumn(visit, words.amount, ({ amountMinor }) => amountMinor),
    { head: words.state, cell: (row) => status(visit, row.status) },
  ];
  return table(words.title, columns, found);
}
