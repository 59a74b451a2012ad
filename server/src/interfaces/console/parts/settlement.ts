import { itemView, type SettlementItem } from '../../../money/settlements/items/list.ts';
import type { Settlement } from '../../../money/settlements/settlement.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { findAccount } from '../../../tenants/merchants/bank-account-store.ts';
import type { RequestContext } from '../request-context.ts';
import { accountEnd } from './bank-account.ts';
import { amount, count, idText, instant, status } from './format.ts';
import { plainText } from './plain-text.ts';
import { words as allWords } from './settlement.words.ts';
import { type Fact, facts, table } from './table.ts';

/** How the number of the account ends that it goes to; empty where none was known at the cut. */
export async function accountFact(
  { services, language }: RequestContext,
  { merchantId, bankAccountId }: Settlement,
): Promise<Fact> {
  const account =
    bankAccountId === null
      ? undefined
      : await findAccount(services.database, merchantId, bankAccountId);
  return [allWords[language].account, account && accountEnd(account.accountNumber)];
}

interface Telling {
  /** What else is known of it. */
  more?: Fact[];
  /** What each status means to whoever reads it. */
  meanings?: (typeof allWords)['pt']['meanings'];
}

/** What has become of a payout, and what it comes to. */
export function settlementSummary(
  visit: RequestContext,
  settlement: Settlement,
  { more = [], meanings }: Telling = {},
): Html {
  const words = allWords[visit.language];
  const { currency, completedAtMs, processedAtMs, payoutError } = settlement;
  const minor = (value: bigint) => amount(visit, value, currency);
  const at = (ms: number | null) => (ms === null ? undefined : instant(visit, ms));
  return html`<section class="card">
<p class="bar"><span class="figure">${minor(settlement.netMinor)}</span> <span data-announce>${status(visit, settlement.status)}</span></p>
<p>${(meanings ?? words.meanings)[settlement.status]}</p>
${payoutError === null ? undefined : html`<p class="notice bad">${words.fileError} <code>${plainText(payoutError)}</code></p>`}
<div class="sums">${facts([
    [words.gross, minor(settlement.grossMinor)],
    [words.fees, minor(-settlement.feeMinor)],
    [words.refunds, minor(-settlement.refundMinor)],
    [words.net, html`<b>${minor(settlement.netMinor)}</b>`],
  ])}</div>
</section>
<section class="card">${facts([
    ...more,
    [words.id, idText('se', settlement.id)],
    [words.reference, settlement.payoutRef],
    [words.count, count(visit, Number(settlement.itemCount))],
    [
      words.period,
      html`${instant(visit, settlement.periodStartMs)} – ${instant(visit, settlement.periodEndMs)}`,
    ],
    [words.sent, at(processedAtMs)],
    [words.completed, at(completedAtMs)],
  ])}
</section>`;
}

/** What is in a payout. @param addressOf where a payment is shown, by its id; none is linked without it */
export function settlementItems(
  visit: RequestContext,
  rows: readonly SettlementItem[],
  addressOf?: (id: string) => string,
): Html {
  const words = allWords[visit.language];
  const minor = (row: SettlementItem, value: string) => amount(visit, BigInt(value), row.currency);
  return table<SettlementItem>(
    words.items,
    [
      { head: words.date, cell: (row) => instant(visit, row.createdAtMs) },
      { head: words.type, cell: (row) => words.types[itemView(row).type] },
      {
        head: words.payment,
        cell: (row) =>
          addressOf === undefined
            ? idText('pi', row.paymentId)
            : html`<a href="${addressOf(formatId('pi', row.paymentId))}">${idText('pi', row.paymentId)}</a>`,
      },
      { head: words.amount, isNumber: true, cell: (row) => minor(row, itemView(row).amount) },
      { head: words.fee, isNumber: true, cell: (row) => minor(row, `-${row.feeMinor}`) },
      { head: words.adds, isNumber: true, cell: (row) => minor(row, itemView(row).netAmount) },
    ],
    rows,
  );
}
