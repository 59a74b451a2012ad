import type { PaymentFilter } from '../../../money/payments/list.ts';
import { paymentStatuses } from '../../../money/payments/payment.ts';
import { amountOf } from '../../../money/payments/search-term.ts';
import { operatorNames } from '../../../platform/config/operator-catalogue.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { dayEndMs, dayStartMs } from '../parts/day-field.ts';
import type { Filters } from '../parts/filters.ts';
import { checkbox, type FieldErrors, field, hidden, select } from '../parts/form.ts';
import type { MerchantContext } from '../request-context.ts';
import { words as allWords } from './payments.words.ts';

/** The filter of an address, and its invalid parts. */
export interface AskedFilter {
  filter: PaymentFilter;
  errors: FieldErrors;
}

/** Parses the filter of an address. Days are in the merchant's time zone. */
export function filterOf({
  query,
  timeZones,
  language,
  words: common,
}: MerchantContext): AskedFilter {
  const words = allWords[language];
  const errors: Record<string, string | undefined> = {};
  const text = (name: string) => query.get(name)?.trim() || undefined;
  const read = <Value>(name: string, of: (given: string) => Value | undefined, problem: string) => {
    const given = text(name);
    const value = given === undefined ? undefined : of(given);
    if (given !== undefined && value === undefined) errors[name] = problem;
    return value;
  };
  const statuses = paymentStatuses.filter((each) => query.getAll('status').includes(each));
  const filter: PaymentFilter = {
    status: statuses.length === 0 ? undefined : statuses,
    operator: operatorNames.find((each) => each === text('operator')),
    createdFromMs: read('from', (day) => dayStartMs(day, { timeZones }), common.noSuchDay),
    createdUntilMs: read('until', (day) => dayEndMs(day, { timeZones }), common.noSuchDay),
    amountFromMinor: read('amount_from', amountOf, words.noAmount),
    amountUntilMinor: read('amount_until', amountOf, words.noAmount),
    customerId: text('customer'),
    externalId: text('order'),
  };
  return { filter, errors };
}

const columnNames = [
  'status',
  'amount',
  'phone',
  'operator',
  'order',
  'customer',
  'description',
  'transaction',
  'fee',
] as const;
export type ColumnName = (typeof columnNames)[number];
const usualColumns: readonly ColumnName[] = ['status', 'amount', 'phone', 'operator', 'order'];

/** The columns of an address. */
export function columnsOf({ query }: MerchantContext): readonly ColumnName[] {
  const asked = columnNames.filter((each) => query.getAll('column').includes(each));
  return asked.length === 0 ? usualColumns : asked;
}

/** Rarely used fields fold, unless they are in use. */
const seldom = ['status', 'amount_from', 'amount_until', 'customer', 'order', 'column'];

/** What narrows the list, besides a search. */
const narrowing = [
  'from',
  'until',
  'operator',
  'status',
  'amount_from',
  'amount_until',
  'customer',
  'order',
];

/** Whether the address asks for some of the payments only. */
export const isNarrowed = ({ query }: Pick<MerchantContext, 'query'>): boolean =>
  ['q', ...narrowing].some((name) => query.get(name)?.trim());

/** The form above the list. */
export function paymentFilters(visit: MerchantContext): Filters<PaymentFilter> {
  const words = allWords[visit.language];
  const { query } = visit;
  const { filter, errors } = filterOf(visit);
  const chosen = (name: string) => ({ value: query.get(name) ?? '', error: errors[name] });
  const typed = (name: string, label: string) => field(name, label, chosen(name));
  const date = (name: string, label: string) =>
    field(name, label, { ...chosen(name), type: 'date' });
  const operators = operatorNames.map((each) => [each, visit.words.operators[each]] as const);
  const q = query.get('q');
  const isOpen = seldom.some((name) => query.get(name)) ? html` open` : undefined;
  const fields = html`${q ? hidden('q', q) : undefined}
${date('from', words.from)}${date('until', words.until)}
${select('operator', words.columns.operator, [['', visit.words.all], ...operators], chosen('operator'))}`;
  const more = html`<details class="more whole"${isOpen}><summary>${words.more}</summary>
<div class="more-filters">
${boxes('status', words.status, paymentStatuses, (each) => visit.words.statuses[each] ?? each, query.getAll('status'))}
<div class="filters">${typed('amount_from', words.amountFrom)}${typed('amount_until', words.amountUntil)}${typed('customer', words.columns.customer)}${typed('order', words.columns.order)}</div>
${boxes('column', words.columnsTitle, columnNames, (each) => words.columns[each], columnsOf(visit))}
</div></details>`;
  const asked = narrowing.filter((name) => query.get(name)?.trim()).length;
  const fold = asked === 0 ? words.filters : `${words.filters} (${asked})`;
  return { fields, more, filter, errors, isNarrowed: query.size > 0, fold };
}

const boxes = <Name extends string>(
  name: string,
  legend: string,
  values: readonly Name[],
  labelOf: (value: Name) => string,
  ticked: readonly string[],
): Html =>
  html`<fieldset class="boxes"><legend>${legend}</legend>${values.map((each) => checkbox(name, labelOf(each), each, ticked.includes(each)))}</fieldset>`;

/** Describes a filter in words, for a download. */
export function filterText(visit: MerchantContext): (readonly [string, string])[] {
  const words = allWords[visit.language];
  const { query } = visit;
  const operator = operatorNames.find((each) => each === query.get('operator'));
  const statuses = paymentStatuses.filter((each) => query.getAll('status').includes(each));
  const texts: [string, string | null | undefined][] = [
    [words.from, query.get('from')],
    [words.until, query.get('until')],
    [words.status, statuses.map((each) => visit.words.statuses[each]).join(', ')],
    [words.columns.operator, operator && visit.words.operators[operator]],
    [words.amountFrom, query.get('amount_from')],
    [words.amountUntil, query.get('amount_until')],
    [words.columns.customer, query.get('customer')],
    [words.columns.order, query.get('order')],
  ];
  return texts.flatMap(([name, text]) => (text ? [[name, text.slice(0, 160)] as const] : []));
}
