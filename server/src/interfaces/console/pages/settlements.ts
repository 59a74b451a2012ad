import { randomUUID } from 'node:crypto';
import { type Balance, balanceOf, payableNow } from '../../../money/settlements/balance.ts';
import { settlementStatuses } from '../../../money/settlements/settlement.ts';
import { listSettlements } from '../../../money/settlements/store.ts';
import { DomainError } from '../../../platform/errors/errors.ts';
import { html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import type { Redirect, View } from '../page.ts';
import { choice, filtersOf } from '../parts/filters.ts';
import { button, form, hidden } from '../parts/form.ts';
import { amount, instant, minorText } from '../parts/format.ts';
import { listPage, type MerchantListPage } from '../parts/list-page.ts';
import { settlementColumns } from '../parts/settlement.ts';
import { words as allWords } from '../parts/settlement.words.ts';
import type { MerchantContext, SentForm } from '../request-context.ts';

/** Payouts to the bank, and the button that requests one. */
export const settlementsPage: MerchantListPage = listPage({
  path: 'settlements',
  permission: 'money.read',
  words: allWords,
  filters: (visit, words) =>
    filtersOf(visit, {
      status: choice(visit, words.status, settlementStatuses, visit.words.statuses),
    }),
  load: ({ services, tenantId }, filter, page) =>
    listSettlements(services.database, tenantId, filter.status, page),
  cursor: 'se',
  columns: (visit, words) => [
    {
      head: words.date,
      cell: ({ id, createdAtMs }) =>
        html`<a href="${visit.to(`settlements/${formatId('se', id)}`)}">${instant(visit, createdAtMs)}</a>`,
    },
    ...settlementColumns(visit),
  ],
  async above(visit) {
    if (!visit.can('settlements.create')) return undefined;
    const balances = await balanceOf(visit.services.database, visit.tenantId);
    const payable = balances.filter((each) => payableNow(each) > 0n);
    return html`${payable.map((balance) => payOutForm(visit, balance))}`;
  },
  actions: {
    'pay-out': { permission: 'settlements.create', isSensitive: true, run: payOut },
  },
});

/** The page's key makes the request take effect once, however often the form is sent. */
function payOutForm(visit: MerchantContext, balance: Balance) {
  const words = allWords[visit.language];
  const { currency, keepMinor } = balance;
  const hint =
    keepMinor === null
      ? words.payOutHint
      : words.payOutButHint(minorText(visit, keepMinor, currency));
  return html`<section class="card">${form(
    visit,
    html`${hidden('key', randomUUID())}${hidden('currency', currency)}
<p class="bar spread"><span><span class="figure">${amount(visit, payableNow(balance), currency)}</span><br><span class="hint">${hint}</span></span>
${button('pay-out', words.payOut)}</p>`,
  )}</section>`;
}

async function payOut(visit: MerchantContext, sent: SentForm): Promise<View | Redirect> {
  const words = allWords[visit.language];
  const [key, currency] = [sent.text('key'), sent.text('currency')];
  if (!/^[0-9a-f-]{36}$/.test(key) || !/^[A-Z]{3}$/.test(currency)) {
    return settlementsPage.view(visit, { problem: words.badForm });
  }
  const { tenantId, author } = visit;
  const merchantId = visit.merchant.id;
  const order = { tenantId, merchantId, currency, idempotencyKey: `console-${key}`, author };
  try {
    const done = await visit.services.processSettlement(order);
    if (done === undefined) return settlementsPage.view(visit, { problem: words.nothingToPay });
    const { id } = done.settlement;
    return { to: visit.to(`settlements/${formatId('se', id)}`, { done: 'started' }) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const isOpen = error.code === 'INVALID_STATE';
    const problem = isOpen ? words.cannotYet : visit.words.errors[error.code];
    return settlementsPage.view(visit, { problem });
  }
}
