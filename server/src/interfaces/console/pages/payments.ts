import type { ShownPayment } from '../../../money/payments/payment.ts';
import { searchPayments } from '../../../money/payments/search.ts';
import { DomainError } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { maskPhone } from '../../../platform/values/phone.ts';
import { nameText } from '../../../storefront/checkout/page/state.ts';
import type { ConsolePage } from '../page.ts';
import { firstSteps } from '../parts/first-steps.ts';
import { notice } from '../parts/form.ts';
import { amount, given, instant, phone, status } from '../parts/format.ts';
import { listPage } from '../parts/list-page.ts';
import { askedOf } from '../parts/table.ts';
import type { MerchantContext } from '../request-context.ts';
import { type ColumnName, columnsOf, paymentFilters } from './payment-filter.ts';
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
    const { tenantId, mode, query, services, language } = visit;
    const scope = { tenantId, mode, seesPhones: visit.can('phones.read') };
    const typed = query.get('q') ?? '';
    try {
      return await searchPayments(services.database, scope, typed, filter, page);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'VALIDATION_ERROR') throw error;
      const words = allWords[language];
      const { createdFromMs, createdUntilMs } = filter;
      const hasDates = createdFromMs !== undefined && createdUntilMs !== undefined;
      const note = notice(hasDates ? words.datesCloser : words.datesMissing, 'bad');
      return { rows: undefined, note };
    }
  },
  cursor: 'pi',
  columns: (visit, words) => [
    {
      head: words.created,
      cell: ({ id, createdAtMs }) =>
        html`<a href="${visit.to(`payments/${formatId('pi', id)}`)}">${instant(visit, createdAtMs)}</a>`,
    },
    ...columnsOf(visit).map((name) => ({
      head: words.columns[name],
      isNumber: name === 'amount' || name === 'fee',
      cell: (row: ShownPayment) => cells[name](visit, row),
    })),
  ],
  emptyAction: firstSteps,
  below: downloads,
  scripts: ['payments.css'],
  refreshMs: 10_000,
});

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
  fee: (visit, row) => amount(visit, row.feeMinor, row.currency),
};

/** Whole phones only for people who need them. */
export const shownPhone = (
  visit: MerchantContext,
  { operatorPhone }: Pick<ShownPayment, 'operatorPhone'>,
) => (visit.can('phones.read') ? operatorPhone : maskPhone(operatorPhone));
