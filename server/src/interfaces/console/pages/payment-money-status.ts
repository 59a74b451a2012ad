import { isOpen, type Payment, type PaymentStatus } from '../../../money/payments/payment.ts';
import type { Refund } from '../../../money/refunds/refund.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { amount, instant } from '../parts/format.ts';
import type { RequestContext } from '../request-context.ts';
import type { PaymentHistory } from './payment-history.ts';
import { words as allWords } from './payment-money-status.words.ts';

/** The reader: whether the money is their merchant's, and whether they may see its payouts. */
export type MoneyReader = RequestContext & { isOwn: boolean; seesPayouts: boolean };

function wordsFor({ language, isOwn }: MoneyReader) {
  const words = allWords[language];
  return isOwn ? words : { ...words, ...words.forStaff };
}

/** Where the money is now, in a sentence or two to read out to a customer. */
export function whereTheMoneyIs(
  visit: MoneyReader,
  payment: Payment,
  history: PaymentHistory,
): Html {
  const words = wordsFor(visit);
  if (isOpen(payment.status)) return html`<p>${words[payment.status as OpenStatus]}</p>`;
  const sentences =
    history.debitedAtMs === undefined
      ? withoutDebit(visit, payment, history)
      : ofDebit(visit, payment, history);
  return html`${sentences.map((each) => html`<p>${each}</p>`)}`;
}

type OpenStatus = Extract<PaymentStatus, 'CREATED' | 'OPERATOR_PENDING' | 'USER_CONFIRMING'>;
type Sentence = Html | string;

function withoutDebit(visit: MoneyReader, payment: Payment, history: PaymentHistory): Sentence[] {
  const words = wordsFor(visit);
  const { reversals, reviewItems } = history;
  if (reversals.length > 0) {
    return reversals.map(({ status, amountMinor, currency }) => {
      const shown = amount(visit, amountMinor, currency);
      if (status === 'SUCCEEDED') return words.returned(shown);
      return status === 'HELD' || status === 'FAILED' ? words.held(shown) : words.returning(shown);
    });
  }
  const isUnclear = ({ kind, closedAtMs }: (typeof reviewItems)[number]) =>
    kind !== 'CONTRADICTION' && closedAtMs === null;
  if (reviewItems.some(isUnclear)) return [words.unclear];
  return [payment.dueAtMs === null ? words.nothingTaken : words.stillWatched];
}

function ofDebit(visit: MoneyReader, payment: Payment, history: PaymentHistory): Sentence[] {
  const words = wordsFor(visit);
  const { refunds } = history;
  const { currency, amountMinor } = payment;
  const done = refunds.filter(({ status }) => status === 'SUCCEEDED');
  const underWay = refunds.filter(({ status }) => status !== 'SUCCEEDED' && status !== 'FAILED');
  const said: Sentence[] = [words.paid];
  if (underWay.length > 0) said.push(words.refunding(amount(visit, sumOf(underWay), currency)));
  if (done.length > 0) {
    const at = instant(visit, Math.max(...done.map(({ updatedAtMs }) => updatedAtMs)));
    said.push(words.refunded(amount(visit, sumOf(done), currency), at));
  }
  if (refunds.at(-1)?.status === 'FAILED') said.push(words.refundFailed);
  const left = amountMinor - refundedMinor(history);
  // A rest that does not exceed the fee leaves nothing to the merchant.
  if (left < amountMinor && left <= payment.feeMinor) return said;
  const rest = words.rest(amount(visit, left - payment.feeMinor, currency));
  said.push(ours(visit, history, left < amountMinor ? rest : words.all));
  return said;
}

/** What refunds have returned, or are about to. */
export const refundedMinor = ({ refunds }: PaymentHistory): bigint =>
  sumOf(refunds.filter(({ status }) => status !== 'FAILED'));

const sumOf = (refunds: readonly Refund[]) =>
  refunds.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);

/** The part that stays with the merchant. */
function ours(visit: MoneyReader, { settlement }: PaymentHistory, what: Sentence): Sentence {
  const words = wordsFor(visit);
  if (settlement === undefined) return words.inBalance(what);
  const said = settlement.status === 'COMPLETED' ? words.paidOut(what) : words.onItsWay(what);
  if (!visit.seesPayouts) return said;
  const address = visit.to(`settlements/${formatId('se', settlement.id)}`);
  return html`${said} <a href="${address}">${words.payout}</a>`;
}
