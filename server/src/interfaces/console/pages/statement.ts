import { balanceOf } from '../../../money/settlements/balance.ts';
import {
  type Statement as MonthStatement,
  readStatement,
  type StatementQuestion,
} from '../../../money/settlements/statement/read.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import type { Cell } from '../../../platform/formats/spreadsheet.ts';
import { html } from '../../../platform/text/html.ts';
import type { Currency } from '../../../platform/values/money.ts';
import type { ConsolePage } from '../page.ts';
import { addDays, addMonths, isDay, today } from '../parts/calendar-days.ts';
import { field, notice, select } from '../parts/form.ts';
import { ownFirst } from '../parts/own-first.ts';
import { type SheetFormat, sendSheet } from '../parts/spreadsheet.ts';
import type { MerchantContext } from '../request-context.ts';
import { chosenCurrency, signed } from './daily-balances.ts';
import { words as allWords } from './money.words.ts';
import {
  closingWords,
  statementDays,
  statementSheet,
  statementSums,
} from './statement-document.ts';

/** More than a year of days makes a long page, not a statement. */
const mostDays = 366;

interface Period {
  from: string;
  /** The last day. */
  until: string;
}

/** The current month, unless the address names a period; undefined for an invalid one. */
function periodOf(visit: MerchantContext): Period | undefined {
  const [from, until] = [visit.query.get('from'), visit.query.get('until')];
  if (!from && !until) return monthOf(today(visit));
  if (!isDay(from) || !isDay(until) || until < from || from > today(visit)) return undefined;
  return until < addDays(from, mostDays) ? { from, until } : undefined;
}

const monthOf = (day: string): Period => ({
  from: addMonths(day, 0),
  until: addDays(addMonths(day, 1), -1),
});

/** The period as queried, and as shown: with its last day. */
interface Statement extends MonthStatement {
  question: StatementQuestion;
  currencies: string[];
}

async function read(visit: MerchantContext, { from, until }: Period): Promise<Statement> {
  const { tenantId, services } = visit;
  const { database } = services;
  const balances = ownFirst(visit, await balanceOf(database, tenantId));
  const currencies = balances.map(({ currency }) => currency);
  const currency = chosenCurrency(visit, currencies) as Currency;
  const question = { tenantId, currency, from, until: addDays(until, 1) };
  const found = await readStatement(database, question);
  return { ...found, question, from, until, currencies };
}

/** The balance over a period, to view and print. */
export const statementPage: ConsolePage = {
  path: 'statement',
  permission: 'money.read',
  async show(visit) {
    const words = allWords[visit.language];
    const period = periodOf(visit);
    const scripts = ['money.css', 'statement.js'];
    const statement = await read(visit, period ?? monthOf(today(visit)));
    if (period === undefined) {
      const main = html`${notice(words.wrongPeriod, 'bad')}${choice(visit, statement)}`;
      return { title: words.statement, main, scripts, status: 400 };
    }
    if (visit.query.get('print') === '1') {
      const main = await paper(visit, statement);
      return { title: words.statement, main, scripts, bare: true };
    }
    const query = queryOf(statement);
    const main = html`${choice(visit, statement)}
${statementSums(visit, statement)}
${statementDays(visit, statement)}
<p class="bar"><a class="button plain" href="${visit.to('statement', { ...query, print: '1' })}">${words.print}</a>
<a class="button plain" href="${visit.to('statement/movements.csv', query)}">${words.movementsFile}</a>
<a class="button plain" href="${visit.to('statement/movements.xlsx', query)}">${words.movementsExcel}</a>
<a class="button plain" href="${visit.to('statement.csv', query)}">${words.file}</a>
<a class="button plain" href="${visit.to('statement.xlsx', query)}">${words.fileExcel}</a>
<a class="button plain" href="${visit.to('fee-statement', { month: statement.from.slice(0, 7), currency: statement.currency })}">${words.feeStatement}</a></p>
<p class="hint">${words.returnedHint}</p>`;
    return { title: words.statement, main, scripts, timeZone: statement.timeZone };
  },
};

const queryOf = ({ from, until, currency }: Statement) => ({ from, until, currency });

function choice(visit: MerchantContext, { from, until, currency, currencies }: Statement) {
  const words = allWords[visit.language];
  const month = (first: string) => visit.to('statement', { ...monthOf(first), currency });
  const next = addMonths(from, 1);
  return html`<form class="filters" action="${visit.to('statement')}">
${field('from', words.from, { type: 'date', value: from, isRequired: true })}
${field('until', words.until, { type: 'date', value: until, isRequired: true })}
${
  currencies.length > 1
    ? select(
        'currency',
        words.currency,
        currencies.map((each) => [each, each]),
        { value: currency },
      )
    : undefined
}
<div class="bar"><button class="button plain">${words.show}</button></div>
</form>
<nav class="pager" aria-label="${words.statement}"><a href="${month(addMonths(from, -1))}">${words.previous}</a>
${next > today(visit) ? undefined : html`<a href="${month(next)}">${words.following}</a>`}</nav>`;
}

/** A sheet that names its owner. */
function paper(visit: MerchantContext, statement: Statement) {
  const { merchant, mode } = visit;
  const { from, until, question } = statement;
  const back = visit.to('statement', queryOf(statement));
  return statementSheet(visit, {
    statement,
    question,
    from,
    until,
    back,
    name: merchant.name,
    mode,
  });
}

const fileIn = (format: SheetFormat): ConsolePage => ({
  path: `statement.${format}`,
  permission: 'money.read',
  async show(visit) {
    const words = allWords[visit.language];
    const period = periodOf(visit);
    if (period === undefined) throw notFound('statement');
    const statement = await read(visit, period);
    const { from, until, currency } = statement;
    const name = `${words.fileName}-${from}-${until}-${currency.toLowerCase()}`;
    const titles = [
      words.day,
      words.payments,
      words.fees,
      words.refunds,
      words.payouts,
      words.balance,
    ];
    // What is new stands last: programs know the columns by their places.
    const columns = [...titles, words.currency, words.disbursements].map((title) => ({
      title,
      width: 18,
    }));
    const pages = pagesOf(visit, statement);
    const { language } = visit;
    return sendSheet(name, { format, language, title: words.statement, columns, pages });
  },
});

/** The same, for a spreadsheet. */
export const statementFile = fileIn('csv');
/** The same for Excel. */
export const statementExcel = fileIn('xlsx');

async function* pagesOf(visit: MerchantContext, statement: Statement): AsyncGenerator<Cell[][]> {
  const words = allWords[visit.language];
  const { openingMinor, closingMinor, total, currency } = statement;
  const amounts = (minors: readonly bigint[]) => minors.map((amountMinor) => ({ amountMinor }));
  yield [[words.opening, null, null, null, null, ...amounts([openingMinor]), currency, null]];
  yield statement.days.map((row) => [
    row.day,
    ...amounts([...signed(row), row.closingMinor]),
    currency,
    ...amounts([-row.disbursementMinor]),
  ]);
  yield [
    [
      closingWords(visit, statement),
      ...amounts([...signed(total), closingMinor]),
      currency,
      ...amounts([-total.disbursementMinor]),
    ],
  ];
}
