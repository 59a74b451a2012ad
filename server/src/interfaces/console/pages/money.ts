import { readBalanceDays } from '../../../money/ledger/daily-balances.ts';
import { type Balance, balanceOf } from '../../../money/settlements/balance.ts';
import { nextRunMs } from '../../../money/settlements/payout-schedule-times.ts';
import { operatorNames } from '../../../platform/config/operator-catalogue.ts';
import { html } from '../../../platform/text/html.ts';
import { timeZoneName } from '../../../platform/text/time-zone-name.ts';
import { numberFormat } from '../../../platform/values/intl-formats.ts';
import { agreedFee } from '../../../platform/values/merchant-terms.ts';
import { type Currency, timeZoneOf } from '../../../platform/values/money.ts';
import type { BankAccount } from '../../../tenants/merchants/bank-account.ts';
import { listCurrentAccounts } from '../../../tenants/merchants/bank-account-store.ts';
import { findPayoutSchedule } from '../../../tenants/merchants/payout-schedule.ts';
import type { ConsolePage } from '../page.ts';
import { accountEnd } from '../parts/bank-account.ts';
import { addDays, isDay, today } from '../parts/calendar-days.ts';
import { notice } from '../parts/form.ts';
import { amount, instant, share } from '../parts/format.ts';
import { ownFirst } from '../parts/own-first.ts';
import { empty, facts } from '../parts/table.ts';
import type { MerchantContext } from '../request-context.ts';
import { chosenCurrency, daysTable } from './daily-balances.ts';
import { words as allWords } from './money.words.ts';

const pageDays = 31;

/** The merchant's balance, payouts, fees and movements. */
export const moneyPage: ConsolePage = {
  path: 'money',
  permission: 'money.read',
  async show(visit) {
    const words = allWords[visit.language];
    const { database } = visit.services;
    const balances = ownFirst(visit, await balanceOf(database, visit.tenantId));
    const current = await listCurrentAccounts(database, visit.merchant.id);
    const accounts = bankAccounts(visit, current);
    // In test mode no bank pays, so that no account is missing.
    const missing = visit.mode === 'test' ? [] : currenciesWithout(current, balances);
    const main =
      balances.length === 0
        ? html`${empty(words.nothing, words.nothingHint)}<div class="columns">${accounts}${fees(visit)}</div>`
        : html`${balances.map((balance) => tiles(visit, balance))}
<div class="columns">${await nextPayout(visit, missing)}${accounts}${fees(visit)}</div>
${await history(visit, balances)}`;
    return { title: words.title, main, scripts: ['money.css'] };
  },
};

function tiles(
  visit: MerchantContext,
  { currency, available, pending, refundsInTransit, disbursementsInTransit, keepMinor }: Balance,
) {
  const words = allWords[visit.language];
  const tile = (name: string, minor: bigint, hint: string) =>
    html`<div class="tile"><p>${name}</p><p class="figure">${amount(visit, minor, currency)}</p><p class="hint">${hint}</p></div>`;
  return html`<section class="tiles" aria-label="${currency}">
${tile(words.available, available, available < 0n ? words.negative : words.availableHint)}
${tile(words.pending, pending, words.pendingHint)}
${tile(words.reserved, refundsInTransit, words.reservedHint)}
${disbursementsInTransit === 0n ? undefined : tile(words.disbursing, disbursementsInTransit, words.disbursingHint)}
${keepMinor === null ? undefined : tile(words.kept, keepMinor, words.keptHint)}
</section>`;
}

async function nextPayout(visit: MerchantContext, missing: readonly string[]) {
  const words = allWords[visit.language];
  const { database, dailyRun } = visit.services;
  const schedule = await findPayoutSchedule(database, visit.merchant.id);
  const nextMs = nextRunMs(visit.nowMs, dailyRun, schedule);
  return html`<section class="card"><h2>${words.next}</h2>
<p>${nextMs === undefined ? words.byHand : instant(visit, nextMs)}</p>
<p class="hint">${nextMs === undefined ? words.byHandTo : words.nextTo}</p>
${missing.length === 0 ? undefined : notice(words.noAccountYet(missing.join(', ')), 'bad')}
<p><a href="${visit.to('settlements')}">${words.toSettlements}</a></p></section>`;
}

const currenciesWithout = (accounts: readonly BankAccount[], balances: readonly Balance[]) =>
  balances
    .map(({ currency }) => currency)
    .filter((each) => !accounts.some(({ currency }) => currency === each));

/** The payout accounts that the gateway's staff have entered. */
function bankAccounts(visit: MerchantContext, current: readonly BankAccount[]) {
  const words = allWords[visit.language];
  const rows = current.map(
    ({ currency, accountNumber }) => [currency, accountEnd(accountNumber)] as const,
  );
  return html`<section class="card"><h2>${words.accounts}</h2>
${rows.length === 0 ? html`<p>${visit.mode === 'test' ? words.noAccountsNeeded : words.noAccounts}</p>` : facts(rows)}
<p class="hint">${words.accountsHint}</p></section>`;
}

function fees(visit: MerchantContext) {
  const words = allWords[visit.language];
  const { fees: all, liveOperators } = visit.services;
  const operators = visit.mode === 'live' ? liveOperators : operatorNames;
  const rows = operators.map((operator) => {
    const { basisPoints, fixedMinor } = agreedFee(visit.terms, operator, all[operator]);
    const part = share(visit, basisPoints / 10_000);
    const fixed = words.ofMinor(fixedText(visit, fixedMinor));
    const texts = [
      [words.feeFree, words.feeFixed(fixed)],
      [words.feeShare(part), words.feeBoth(part, fixed)],
    ];
    return [
      visit.words.operators[operator],
      texts[basisPoints === 0 ? 0 : 1]![fixedMinor === 0n ? 0 : 1],
    ] as const;
  });
  return html`<section class="card"><h2>${words.feesTitle}</h2>
${facts(rows)}
<p class="hint">${words.feesHint}</p>
<p><a href="${visit.to('fee-statement')}">${words.feeStatement}</a></p></section>`;
}

/** Without a currency: a fee has the payment's currency. */
function fixedText({ words }: MerchantContext, minor: bigint): string {
  const options = { minimumFractionDigits: 2, maximumFractionDigits: 2 };
  const tag = words.tag === 'en' ? 'en-GB' : words.tag;
  return numberFormat(tag, options).format(Number(minor) / 100);
}

async function history(visit: MerchantContext, balances: readonly Balance[]) {
  const words = allWords[visit.language];
  const currencies = balances.map((each) => each.currency);
  const currency = chosenCurrency(visit, currencies);
  const tomorrow = addDays(today(visit), 1);
  const asked = visit.query.get('before');
  // Up to tomorrow, to include bookings by a process whose clock is slightly ahead.
  const until = isDay(asked) && asked < tomorrow ? asked : addDays(tomorrow, 1);
  const from = addDays(until, -pageDays);
  const { database } = visit.services;
  const { tenantId } = visit;
  const timeZone = timeZoneOf[currency as Currency];
  const found = await readBalanceDays(database, { tenantId, currency, from, until, timeZone });
  const to = (query: Record<string, string | undefined>) =>
    visit.to('money', { currency: currency === currencies[0] ? undefined : currency, ...query });
  return html`<section class="history" aria-labelledby="history">
<p class="bar spread"><b id="history">${words.historyOf(currency)}</b>
<span class="bar">${currencies.length > 1 ? currencies.filter((each) => each !== currency).map((each) => html`<a href="${visit.to('money', { currency: each })}">${each}</a>`) : undefined}
<a href="${visit.to('statement', { currency })}">${words.statement}</a></span></p>
${found.days.length === 0 ? empty(words.quiet) : daysTable(visit, words.history, currency, [...found.days].reverse())}
${timeZone === visit.timeZone ? undefined : html`<p class="hint">${words.daysIn(timeZoneName(visit.language, timeZone))}</p>`}
<p class="hint">${words.returnedHint}</p>
<nav class="pager" aria-label="${words.history}">
${until > tomorrow ? undefined : html`<a href="${to({})}">${visit.words.newer}</a>`}
${found.hasEarlier ? html`<a rel="next" href="${to({ before: from })}">${visit.words.older}</a>` : undefined}
</nav></section>`;
}
