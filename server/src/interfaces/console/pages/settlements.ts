import { randomUUID } from 'node:crypto';
import { type Balance, balanceOf } from '../../../money/settlements/balance.ts';
import { type Settlement, settlementStatuses } from '../../../money/settlements/settlement.ts';
import { listSettlements } from '../../../money/settlements/store.ts';
import { DomainError } from '../../../platform/errors/errors.ts';
import { html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import type { ConsolePage, Redirect, View } from '../page.ts';
import { button, form, hidden, notice, select } from '../parts/form.ts';
import { amount, count, instant, status } from '../parts/format.ts';
import { words as allWords } from '../parts/settlement.words.ts';
import { empty, pager, table } from '../parts/table.ts';
import type { MerchantContext, SentForm } from '../request-context.ts';

const limit = 25;

/** Payouts to the bank, and the button that asks for one. */
export const settlementsPage: ConsolePage = {
  path: 'settlements',
  permission: 'money.read',
  show: (visit) => show(visit),
  actions: {
    'pay-out': { permission: 'settlements.create', isSensitive: true, run: payOut },
  },
};

async function show(visit: MerchantContext, problem?: string): Promise<View> {
  const words = allWords[visit.language];
  const { database } = visit.services;
  const asked = settlementStatuses.find((each) => each === visit.query.get('status'));
  const page = { limit, startingAfter: parseId('se', visit.query.get('starting_after') ?? '') };
  const [rows, balances] = await Promise.all([
    listSettlements(database, visit.tenantId, asked, page),
    visit.can('settlements.create') ? balanceOf(database, visit.tenantId) : [],
  ]);
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const main = html`${problem === undefined ? undefined : notice(problem, 'bad')}
${balances.filter(({ available }) => available > 0n).map((balance) => payOutForm(visit, balance))}
${filters(visit)}
${shown.length === 0 ? nothing(visit) : list(visit, shown)}
${pager(visit, 'settlements', last && formatId('se', last.id))}`;
  return { title: words.title, main, status: problem === undefined ? 200 : 400 };
}

/** The key is made with the page: what it asks for is done once, however often the form is sent. */
function payOutForm(visit: MerchantContext, { currency, available }: Balance) {
  const words = allWords[visit.language];
  return html`<section class="card">${form(
    visit,
    html`${hidden('key', randomUUID())}${hidden('currency', currency)}
<p class="bar spread"><span><span class="figure">${amount(visit, available, currency)}</span><br><span class="hint">${words.payOutHint}</span></span>
${button('pay-out', words.payOut)}</p>`,
  )}</section>`;
}

async function payOut(visit: MerchantContext, sent: SentForm): Promise<View | Redirect> {
  const words = allWords[visit.language];
  const [key, currency] = [sent.text('key'), sent.text('currency')];
  if (!/^[0-9a-f-]{36}$/.test(key) || !/^[A-Z]{3}$/.test(currency)) {
    return show(visit, words.badForm);
  }
  const { tenantId, author } = visit;
  const merchantId = visit.merchant.id;
  const order = { tenantId, merchantId, currency, idempotencyKey: `console-${key}`, author };
  try {
    const done = await visit.services.processSettlement(order);
    if (done === undefined) return show(visit, words.nothingToPay);
    const { id } = done.settlement;
    return { to: visit.to(`settlements/${formatId('se', id)}`, { done: 'started' }) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const isOpen = error.code === 'INVALID_STATE';
    return show(visit, isOpen ? words.cannotYet : visit.words.errors[error.code]);
  }
}

function filters(visit: MerchantContext) {
  const words = allWords[visit.language];
  const { all, apply, statuses } = visit.words;
  const choices = settlementStatuses.map((each) => [each, statuses[each] ?? each] as const);
  const value = visit.query.get('status') ?? '';
  return html`<form class="filters" action="${visit.to('settlements')}">
${select('status', words.status, [['', all], ...choices], { value })}
<div class="bar"><button class="button plain">${apply}</button></div>
</form>`;
}

function list(visit: MerchantContext, rows: readonly Settlement[]) {
  const words = allWords[visit.language];
  const address = ({ id }: Settlement) => visit.to(`settlements/${formatId('se', id)}`);
  return table<Settlement>(
    words.title,
    [
      {
        head: words.date,
        cell: (row) => html`<a href="${address(row)}">${instant(visit, row.createdAtMs)}</a>`,
      },
      { head: words.status, cell: (row) => status(visit, row.status) },
      {
        head: words.net,
        isNumber: true,
        cell: (row) => amount(visit, row.netMinor, row.currency),
      },
      {
        head: words.count,
        isNumber: true,
        cell: (row) => count(visit, Number(row.itemCount)),
      },
      { head: words.reference, cell: (row) => row.payoutRef ?? undefined },
    ],
    rows,
  );
}

function nothing(visit: MerchantContext) {
  const words = allWords[visit.language];
  return visit.query.size === 0 ? empty(words.nothing, words.nothingHint) : empty(words.noMatch);
}
