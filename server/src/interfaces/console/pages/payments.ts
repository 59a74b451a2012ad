import type { PaymentFilter, PaymentTotal } from '../../../money/payments/list.ts';
import { isClosedWithoutDebit, type ShownPayment } from '../../../money/payments/payment.ts';
import { mostSearched, searchedAtFirst } from '../../../money/payments/scan-limit.ts';
import { searchPayments, totalFound } from '../../../money/payments/search.ts';
import { DomainError } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { maskPhone } from '../../../platform/values/phone.ts';
import { claimsIn } from '../../../storefront/checkout/link.ts';
import { nameText } from '../../../storefront/checkout/page/state.ts';
import type { ConsolePage } from '../page.ts';
import { findObjects } from '../parts/find-object.ts';
import { firstSteps } from '../parts/first-steps.ts';
import { notice } from '../parts/form.ts';
import { amount, count, day, dayText, given, phone, status, timeOfDay } from '../parts/format.ts';
import { type Loaded, listPage } from '../parts/list-page.ts';
import { askedOf, type Column, table } from '../parts/table.ts';
import type { MerchantContext } from '../request-context.ts';
import { type ColumnName, columnsOf, isNarrowed, paymentFilters } from './payment-filter.ts';
import { words as allWords } from './payments.words.ts';

/** The list of payments; the address has the search and the filters. */
export const paymentsPage: ConsolePage = listPage({
  path: 'payments',
  permission: 'payments.read',
  words: allWords,
  above: ({ query }, { found }) => {
    const typed = query.get('q')?.trim();
    return typed ? html`<p class="hint">${found(nameText(typed.slice(0, 200)))}</p>` : undefined;
  },
  filters: paymentFilters,
  async load(visit, filter, page) {
    try {
      return await loadPayments(visit, filter, page);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'VALIDATION_ERROR') throw error;
      const words = allWords[visit.language];
      const { createdFromMs, createdUntilMs } = filter;
      const hasDates = createdFromMs !== undefined && createdUntilMs !== undefined;
      const note = notice(hasDates ? words.datesCloser : words.datesMissing, 'bad');
      return { rows: undefined, note };
    }
  },
  cursor: 'pi',
  render: (visit, words, rows) =>
    table(words.title, columns(visit), rows, {
      kind: 'rows',
      group: ({ createdAtMs }) => ({
        key: dayText(visit, createdAtMs),
        title: day(visit, createdAtMs),
      }),
    }),
  emptyAction: firstSteps,
  below: downloads,
  scripts: ['payments.css'],
  refreshMs: 10_000,
  // What was searched for is found, and a scan takes more than a list.
  refreshWhile: (_, { query }) => !query.get('q')?.trim(),
});

async function loadPayments(
  visit: MerchantContext,
  filter: PaymentFilter,
  page: { limit: number; startingAfter: string | undefined },
): Promise<Loaded<ShownPayment>> {
  const { tenantId, mode, services } = visit;
  const scope = { tenantId, mode, seesPhones: visit.can('phones.read') };
  const typed = searchedFor(visit);
  const { database } = services;
  const look = (most: number) => searchPayments(database, scope, typed, filter, { ...page, most });
  const first = await look(isFirstLook(visit) ? searchedAtFirst : mostSearched);
  const isOver = first.rows.length > 0 || !first.stop || first.most === mostSearched;
  const found = isOver ? first : await look(mostSearched);
  const { rows, stop } = found;
  const words = allWords[visit.language];
  const total =
    isNarrowed(visit) && rows.length > 0
      ? await totalFound(database, scope, typed, filter, found)
      : undefined;
  const most = count(visit, found.most);
  const objects = await findObjects(visit, typed);
  const isUnknown = typed.trim() !== '' && rows.length === 0 && objects.length === 0;
  const note = html`${isUnknown ? html`<p class="hint">${words.whatIsFound}</p>` : undefined}${objects.map(({ name, href }) => html`<p class="notice note">${words.foundObject} <a href="${href}"><code>${name}</code></a></p>`)}
${total && totalLine(visit, total.totals)}
${stop ? notice(words.searchedSince(most, dayText(visit, stop.atMs)), 'note') : undefined}
${total?.sinceMs !== undefined && !stop ? html`<p class="hint">${words.countedSince(most, dayText(visit, total.sinceMs))}</p>` : undefined}`;
  return { rows, note, next: stop && formatId('pi', stop.id) };
}

/** Whether somebody searches without dates, and has not asked for older payments. */
const isFirstLook = ({ query }: MerchantContext) =>
  Boolean(query.get('q')?.trim()) &&
  ['from', 'until', 'starting_after'].every((name) => !query.get(name)?.trim());

/** The text of the search box; a receipt's or payment page's address stands for its payments. */
function searchedFor({ query }: MerchantContext): string {
  const typed = query.get('q') ?? '';
  const claims = claimsIn(typed);
  return claims ? formatId('pi', claims.id) : typed;
}

/** `38 payments · 25 paid: 37,500.00 CVE`, for each currency. */
function totalLine(visit: MerchantContext, totals: readonly PaymentTotal[]): Html {
  const words = allWords[visit.language];
  return html`<p class="total">${totals.map(
    ({ currency, count: all, paidCount, paidMinor }) =>
      html`<span>${words.payments(count(visit, all), all === 1)}</span> <span>${words.paid(count(visit, paidCount), paidCount === 1)}: <b>${amount(visit, paidMinor, currency)}</b></span> `,
  )}</p>`;
}

const columns = (visit: MerchantContext): Column<ShownPayment>[] => {
  const words = allWords[visit.language];
  return [
    {
      head: words.time,
      cell: ({ id, createdAtMs }) =>
        html`<a class="open" href="${visit.to(`payments/${formatId('pi', id)}`)}">${timeOfDay(visit, createdAtMs)}</a>`,
    },
    ...columnsOf(visit).map((name) => ({
      head: words.columns[name],
      isNumber: name === 'amount' || name === 'fee',
      kind: `of-${name}`,
      cell: (row: ShownPayment) => cells[name](visit, row),
    })),
  ];
};

/** A search is not a filter, so its results cannot be exported. */
function downloads(visit: MerchantContext): Html | undefined {
  const isSearch = visit.query.get('q')?.trim();
  if (isSearch || !visit.can('payments.export')) return undefined;
  const { starting_after: _, column: __, ...filters } = askedOf(visit);
  return html`<p><a href="${visit.to('payments/export', filters)}">${allWords[visit.language].download}</a></p>`;
}

const cells: Record<
  ColumnName,
  (visit: MerchantContext, row: ShownPayment) => Html | string | undefined
> = {
  status: (visit, row) => status(visit, row.status),
  amount: (visit, row) => amount(visit, row.amountMinor, row.currency),
  phone: (visit, row) => phone(shownPhone(visit, row)),
  operator: (visit, row) => visit.words.operators[row.operator],
  order: (_, row) => given(row.externalId),
  customer: (_, row) => given(row.customerId),
  description: (_, row) => given(row.description),
  transaction: (_, row) => given(row.operatorTxId),
  // Nothing is charged for a payment that brought no money.
  fee: (visit, { status, feeMinor, currency }) =>
    isClosedWithoutDebit(status) ? undefined : amount(visit, feeMinor, currency),
};

/** Whole phones only for people who need them. */
export const shownPhone = (
  visit: MerchantContext,
  { operatorPhone }: Pick<ShownPayment, 'operatorPhone'>,
) => (visit.can('phones.read') ? operatorPhone : maskPhone(operatorPhone));
