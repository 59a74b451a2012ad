import { monthOf } from '../../../money/settlements/statement/month.ts';
import { readStatement, type Statement } from '../../../money/settlements/statement/read.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { dateTimeFormat } from '../../../platform/values/intl-formats.ts';
import { currencies } from '../../../platform/values/money.ts';
import { nameText } from '../../../storefront/checkout/page/state.ts';
import { findMerchant, findTenant, type Merchant } from '../../../tenants/merchants/store.ts';
import type { StaffPage, View } from '../page.ts';
import { words as moneyWords } from '../pages/money.words.ts';
import { statementDays, statementSheet, statementSums } from '../pages/statement-document.ts';
import { sendMovements } from '../pages/statement-movements.ts';
import { addDays, addMonths, today } from '../parts/calendar-days.ts';
import { mode } from '../parts/filters.ts';
import { type Choice, select } from '../parts/form.ts';
import { localeOf } from '../parts/format.ts';
import type { StaffContext } from '../request-context.ts';
import { words as allWords } from './ledger.words.ts';

const modeIn = (visit: StaffContext) => mode(visit).read(visit.query.get('mode') ?? '');

/** A merchant's statement of a month, as the merchant sees it: to view, and to print. */
export const staffStatementPage: StaffPage = {
  path: 'merchants/:id/statement',
  permission: 'ledger.read',
  async show(visit): Promise<View> {
    const { merchant, tenantId } = await ownerOf(visit);
    const asked = visit.query.get('month') ?? '';
    const month = /^2\d{3}-(0[1-9]|1[0-2])$/.test(asked) ? asked : today(visit).slice(0, 7);
    const currency = currencies.find((each) => each === visit.query.get('currency')) ?? 'CVE';
    const question = { tenantId, currency, ...monthOf(month) };
    const statement = await readStatement(visit.services.database, question);
    const words = moneyWords[visit.language];
    const scripts = ['money.css', 'statement.js'];
    const query = { month, currency, mode: modeIn(visit) };
    const page = `merchants/${formatId('me', merchant.id)}/statement`;
    const [from, until] = [statement.from, addDays(statement.until, -1)];
    if (visit.query.get('print') === '1') {
      const back = visit.to(page, query);
      const sheet = {
        statement,
        question,
        from,
        until,
        back,
        name: merchant.name,
        mode: query.mode,
      };
      return {
        title: words.statement,
        main: await statementSheet(visit, sheet),
        scripts,
        bare: true,
      };
    }
    const file = visit.to(`${page}/movements.csv`, { from, until, currency, mode: query.mode });
    const main = html`${choice(visit, merchant, statement, month)}
${statementSums(visit, statement)}
${statementDays(visit, statement)}
<p class="bar"><a class="button plain" href="${visit.to(page, { ...query, print: '1' })}">${words.print}</a>
<a class="button plain" href="${file}">${words.movementsFile}</a></p>
<p class="hint">${words.returnedHint}</p>`;
    return { title: `${words.statement}: ${nameText(merchant.name)}`, main, scripts };
  },
};

/** Each movement, for a spreadsheet. */
export const staffMovementsFile: StaffPage = {
  path: 'merchants/:id/statement/movements.csv',
  permission: 'ledger.read',
  async show(visit) {
    const { merchant, tenantId } = await ownerOf(visit);
    return sendMovements(visit, { tenantId, merchantId: merchant.id });
  },
};

/** @throws NOT_FOUND */
async function ownerOf(visit: StaffContext): Promise<{ merchant: Merchant; tenantId: string }> {
  const { database } = visit.services;
  const id = parseId('me', visit.params.id ?? '');
  const merchant = id && (await findMerchant(database, id));
  const tenant = merchant && (await findTenant(database, merchant.id, modeIn(visit)));
  if (!merchant || !tenant) throw notFound('merchant');
  return { merchant, tenantId: tenant.id };
}

function choice(
  visit: StaffContext,
  { id }: Merchant,
  { currency }: Statement,
  month: string,
): Html {
  const words = moneyWords[visit.language];
  const merchant = visit.to(`merchants/${formatId('me', id)}`);
  return html`<p class="bar"><a href="${merchant}">${allWords[visit.language].merchant}</a></p>
<form class="filters" action="${merchant}/statement">
${select('month', words.month, monthChoices(visit, month), { value: month })}
${select(
  'currency',
  words.currency,
  currencies.map((each) => [each, each]),
  { value: currency },
)}
${mode(visit).field('mode', { value: modeIn(visit) })}
<div class="bar"><button class="button plain">${words.show}</button></div>
</form>`;
}

const shownMonths = 24;

/** In words, because few browsers have a month field: the last two years, and the requested month. */
function monthChoices(visit: StaffContext, asked: string): Choice[] {
  const format = dateTimeFormat(localeOf(visit), {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const latest = Array.from({ length: shownMonths }, (_, index) =>
    addMonths(today(visit), -index).slice(0, 7),
  );
  const months = latest.includes(asked) ? latest : [...latest, asked];
  return months.map((month) => [month, format.format(Date.parse(`${month}-01`))]);
}
