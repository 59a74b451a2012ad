import type { ShownPayment } from '../../../money/payments/payment.ts';
import { searchPayments } from '../../../money/payments/search.ts';
import { DomainError } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { maskPhone } from '../../../platform/values/phone.ts';
import { nameText } from '../../../storefront/checkout/page/state.ts';
import type { ConsolePage } from '../page.ts';
import { firstSteps } from '../parts/first-steps.ts';
import { notice } from '../parts/form.ts';
import { amount, given, instant, phone, status } from '../parts/format.ts';
import { askedOf, type Column, empty, pager, table } from '../parts/table.ts';
import type { MerchantContext } from '../request-context.ts';
import {
  type AskedFilter,
  type ColumnName,
  columnsOf,
  filterForm,
  filterOf,
} from './payment-filter.ts';
import { words as allWords } from './payments.words.ts';

const limit = 25;

/** The list of payments; what is searched for, and its filters, live in the address. */
export const paymentsPage: ConsolePage = {
  path: 'payments',
  permission: 'payments.read',
  async show(visit) {
    const words = allWords[visit.language];
    const asked = filterOf(visit);
    const isUnderstood = Object.keys(asked.errors).length === 0;
    const found = isUnderstood ? await find(visit, asked) : undefined;
    const typed = visit.query.get('q')?.trim();
    const main = html`${typed ? html`<p class="hint">${words.found(nameText(typed.slice(0, 200)))}</p>` : undefined}
${filterForm(visit, asked.errors)}
${found === undefined ? notice(visit.words.errors.VALIDATION_ERROR, 'bad') : found}`;
    const view = { title: words.title, main, scripts: ['payments.css'] };
    return isUnderstood ? { ...view, refreshMs: 10_000 } : { ...view, status: 400 };
  },
};

async function find(visit: MerchantContext, { filter }: AskedFilter): Promise<Html> {
  const words = allWords[visit.language];
  const { tenantId, mode, query, services } = visit;
  const startingAfter = parseId('pi', query.get('starting_after') ?? '');
  const page = { limit, startingAfter };
  const typed = query.get('q') ?? '';
  try {
    const { database } = services;
    const scope = { tenantId, mode, seesPhones: visit.can('phones.read') };
    const rows = await searchPayments(database, scope, typed, filter, page);
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    return html`${shown.length === 0 ? nothing(visit) : list(visit, shown)}
${downloads(visit, typed)}
${pager(visit, 'payments', last && formatId('pi', last.id))}`;
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'VALIDATION_ERROR') throw error;
    const { createdFromMs, createdUntilMs } = filter;
    const hasDates = createdFromMs !== undefined && createdUntilMs !== undefined;
    return notice(hasDates ? words.datesCloser : words.datesMissing, 'bad');
  }
}

/** A search is no filter, so that its results cannot be taken away. */
function downloads(visit: MerchantContext, typed: string): Html | undefined {
  if (typed.trim() !== '' || !visit.can('payments.export')) return undefined;
  const { starting_after: _, column: __, ...filters } = askedOf(visit);
  return html`<p><a href="${visit.to('payments/export', filters)}">${allWords[visit.language].download}</a></p>`;
}

function list(visit: MerchantContext, rows: readonly ShownPayment[]): Html {
  const words = allWords[visit.language];
  const address = ({ id }: ShownPayment) => visit.to(`payments/${formatId('pi', id)}`);
  const created: Column<ShownPayment> = {
    head: words.created,
    cell: (row) => html`<a href="${address(row)}">${instant(visit, row.createdAtMs)}</a>`,
  };
  const chosen = columnsOf(visit).map(
    (name): Column<ShownPayment> => ({
      head: words.columns[name],
      isNumber: name === 'amount' || name === 'fee',
      cell: (row) => cells[name](visit, row),
    }),
  );
  return table<ShownPayment>(words.title, [created, ...chosen], rows);
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

/** As a whole only for those who need it. */
export const shownPhone = (
  visit: MerchantContext,
  { operatorPhone }: Pick<ShownPayment, 'operatorPhone'>,
) => (visit.can('phones.read') ? operatorPhone : maskPhone(operatorPhone));

function nothing(visit: MerchantContext): Html {
  const words = allWords[visit.language];
  return visit.query.size === 0
    ? empty(words.nothing, words.nothingHint, firstSteps(visit))
    : empty(words.noMatch);
}
