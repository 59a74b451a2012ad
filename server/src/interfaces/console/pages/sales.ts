import {
  addUpSales,
  type ListedCharge,
  listTillCharges,
  sumTillCharges,
  type TillPeriod,
  type TillSales,
} from '../../../money/payments/till-charges.ts';
import {
  type ClosingLine,
  closeTill,
  isCountable,
  listTillClosings,
  sumsByOperator,
  type TillClosing,
} from '../../../money/payments/till-closings.ts';
import { namesOfPeople } from '../../../platform/audit/list-by-merchant.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, instantOf } from '../../../platform/values/ids.ts';
import { icon } from '../icons.ts';
import type { ConsolePage, Redirect, View } from '../page.ts';
import { parseAmount, typedAmount } from '../parts/amount.ts';
import { authorInCell } from '../parts/author.ts';
import { addDays, isDay, today } from '../parts/calendar-days.ts';
import { seesAllCharges, tillDay, tillPhone, tillToday } from '../parts/charges.ts';
import { type EarlierDay, earlierDay } from '../parts/earlier-day.ts';
import { button, form, hidden } from '../parts/form.ts';
import { amount, calendarDay, dayText, instant, phone, status } from '../parts/format.ts';
import { freshKey, keyField } from '../parts/idempotency-key.ts';
import { doneNotice } from '../parts/success-notice.ts';
import { amountColumn, type Column, empty, table } from '../parts/table.ts';
import type { MerchantContext, SentForm } from '../request-context.ts';
import { words as allWords } from './sales.words.ts';

const mostListed = 100;

/** A day at the till: who sold what, and the count in the evening. A cashier sees the own charges of today: at night, of the day that is still open. */
export const salesPage: ConsolePage = {
  path: 'sales',
  permission: 'payments.charge',
  show: (visit) => view(visit),
  actions: { close: { permission: 'payments.charge', run: close } },
};

/** Only people who see all charges may look at other days; others still count what they sold before midnight. */
function dayOf(
  visit: MerchantContext,
  given: string | null | undefined,
  earlier: EarlierDay | undefined,
): string {
  const now = today(visit);
  const isAsked = isDay(given) && given <= now;
  if (isAsked && (given === now || given === earlier?.day || visit.can('payments.read')))
    return given;
  return earlier?.comesFirst ? earlier.day : now;
}

async function view(visit: MerchantContext, sent?: SentForm): Promise<View> {
  const words = allWords[visit.language];
  const { database } = visit.services;
  const earlier = await earlierDay(visit);
  const day = dayOf(visit, sent?.text('day') ?? visit.query.get('day'), earlier);
  const period = tillDay(visit, day);
  const sales = await sumTillCharges(database, visit.tenantId, period);
  const charges = await listTillCharges(database, visit.tenantId, period, mostListed);
  const given = { day, dayStartMs: period.fromMs, personId: period.personId };
  const closings = await listTillClosings(database, visit.tenantId, given);
  const people = [...sales, ...charges].map(({ personId }) => personId);
  const names = await namesOf(visit, [...people, ...closings.flatMap((each) => each.closedBy)]);
  const nothing = charges.length === 0 && sales.length === 0;
  const main = html`${doneNotice(visit, words.done)}
${dayBar(visit, day)}
${otherDay(visit, day, earlier)}
${nothing ? empty(words.none, words.noneHint) : [peopleTable(visit, sales, names), await closingForm(visit, day, period, sent)]}
${closings.map((each) => closingCard(visit, each, names))}
${nothing ? undefined : chargeList(visit, charges, names)}`;
  return {
    title: words.title,
    main,
    scripts: ['payments.css', 'till.css', 'till.js'],
    ...(sent && { status: 400 }),
  };
}

const namesOf = async (visit: MerchantContext, ids: readonly string[]) => {
  const rows = await namesOfPeople(visit.services.people.database, [...new Set(ids)]);
  return new Map(rows.map(({ id, name }) => [id, name]));
};

type Names = ReadonlyMap<string, string>;
const nameIn = (names: Names, id: string): Html =>
  html`<bdi>${names.get(id) ?? formatId('pe', id)}</bdi>`;

function dayBar(visit: MerchantContext, day: string): Html {
  const words = allWords[visit.language];
  if (!visit.can('payments.read')) return html`<p class="bar">${calendarDay(visit, day)}</p>`;
  const at = (other: string) => visit.to('sales', { day: other });
  const next = addDays(day, 1);
  return html`<p class="bar"><a class="button quiet" href="${at(addDays(day, -1))}">← <span class="unseen">${words.previous}</span></a> <b>${calendarDay(visit, day)}</b>
${next > today(visit) ? undefined : html`<a class="button quiet" href="${at(next)}"><span class="unseen">${words.next}</span> →</a>`}
<button type="button" class="button plain no-print" data-print hidden>${icon('print')} ${words.print}</button></p>`;
}

/** Leads to the day that is still to be closed, and from there to today. */
function otherDay(
  visit: MerchantContext,
  day: string,
  earlier: EarlierDay | undefined,
): Html | undefined {
  const words = allWords[visit.language];
  if (earlier === undefined) return undefined;
  const link = (to: string, text: string) =>
    html`<a href="${visit.to('sales', { day: to })}">${text}</a>`;
  const name = calendarDay(visit, earlier.day);
  if (day === earlier.day)
    return earlier.isOpen
      ? html`<p class="notice note no-print">${words.isStillOpen} ${link(today(visit), words.toToday)}</p>`
      : html`<p class="no-print">${link(today(visit), words.toToday)}</p>`;
  if (day !== today(visit) || !earlier.isOpen) return undefined;
  if (!earlier.comesFirst && !earlier.isUsual) return undefined;
  return html`<p class="notice note no-print">${words.notClosed} ${name}. ${link(earlier.day, words.toEarlier)}</p>`;
}

function peopleTable(visit: MerchantContext, sales: readonly TillSales[], names: Names): Html {
  const words = allWords[visit.language];
  const totals = addUpSales(sales, ({ personId, currency }) => `${personId} ${currency}`);
  const columns: Column<TillSales>[] = [
    { head: words.person, cell: ({ personId }) => nameIn(names, personId) },
    { head: words.payments, isNumber: true, cell: ({ paid }) => String(paid) },
    amountColumn(visit, words.paid, ({ paidMinor }) => paidMinor),
    amountColumn(visit, words.refunded, ({ refundedMinor }) => refundedMinor),
    amountColumn(visit, words.left, (each) => each.paidMinor - each.refundedMinor),
  ];
  return html`<section><h2>${words.byPerson}</h2>
${table(words.byPerson, columns, totals)}</section>`;
}

const countedName = ({ currency, operator }: { currency: string; operator: string }) =>
  `counted.${currency}.${operator}`;

async function closingForm(
  visit: MerchantContext,
  day: string,
  period: TillPeriod,
  sent?: SentForm,
): Promise<Html> {
  const words = allWords[visit.language];
  const sums = await sumsByOperator(visit.services.database, visit.tenantId, period);
  const columns: Column<(typeof sums)[number]>[] = [
    { head: words.operator, cell: ({ operator }) => operatorName(visit, operator) },
    { head: words.payments, isNumber: true, cell: ({ paid }) => String(paid) },
    amountColumn(visit, words.paid, ({ paidMinor }) => BigInt(paidMinor)),
    amountColumn(visit, words.refunded, ({ refundedMinor }) => BigInt(refundedMinor)),
  ];
  const heading = html`<h2>${words.byOperator}</h2>`;
  if (!isCountable(period, visit.nowMs))
    return html`<section>${heading}${table(words.byOperator, columns, sums)}</section>`;
  const cell = (line: (typeof sums)[number]) => countedField(visit, line, sent);
  columns.push({ head: words.counted, isNumber: true, cell });
  const content = html`${keyField(visit, sent)}${hidden('day', day)}
${table(words.byOperator, columns, sums)}
<p class="hint no-print">${words.closeHint}</p>
<div class="bar no-print">${button('close', `${words.close}: ${dayText(visit, period.fromMs)}`)}</div>`;
  return html`<section>${heading}${form(visit, content)}</section>`;
}

function countedField(
  visit: MerchantContext,
  line: { currency: string; operator: string },
  sent?: SentForm,
): Html {
  const words = allWords[visit.language];
  const name = countedName(line);
  const typed = sent?.text(name) ?? '';
  const isBad = typed !== '' && parseAmount(typed) === undefined;
  const wrong = isBad ? html` aria-invalid="true" aria-describedby="${name}-error"` : undefined;
  return html`<input class="counted" name="${name}" inputmode="decimal" autocomplete="off" maxlength="40" aria-label="${words.counted}: ${operatorName(visit, line.operator)}" placeholder="${typedAmount(visit, 0n)}" value="${typed}"${wrong}>${isBad ? html`<span class="error" id="${name}-error" role="alert">${words.badAmount}</span>` : undefined}`;
}

const operatorName = ({ words }: MerchantContext, name: string): string =>
  words.operators[name as keyof typeof words.operators] ?? name;

async function close(visit: MerchantContext, sent: SentForm): Promise<View | Redirect> {
  const day = dayOf(visit, sent.text('day'), await earlierDay(visit));
  const period = tillDay(visit, day);
  if (!isCountable(period, visit.nowMs)) return view(visit, sent);
  const { database } = visit.services;
  const counted = new Map<string, bigint>();
  for (const line of await sumsByOperator(database, visit.tenantId, period)) {
    const typed = sent.text(countedName(line));
    if (typed === '') continue;
    const minor = parseAmount(typed);
    if (minor === undefined) return view(visit, sent);
    counted.set(`${line.currency} ${line.operator}`, minor);
  }
  const id = freshKey(visit, sent);
  const { tenantId, author, person, merchant } = visit;
  const order = {
    tenantId,
    merchantId: merchant.id,
    id,
    day,
    period,
    closedBy: person.id,
    counted,
  };
  await closeTill(authorInCell(visit), order, author);
  return { to: visit.to('sales', { day, done: 'closed' }) };
}

function closingCard(visit: MerchantContext, closing: TillClosing, names: Names): Html {
  const words = allWords[visit.language];
  const columns: Column<ClosingLine>[] = [
    { head: words.operator, cell: ({ operator }) => operatorName(visit, operator) },
    { head: words.payments, isNumber: true, cell: ({ paid }) => String(paid) },
    amountColumn(visit, words.left, remaining),
    {
      head: words.counted,
      isNumber: true,
      cell: ({ countedMinor, currency }) =>
        countedMinor === null ? visit.words.none : amount(visit, BigInt(countedMinor), currency),
    },
    {
      head: words.difference,
      isNumber: true,
      cell: (line) =>
        line.countedMinor === null
          ? visit.words.none
          : amount(visit, BigInt(line.countedMinor) - remaining(line), line.currency),
    },
  ];
  return html`<section class="card"><h2>${words.closed(names.get(closing.closedBy) ?? formatId('pe', closing.closedBy))}</h2>
<p class="hint">${instant(visit, instantOf(closing.id))}</p>
${table(words.difference, columns, closing.lines)}</section>`;
}

const remaining = ({ paidMinor, refundedMinor }: ClosingLine) =>
  BigInt(paidMinor) - BigInt(refundedMinor);

function chargeList(visit: MerchantContext, charges: readonly ListedCharge[], names: Names): Html {
  const words = allWords[visit.language];
  const columns: Column<ListedCharge>[] = [
    { head: words.day, cell: (row) => chargeLink(visit, row) },
    { head: words.person, cell: ({ personId }) => nameIn(names, personId) },
    { head: words.status, cell: (row) => status(visit, row.status) },
    { head: words.phone, cell: ({ operatorPhone }) => phone(tillPhone(visit, operatorPhone)) },
    amountColumn(visit, words.amount, ({ amountMinor }) => amountMinor),
  ];
  return html`<section><h2>${words.charges}</h2>
${table(words.charges, columns, charges.slice(0, mostListed))}
${charges.length > mostListed ? html`<p class="hint">${words.more}</p>` : undefined}</section>`;
}

/** A charge of an earlier day opens only for people who see all of them. */
const chargeLink = (visit: MerchantContext, { id, createdAtMs }: ListedCharge): Html =>
  !seesAllCharges(visit) && createdAtMs < tillToday(visit).fromMs
    ? instant(visit, createdAtMs)
    : html`<a href="${visit.to(`charge/${formatId('pi', id)}`)}">${instant(visit, createdAtMs)}</a>`;
