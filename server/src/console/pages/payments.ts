import { operatorLabels, operatorNames } from '../../config/operator-catalogue.ts';
import { html } from '../../html.ts';
import { formatId, parseId } from '../../ids.ts';
import { listPayments, type PaymentFilter } from '../../payments/list.ts';
import { type Payment, paymentStatuses } from '../../payments/payment.ts';
import { maskPhone } from '../../phone.ts';
import type { ConsolePage } from '../page.ts';
import { select } from '../parts/form.ts';
import { amount, instant, phone, status } from '../parts/format.ts';
import { empty, pager, table } from '../parts/table.ts';
import type { Visit } from '../visit.ts';
import { words as allWords } from './payments.words.ts';

const limit = 25;

/** The list of payments; its filters live in the address. */
export const paymentsPage: ConsolePage = {
  path: 'payments',
  permission: 'payments.read',
  async show(visit) {
    const words = allWords[visit.language];
    const { database } = visit.services;
    const startingAfter = parseId('pi', visit.query.get('starting_after') ?? '');
    const page = { limit, startingAfter };
    const rows = await listPayments(database, visit.tenantId, filterOf(visit), page);
    const shown = rows.slice(0, limit);
    const last = rows.length > limit ? shown.at(-1) : undefined;
    const main = html`${filters(visit)}
${shown.length === 0 ? nothing(visit) : list(visit, shown)}
${pager(visit, 'payments', last && formatId('pi', last.id))}`;
    return { title: words.title, main, refreshMs: 10_000 };
  },
};

function filterOf({ query }: Visit): PaymentFilter {
  const text = (name: string) => query.get(name) || undefined;
  const status = paymentStatuses.find((each) => each === text('status'));
  const operator = operatorNames.find((each) => each === text('operator'));
  return { status, operator };
}

function filters(visit: Visit) {
  const words = allWords[visit.language];
  const { all, apply, statuses } = visit.words;
  const chosen = (name: string) => ({ value: visit.query.get(name) ?? '' });
  const ofStatus = paymentStatuses.map((each) => [each, statuses[each] ?? each] as const);
  const ofOperator = operatorNames.map((each) => [each, operatorLabels[each]] as const);
  return html`<form class="filters" action="${visit.to('payments')}">
${select('status', words.status, [['', all], ...ofStatus], chosen('status'))}
${select('operator', words.operator, [['', all], ...ofOperator], chosen('operator'))}
<div class="bar"><button class="button plain">${apply}</button></div>
</form>`;
}

function list(visit: Visit, rows: readonly Payment[]) {
  const words = allWords[visit.language];
  const address = ({ id }: Payment) => visit.to(`payments/${formatId('pi', id)}`);
  return table<Payment>(
    words.title,
    [
      {
        head: words.created,
        cell: (row) => html`<a href="${address(row)}">${instant(visit, row.createdAtMs)}</a>`,
      },
      { head: words.status, cell: (row) => status(visit, row.status) },
      {
        head: words.amount,
        isNumber: true,
        cell: (row) => amount(visit, row.amountMinor, row.currency),
      },
      { head: words.phone, cell: (row) => phone(shownPhone(visit, row)) },
      { head: words.operator, cell: (row) => operatorLabels[row.operator] },
      { head: words.reference, cell: (row) => row.externalId ?? undefined },
    ],
    rows,
  );
}

/** As a whole only for those who need it. */
export const shownPhone = (visit: Visit, { operatorPhone }: Payment) =>
  visit.can('phones.read') ? operatorPhone : maskPhone(operatorPhone);

function nothing(visit: Visit) {
  const words = allWords[visit.language];
  return visit.query.size === 0 ? empty(words.nothing, words.nothingHint) : empty(words.noMatch);
}
