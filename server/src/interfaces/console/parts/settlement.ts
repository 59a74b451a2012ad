import { type PaymentNames, withNames } from '../../../money/payments/names.ts';
import { expectedDay } from '../../../money/settlements/expected-day.ts';
import {
  itemView,
  listItems,
  positionOf,
  type SettlementItem,
} from '../../../money/settlements/items/list.ts';
import { transferReference } from '../../../money/settlements/payout-order.ts';
import type { Settlement } from '../../../money/settlements/settlement.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, type IdPrefix } from '../../../platform/values/ids.ts';
import { findAccount } from '../../../tenants/merchants/bank-account-store.ts';
import type { RequestContext } from '../request-context.ts';
import { accountEnd } from './bank-account.ts';
import { amount, calendarDay, count, given, idText, instant, status } from './format.ts';
import { listSection } from './list-page.ts';
import { plainText } from './plain-text.ts';
import { words as allWords } from './settlement.words.ts';
import { amountColumn, type Column, type Fact, facts } from './table.ts';

/** The last digits of the target account; empty if none was known at the settlement's creation. */
export async function accountFact(
  { services, language }: RequestContext,
  { merchantId, bankAccountId }: Settlement,
): Promise<Fact> {
  const account =
    bankAccountId === null
      ? undefined
      : await findAccount(services.database, merchantId, bankAccountId);
  const words = allWords[language];
  return [words.account, account ? accountEnd(account.accountNumber) : words.noAccount];
}

interface Telling {
  /** Further facts. */
  more?: Fact[];
  /** Explains each status to the reader. */
  meanings?: (typeof allWords)['pt']['meanings'];
}

/** A payout's progress and amounts. */
export function settlementSummary(
  visit: RequestContext,
  settlement: Settlement,
  { more = [], meanings }: Telling = {},
): Html {
  const words = allWords[visit.language];
  const { currency, completedAtMs, processedAtMs, payoutError, payoutRef } = settlement;
  const expected = expectedDay(settlement);
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
    ...(settlement.disbursementMinor === 0n
      ? []
      : [[words.disbursements, minor(-settlement.disbursementMinor)] as const]),
    [words.net, html`<b>${minor(settlement.netMinor)}</b>`],
  ])}</div>
</section>
<section class="card">${facts([
    ...more,
    [words.id, idText('se', settlement.id)],
    [
      words.expected,
      expected &&
        html`${calendarDay(visit, expected)} <span class="hint">(${words.expectedHint})</span>`,
    ],
    [words.bankReference, given(settlement.bankReference)],
    [
      words.transferReference,
      payoutRef === null
        ? undefined
        : html`<code class="id">${transferReference(payoutRef)}</code> <span class="hint">(${words.transferHint})</span>`,
    ],
    [words.reference, payoutRef],
    ...(settlement.keptMinor === 0n ? [] : [[words.kept, minor(settlement.keptMinor)] as const]),
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

/** The columns of each list of payouts. */
export function settlementColumns(visit: RequestContext): Column<Settlement>[] {
  const words = allWords[visit.language];
  return [
    { head: words.status, cell: (row) => status(visit, row.status) },
    amountColumn(visit, words.net, ({ netMinor }) => netMinor),
    { head: words.count, isNumber: true, cell: ({ itemCount }) => count(visit, Number(itemCount)) },
    { head: words.bankReference, cell: ({ bankReference }) => given(bankReference) },
  ];
}

/**
 * A page of a payout's items. @param addressOf the address of a payment by its id; without it,
 * payments are not links
 */
export const settlementItems = (
  visit: RequestContext,
  settlement: Settlement,
  addressOf?: (id: string) => string,
): Promise<Html> =>
  listSection(visit, {
    words: itemWords,
    load: async ({ services: { database } }, _, { limit, startingAfter }) =>
      withNames(
        database,
        settlement.tenantId,
        await listItems(database, settlement, positionOf(startingAfter), limit),
      ),
    cursor: (row) => itemView(row).id,
    columns: (_, words) => [
      { head: words.date, cell: ({ createdAtMs }) => instant(visit, createdAtMs) },
      { head: words.type, cell: (row) => words.types[itemView(row).type] },
      {
        head: words.payment,
        cell: ({ kind, sourceId, paymentId, names }) => {
          if (paymentId === null) return idText(sourceOf[kind] ?? 'di', sourceId);
          const id = idText('pi', paymentId);
          const address = addressOf?.(formatId('pi', paymentId));
          const shown = address === undefined ? id : html`<a href="${address}">${id}</a>`;
          return html`<span>${shown}${namesText(names)}</span>`;
        },
      },
      ...(['amount', 'fee', 'adds'] as const).map((name) => ({
        head: words[name],
        isNumber: true,
        cell: (row: SettlementItem) => amount(visit, minorOf[name](row), row.currency),
      })),
    ],
  });

/** Other sources than payments and disbursements. */
const sourceOf: Partial<Record<SettlementItem['kind'], IdPrefix>> = {
  top_up: 'tu',
  kept_out: 'se',
  kept_in: 'se',
};

/** Order, customer and operator's transaction, by which accountants know a payment. */
function namesText(names: PaymentNames | undefined): Html | undefined {
  const { externalId = null, customerId = null, operatorTxId = null } = names ?? {};
  const known = [externalId, customerId, operatorTxId].filter((each) => each !== null);
  if (known.length === 0) return undefined;
  return html`<span class="under">${known.map((each, index) => html`${index === 0 ? '' : ' · '}${given(each, 60)}`)}</span>`;
}

const minorOf = {
  amount: (row: SettlementItem) => BigInt(itemView(row).amount),
  fee: ({ feeMinor }: SettlementItem) => -BigInt(feeMinor),
  adds: (row: SettlementItem) => BigInt(itemView(row).netAmount),
};

const wordsOf = (words: (typeof allWords)['pt']) => ({
  ...words,
  title: words.items,
  nothing: words.noItems,
  nothingHint: '',
});
const itemWords = { pt: wordsOf(allWords.pt), en: wordsOf(allWords.en) };
