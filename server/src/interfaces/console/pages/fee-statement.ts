import { balanceOf } from '../../../money/settlements/balance.ts';
import {
  type FeeStatement,
  feeStatementOf,
  isEmpty,
} from '../../../money/settlements/statement/fee-statement.ts';
import { monthOf } from '../../../money/settlements/statement/month.ts';
import { writeAuditRecord } from '../../../platform/audit/record.ts';
import type { OperatorName } from '../../../platform/config/operator-catalogue.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import type { Cell } from '../../../platform/formats/spreadsheet.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { timeZoneName } from '../../../platform/text/time-zone-name.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { type Currency, timeZoneOf } from '../../../platform/values/money.ts';
import { readBrand } from '../../../tenants/merchants/brand.ts';
import type { ConsolePage } from '../page.ts';
import { addDays, addMonths, today } from '../parts/calendar-days.ts';
import { select } from '../parts/form.ts';
import { amount, calendarDay, count, given, instant, share } from '../parts/format.ts';
import { sendSheet } from '../parts/spreadsheet.ts';
import { empty, facts, table } from '../parts/table.ts';
import type { MerchantContext } from '../request-context.ts';
import { chosenCurrency } from './daily-balances.ts';
import { words as allWords } from './fee-statement.words.ts';

/** Months of statements are those of the currency, whatever the merchant's time zone. */
const currentMonth = ({ nowMs }: MerchantContext, currency: Currency): string =>
  today({ nowMs, timeZone: timeZoneOf[currency] }).slice(0, 7);

/** A month without fees is the same for ever once it is over, and is never stored. */
const isProvisional = (visit: MerchantContext, statement: FeeStatement): boolean =>
  statement.issuedAtMs === null &&
  (!isEmpty(statement) || statement.month >= currentMonth(visit, statement.currency));

/** The month of the address if it has begun, otherwise the current one. */
function monthIn(visit: MerchantContext, currency: Currency): string {
  const current = currentMonth(visit, currency);
  const asked = visit.query.get('month') ?? '';
  return /^2\d{3}-(0[1-9]|1[0-2])$/.test(asked) && asked <= current ? asked : current;
}

async function read(visit: MerchantContext) {
  const { services, author, tenantId, merchant, mode } = visit;
  const balances = await balanceOf(services.database, tenantId);
  const currencies = balances.map(({ currency }) => currency);
  const currency = chosenCurrency(visit, currencies) as Currency;
  const { company } = services.staff.config;
  const { taxNumber } = await readBrand(services.database, merchant.id);
  const payer = { tenantId, merchantId: merchant.id, mode, name: merchant.name, taxNumber };
  const month = monthIn(visit, currency);
  const found = await feeStatementOf({ ...services, ...author, company }, payer, {
    month,
    currency,
  });
  return { statement: found, currencies };
}

/** Our fees of a month, to view and print. */
export const feeStatementPage: ConsolePage = {
  path: 'fee-statement',
  permission: 'money.read',
  async show(visit) {
    const words = allWords[visit.language];
    const { statement, currencies } = await read(visit);
    const { month, currency } = statement;
    const scripts = ['money.css', 'statement.js'];
    if (visit.query.get('print') === '1') {
      const main = html`<main id="main" class="sheet-of-paper">
<p class="bar no-print"><a href="${visit.to('fee-statement', { month, currency })}">${words.back}</a>
<button class="button primary" data-print hidden>${words.print}</button><span class="hint" data-print-hint>${words.printHint}</span></p>
<h1>${words.title}</h1>
${document(visit, statement)}</main>`;
      return { title: words.title, main, scripts, bare: true };
    }
    const main = html`${choice(visit, statement, currencies)}
${document(visit, statement)}
<p class="bar"><a class="button plain" href="${visit.to('fee-statement', { month, currency, print: '1' })}">${words.print}</a>
<a class="button plain" href="${visit.to('fee-statement.csv', { month, currency })}">${words.file}</a></p>`;
    return { title: words.title, main, scripts };
  },
};

function choice(
  visit: MerchantContext,
  { month, currency }: FeeStatement,
  currencies: readonly string[],
): Html {
  const words = allWords[visit.language];
  const to = (months: number) =>
    visit.to('fee-statement', { month: addMonths(`${month}-01`, months).slice(0, 7), currency });
  const form = html`<form class="filters" action="${visit.to('fee-statement')}"><input type="hidden" name="month" value="${month}">
${select(
  'currency',
  words.currency,
  currencies.map((each) => [each, each]),
  { value: currency },
)}
<div class="bar"><button class="button plain">${words.show}</button></div></form>`;
  return html`${currencies.length > 1 ? form : undefined}
<nav class="pager" aria-label="${words.month}"><a href="${to(-1)}">${words.previous}</a>
${month >= currentMonth(visit, currency as Currency) ? undefined : html`<a href="${to(1)}">${words.following}</a>`}</nav>`;
}

function document(visit: MerchantContext, statement: FeeStatement): Html {
  const words = allWords[visit.language];
  const { currency, merchant, company, taxBasisPoints, taxMinor, feeMinor } = statement;
  const { from, until } = monthOf(statement.month);
  const minor = (value: bigint) => amount(visit, value, currency);
  const tax: [string, Html][] =
    taxBasisPoints === null
      ? []
      : [
          [words.net, minor(feeMinor - taxMinor)],
          [words.tax(share(visit, taxBasisPoints / 10_000)), minor(taxMinor)],
        ];
  return html`${visit.mode === 'test' ? html`<p><b>${words.testNote}</b></p>` : undefined}
<section class="card">${facts([
    [
      words.number,
      isProvisional(visit, statement)
        ? html`<span class="hint">${words.provisional}</span>`
        : html`<code class="id">${statement.number}</code>`,
    ],
    [
      words.period,
      html`${calendarDay(visit, from)} – ${calendarDay(visit, addDays(until, -1))} <span class="hint">(${timeZoneName(visit.language, statement.timeZone)})</span>`,
    ],
    [
      words.issued,
      statement.issuedAtMs === null ? undefined : instant(visit, statement.issuedAtMs),
    ],
  ])}</section>
<div class="columns">${party(visit, words.from, company)}${party(visit, words.to, { ...merchant, address: null })}</div>
<p><b>${words.noInvoice}</b></p>
${
  isEmpty(statement)
    ? empty(words.nothing)
    : html`${linesTables(visit, statement)}
<section class="card sums">${facts([
        ...tax,
        [words.total, html`<b>${minor(feeMinor)}</b>`],
      ])}</section>
<p class="hint">${taxBasisPoints === null ? words.noTax : undefined} ${words.taken}</p>`
}`;
}

type Party = FeeStatement['company'];

function party(visit: MerchantContext, title: string, { name, taxNumber, address }: Party): Html {
  const words = allWords[visit.language];
  return html`<section class="card"><h2>${title}</h2><p><b>${given(name) ?? words.unnamed}</b></p>
${facts([
  [words.taxNumber, given(taxNumber)],
  [words.address, given(address, 200)],
])}</section>`;
}

/** Payments, and apart from them disbursements, if there were any. */
function linesTables(
  visit: MerchantContext,
  { lines, disbursements, currency }: FeeStatement,
): Html {
  const words = allWords[visit.language];
  const heads = { count: words.disbursements, volume: words.disbursed };
  return html`${lines.length === 0 ? undefined : linesTable(visit, lines, currency, words)}
${disbursements.length === 0 ? undefined : linesTable(visit, disbursements, currency, heads)}`;
}

function linesTable(
  visit: MerchantContext,
  lines: FeeStatement['lines'],
  currency: Currency,
  heads: { count: string; volume: string },
): Html {
  const words = allWords[visit.language];
  return table<FeeStatement['lines'][number]>(
    heads.count,
    [
      { head: words.operator, cell: ({ operator }) => nameOf(visit, operator) },
      { head: heads.count, isNumber: true, cell: (row) => count(visit, Number(row.count)) },
      {
        head: heads.volume,
        isNumber: true,
        cell: ({ grossMinor }) => amount(visit, grossMinor, currency),
      },
      {
        head: words.fees,
        isNumber: true,
        cell: ({ feeMinor }) => amount(visit, feeMinor, currency),
      },
    ],
    lines,
  );
}

const nameOf = ({ words }: MerchantContext, operator: string) =>
  words.operators[operator as OperatorName] ?? operator;

/** The same, for a spreadsheet. */
export const feeStatementFile: ConsolePage = {
  path: 'fee-statement.csv',
  permission: 'money.read',
  async show(visit) {
    const words = allWords[visit.language];
    const { language, tenantId, merchant, services, author } = visit;
    const asked = visit.query.get('month');
    const { statement } = await read(visit);
    if (asked !== null && asked !== statement.month) throw notFound('statement of fees');
    const { month, currency } = statement;
    // Recorded first, because no export may go unrecorded.
    await writeAuditRecord(
      services.database,
      { ...services, ...author },
      {
        tenantId,
        action: 'fee_statement.exported',
        subject: formatId('me', merchant.id),
        detail: { month, currency },
      },
    );
    const titles = [words.number, words.month, words.operator, words.count, words.volume];
    titles.push(words.fees, words.currency, words.taxNumber);
    const columns = titles.map((title) => ({ title, width: 22 }));
    const name = `${words.fileName}-${month}-${currency.toLowerCase()}`;
    const pages = rowsOf(visit, statement);
    return sendSheet(name, { format: 'csv', language, title: words.title, columns, pages });
  },
};

async function* rowsOf(visit: MerchantContext, statement: FeeStatement): AsyncGenerator<Cell[][]> {
  const words = allWords[visit.language];
  const { month, currency, taxBasisPoints, taxMinor, feeMinor, company } = statement;
  const number = isProvisional(visit, statement) ? words.provisional : statement.number;
  const row = (title: string, amounts: [bigint | null, bigint | null, bigint]): Cell[] => {
    const [payments, gross, fees] = amounts;
    const volume = gross === null ? null : { amountMinor: gross };
    const counted = payments === null ? null : payments.toString();
    return [
      number,
      month,
      title,
      counted,
      volume,
      { amountMinor: fees },
      currency,
      company.taxNumber,
    ];
  };
  yield statement.lines.map((line) =>
    row(nameOf(visit, line.operator), [line.count, line.grossMinor, line.feeMinor]),
  );
  // Count and volume are those of payments.
  yield statement.disbursements.map(({ operator, feeMinor: minor }) =>
    row(words.disbursementsBy(nameOf(visit, operator)), [null, null, minor]),
  );
  if (taxBasisPoints !== null) {
    yield [
      row(words.net, [null, null, feeMinor - taxMinor]),
      row(words.tax(share(visit, taxBasisPoints / 10_000)), [null, null, taxMinor]),
    ];
  }
  yield [row(words.total, [statement.count, statement.grossMinor, feeMinor])];
  yield [[words.noInvoice, null, null, null, null, null, null, null]];
}
