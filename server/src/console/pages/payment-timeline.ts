import { operatorLabels } from '../../config/operator-catalogue.ts';
import type { EventHead } from '../../events/of-objects.ts';
import { type Html, html } from '../../html.ts';
import type { Payment, PaymentStatus } from '../../payments/payment.ts';
import type { Refund } from '../../refunds/refund.ts';
import { amount, given, instant } from '../parts/format.ts';
import type { Visit } from '../visit.ts';
import { words as allWords } from './payment.words.ts';
import type { PaymentHistory } from './payment-history.ts';

interface Entry {
  atMs: number;
  title: Html | string;
  hint?: Html | string | undefined;
  tone?: 'good' | 'bad';
}

/** What happened to a payment, the oldest first. */
export function timeline(visit: Visit, payment: Payment, history: PaymentHistory): Html {
  const entries = [
    ...ofPayment(visit, payment, history),
    ...history.refunds.flatMap((refund) => ofRefund(visit, refund)),
    ...ofReversals(visit, history),
    ...ofPeople(visit, history),
  ].sort((one, other) => one.atMs - other.atMs);
  return html`<ol class="timeline">${entries.map(
    ({ atMs, title, hint, tone }) =>
      html`<li class="${tone ?? ''}"><p>${title}</p><p class="hint">${instant(visit, atMs)}${hint === undefined ? undefined : html` · ${hint}`}</p></li>`,
  )}</ol>`;
}

function ofPayment(visit: Visit, payment: Payment, history: PaymentHistory): Entry[] {
  const words = allWords[visit.language];
  const { status, operatorTxId, failureCode, queryCount, updatedAtMs } = payment;
  const operator = operatorLabels[payment.operator];
  const entries: Entry[] = [{ atMs: payment.createdAtMs, title: visit.words.statuses.CREATED! }];
  const asked = queryCount > 0 ? words.askedTimes(queryCount) : undefined;
  if (payment.sentAtMs !== null) {
    entries.push({ atMs: payment.sentAtMs, title: words.sent(operator), hint: asked });
  }
  if (status === 'USER_CONFIRMING') {
    entries.push({ atMs: updatedAtMs, title: visit.words.statuses.USER_CONFIRMING! });
  }
  if (history.debitedAtMs !== undefined) {
    const hint =
      operatorTxId === null ? undefined : html`${words.transaction} ${given(operatorTxId)}`;
    entries.push({ atMs: history.debitedAtMs, title: words.debited(operator), hint, tone: 'good' });
  }
  const told = closing[status];
  if (told !== undefined) {
    const atMs = history.toldOf(told) ?? updatedAtMs;
    const hint = failureCode === null ? undefined : visit.words.failures[failureCode];
    entries.push({ atMs, title: visit.words.statuses[status]!, hint, tone: 'bad' });
  }
  const settledAtMs =
    history.toldOf('payment.settled') ?? (status === 'SETTLED' ? updatedAtMs : undefined);
  if (settledAtMs !== undefined) {
    entries.push({ atMs: settledAtMs, title: visit.words.statuses.SETTLED!, tone: 'good' });
  }
  return entries;
}

/** Of a payment that ended without a debit, what told of it. */
const closing: Partial<Record<PaymentStatus, EventHead['type']>> = {
  FAILED: 'payment.failed',
  EXPIRED: 'payment.expired',
  CANCELLED: 'payment.cancelled',
};

function ofRefund(visit: Visit, refund: Refund): Entry[] {
  const words = allWords[visit.language];
  const { status, failureCode, operatorRefundId, reason } = refund;
  const shown = amount(visit, refund.amountMinor, refund.currency);
  const asked: Entry = {
    atMs: refund.createdAtMs,
    title: html`${words.refundAsked} ${shown}`,
    hint: given(reason),
  };
  if (status === 'SUCCEEDED') {
    const hint =
      operatorRefundId === null ? undefined : html`${words.transaction} ${given(operatorRefundId)}`;
    return [
      asked,
      { atMs: refund.updatedAtMs, title: html`${words.refundDone} ${shown}`, hint, tone: 'good' },
    ];
  }
  if (status !== 'FAILED') return [asked];
  const hint = failureCode === null ? undefined : visit.words.failures[failureCode];
  return [
    asked,
    { atMs: refund.updatedAtMs, title: html`${words.refundFailed} ${shown}`, hint, tone: 'bad' },
  ];
}

function ofReversals(visit: Visit, { reversals, reviewItems }: PaymentHistory): Entry[] {
  const words = allWords[visit.language];
  return [
    ...reversals.map(
      ({ createdAtMs, amountMinor, currency, status }): Entry => ({
        atMs: createdAtMs,
        title: html`${words.reversal} ${amount(visit, amountMinor, currency)}`,
        hint: visit.words.statuses[status] ?? status,
        tone: 'bad',
      }),
    ),
    ...reviewItems.map(
      ({ createdAtMs, kind, closedAtMs }): Entry => ({
        atMs: createdAtMs,
        title: words.reviews[kind],
        hint: closedAtMs === null ? words.reviewOpen : words.reviewClosed,
        tone: 'bad',
      }),
    ),
  ];
}

function ofPeople(visit: Visit, { records, names }: PaymentHistory): Entry[] {
  const words = allWords[visit.language];
  return records.map(({ atMs, action, actor, origin }) => {
    const from = origin === null ? undefined : html` · ${given(origin)}`;
    const who =
      actor === visit.author.actor ? html`${words.you}` : given(names.get(actor) ?? actor);
    return { atMs, title: words.actions[action] ?? action, hint: html`${who}${from}` };
  });
}
