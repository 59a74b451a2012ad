import type { Posting } from '../../../money/ledger/postings.ts';
import { isClosedWithoutDebit, isOpen, type Payment } from '../../../money/payments/payment.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { amount, given, idText, instant, phone } from '../parts/format.ts';
import { plainText, prettyJson } from '../parts/plain-text.ts';
import { amountColumn, facts, table } from '../parts/table.ts';
import type { RequestContext } from '../request-context.ts';
import { words as allWords } from './payment.words.ts';

/** The parts of a payment that depend on the visitor. */
export interface PaymentShown {
  /** Whole or masked. */
  phone: string;
  /** The page of its payment link. */
  link: Html | undefined;
  /** What refunds have returned to the customer, or are about to. */
  refundedMinor: bigint;
  /** The receiver of the amount after the fee, if not the visitor. */
  net?: string;
}

/** A payment's names and values. */
export function paymentFacts(visit: RequestContext, payment: Payment, shown: PaymentShown): Html {
  const words = allWords[visit.language];
  const { currency } = payment;
  const { refundedMinor } = shown;
  // Without a debit, nobody receives money.
  const isPaid = !isClosedWithoutDebit(payment.status);
  return facts([
    [words.reference, idText('pi', payment.id)],
    [words.created, instant(visit, payment.createdAtMs)],
    [words.changed, instant(visit, payment.updatedAtMs)],
    [words.expires, isOpen(payment.status) ? instant(visit, payment.expiresAtMs) : undefined],
    [words.phone, phone(shown.phone)],
    [words.operator, visit.words.operators[payment.operator]],
    [words.transaction, given(payment.operatorTxId, 255)],
    [words.failure, given(payment.failureCode)],
    [words.said, given(payment.failureMessage, 300)],
    [words.link, shown.link],
    [words.order, given(payment.externalId, 255)],
    [words.customer, given(payment.customerId, 255)],
    [words.description, given(payment.description, 2_000)],
    [words.fee, isPaid ? amount(visit, payment.feeMinor, currency) : undefined],
    [
      words.refunds,
      isPaid && refundedMinor > 0n ? amount(visit, -refundedMinor, currency) : undefined,
    ],
    [
      shown.net ?? words.net,
      isPaid
        ? amount(visit, payment.amountMinor - payment.feeMinor - refundedMinor, currency)
        : undefined,
    ],
  ]);
}

const longestMetadata = 10_000;

/** A program's metadata on a payment. */
export function metadataCard(
  visit: RequestContext,
  { metadata }: Pick<Payment, 'metadata'>,
): Html | undefined {
  if (metadata === null) return undefined;
  const { metadata: name } = allWords[visit.language];
  const shown = plainText(prettyJson(metadata), longestMetadata);
  return html`<section class="card"><h2>${name}</h2><pre class="given" dir="ltr" tabindex="0">${shown}</pre></section>`;
}

/** The postings of a payment. */
export function paymentPostings(visit: RequestContext, rows: readonly Posting[]): Html | undefined {
  if (rows.length === 0) return undefined;
  const words = allWords[visit.language];
  const accountOf = (name: string) => words.accounts[name.split(':')[0]!] ?? name;
  return html`<section><h2>${words.postings}</h2></section>${table<Posting>(
    words.postings,
    [
      { head: words.created, cell: (row) => instant(visit, row.createdAtMs) },
      { head: words.from, cell: (row) => accountOf(row.from) },
      { head: words.to, cell: (row) => accountOf(row.to) },
      amountColumn(visit, words.amount, ({ amountMinor }) => amountMinor),
    ],
    rows,
  )}`;
}
