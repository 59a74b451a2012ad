import {
  findAnyNamed,
  findByEndOfId,
  findByName,
  findByTransaction,
  type OwnedPayment,
} from '../../../money/payments/search-all.ts';
import { readSearch } from '../../../money/payments/search-term.ts';
import type { Database } from '../../../platform/postgres/database.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, readId } from '../../../platform/values/ids.ts';
import { claimsIn } from '../../../storefront/checkout/link.ts';
import { mergeRows } from '../../../tenants/cells/all-cells.ts';
import type { InCell } from '../../../tenants/cells/staff-cells.ts';
import { findMerchants } from '../../../tenants/merchants/store.ts';
import type { StaffPage } from '../page.ts';
import { notice } from '../parts/form.ts';
import { given, idText, instant, status } from '../parts/format.ts';
import { amountColumn, type Column, empty, table } from '../parts/table.ts';
import { everywhere, visitOf } from '../query-all-cells.ts';
import type { StaffContext } from '../request-context.ts';
import { cellColumn } from './cells.ts';
import { type FoundObject, findObjects, namesAnId } from './find-objects.ts';
import { words as allWords } from './payment.words.ts';

const longestSearch = 256;

/**
 * Finds what a text names at any merchant: payments, by an id, the address of a receipt or payment page, the
 * operator's transaction, the phone, the order, the customer or the short reference on a receipt; and what {@link findObjects} finds. There is no list
 * of all payments.
 */
export const staffPaymentsPage: StaffPage = {
  path: 'payments',
  permission: 'payments.read',
  async show(visit) {
    const words = allWords[visit.language];
    const text = (visit.query.get('q') ?? '').trim().slice(0, longestSearch).toWellFormed();
    if (text === '') return { title: words.title, main: html`<p class="hint">${words.hint}</p>` };
    const claims = claimsIn(text);
    const id = claims?.id ?? readId(['pi', 'cs', 're', 'rb'], text);
    const ask = (database: Database) => findPayments(visit, database, text, id);
    const [payments, objects] = await Promise.all([
      text.includes('\0') ? [] : everywhere(visit, ask),
      text.includes('\0') || claims ? [] : findObjects(visit, text),
    ]);
    const pages = [
      ...payments.map((row) => pageOf(visit, row)),
      ...objects.map(({ href }) => href),
    ];
    const [only, second] = pages;
    if (only !== undefined && second === undefined && (id !== undefined || namesAnId(text)))
      return { to: only };
    const main = html`${hidesPhones(visit, text) ? notice(words.phonesHidden, 'note') : undefined}
${pages.length === 0 ? empty(words.none) : undefined}
${objects.length > 0 ? objectTable(visit, objects) : undefined}
${payments.length > 0 ? await paymentTable(visit, payments) : undefined}`;
    return { title: words.found, main };
  },
};

/** By an id in any case, with its prefix or without; a UUID may be the operator's transaction too. */
async function findPayments(
  visit: StaffContext,
  database: Database,
  text: string,
  id: string | undefined,
): Promise<OwnedPayment[]> {
  const named = id === undefined ? [] : await findAnyNamed(database, id);
  if (named.length > 0) return named;
  const booked = await findByTransaction(database, text);
  const term = readSearch(text);
  if (term?.reference === undefined) return booked;
  // Others could try all phones that fit a masked one.
  const phones = visit.can('phones.read') ? term.phones : [];
  const called = await findByName(database, { phones, reference: term.reference });
  const { endOfId } = term;
  const ending = endOfId === undefined ? [] : await findByEndOfId(database, endOfId, visit.nowMs);
  const byId = new Map([...booked, ...called, ...ending].map((row) => [row.id, row]));
  return [...byId.values()].sort((one, other) => (one.id < other.id ? 1 : -1));
}

const hidesPhones = (visit: StaffContext, text: string): boolean =>
  !visit.can('phones.read') && (readSearch(text)?.phones.length ?? 0) > 0;

const pageOf = (visit: StaffContext, row: OwnedPayment & InCell): string =>
  visitOf(visit, row).to(`payments/${formatId('pi', row.id)}`);

function objectTable(visit: StaffContext, found: readonly FoundObject[]): Html {
  const words = allWords[visit.language];
  const columns: Column<FoundObject>[] = [
    { head: words.kind, cell: ({ kind }) => words.kinds[kind] },
    { head: words.name, cell: ({ name, href }) => html`<a href="${href}">${name}</a>` },
    ...cellColumn(visit),
    { head: words.merchant, cell: ({ merchantName }) => given(merchantName) },
  ];
  return table(words.others, columns, found);
}

async function paymentTable(
  visit: StaffContext,
  found: readonly (OwnedPayment & InCell)[],
): Promise<Html> {
  const words = allWords[visit.language];
  const rows = mergeRows(found, ({ id }) => [id]);
  const ids = rows.map(({ merchantId }) => merchantId);
  const merchants = await everywhere(visit, (database) => findMerchants(database, ids));
  const names = new Map(merchants.map(({ id, name }) => [id, name]));
  const columns: Column<OwnedPayment & InCell>[] = [
    {
      head: words.payment,
      cell: (row) => html`<a href="${pageOf(visit, row)}">${idText('pi', row.id)}</a>`,
    },
    ...cellColumn(visit),
    { head: words.merchant, cell: ({ merchantId }) => given(names.get(merchantId)) },
    { head: words.mode, cell: ({ mode }) => visit.words[mode] },
    { head: words.created, cell: ({ createdAtMs }) => instant(visit, createdAtMs) },
    amountColumn(visit, words.amount, ({ amountMinor }) => amountMinor),
    { head: words.state, cell: (row) => status(visit, row.status) },
  ];
  return table(words.title, columns, rows);
}
