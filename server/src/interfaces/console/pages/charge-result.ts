import { isClosedWithoutDebit, isOpen, type Payment } from '../../../money/payments/payment.ts';
import { findPayment } from '../../../money/payments/store.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { icon } from '../icons.ts';
import type { ConsolePage } from '../page.ts';
import { amount, phone } from '../parts/format.ts';
import { shareBar } from '../parts/share-buttons.ts';
import { doneNotice } from '../parts/success-notice.ts';
import type { MerchantContext } from '../request-context.ts';
import { words as allWords } from './charge-result.words.ts';
import { shownPhone } from './payments.ts';

/** The outcome of a charge, in large letters that the customer can read too. */
export const chargedPage: ConsolePage = {
  path: 'charge/:id',
  permission: 'payments.charge',
  async show(visit) {
    const words = allWords[visit.language];
    const id = parseId('pi', visit.params.id ?? '');
    const payment = id && (await findPayment(visit.services.database, visit.tenantId, id));
    if (!payment) throw notFound('payment');
    const main = html`${doneNotice(visit, words.done)}
${result(visit, payment)}
${await nextSteps(visit, payment)}`;
    const scripts = ['till.css', 'till.js'];
    const live = isOpen(payment.status) ? { refreshMs: 1_500 } : {};
    return { title: words.title, main, scripts, ...live };
  },
};

function result(visit: MerchantContext, payment: Payment): Html {
  const words = allWords[visit.language];
  const { state, picture, text } = stateOf(visit, payment);
  return html`<section class="result" data-state="${state}">
${icon(picture)}
<p class="state" data-announce>${words[state]}</p>
<p class="sum">${amount(visit, payment.amountMinor, payment.currency)}</p>
<p>${phone(shownPhone(visit, payment))} · ${visit.words.operators[payment.operator]}</p>
${text === undefined ? undefined : html`<p class="why">${text}</p>`}
${state === 'waiting' && visit.mode === 'test' ? html`<p class="why">${words.simulated}</p>` : undefined}
</section>`;
}

function stateOf(visit: MerchantContext, { status, failureCode }: Payment) {
  const words = allWords[visit.language];
  if (isOpen(status)) {
    const text = status === 'USER_CONFIRMING' ? words.confirming : words.asking;
    return { state: 'waiting', picture: 'clock', text } as const;
  }
  if (!isClosedWithoutDebit(status))
    return { state: 'paid', picture: 'tick', text: undefined } as const;
  const ended = status === 'CANCELLED' ? words.cancelled : words.expired;
  const text = failureCode ? visit.words.failures[failureCode] : ended;
  return { state: 'failed', picture: 'cross', text } as const;
}

async function nextSteps(visit: MerchantContext, payment: Payment): Promise<Html> {
  const words = allWords[visit.language];
  const { status } = payment;
  const id = formatId('pi', payment.id);
  const anew = html`<a class="button primary" href="${visit.to('charge')}">${words.anew}</a>`;
  const details = html`<p><a href="${visit.to(`payments/${id}`)}">${words.details}</a></p>`;
  if (isOpen(status)) return details;
  if (isClosedWithoutDebit(status)) {
    const again = visit.to('charge', { again: id, currency: payment.currency });
    return html`<div class="till-bar"><a class="button primary" href="${again}">${words.again}</a> <a class="button plain" href="${visit.to('charge')}">${words.anew}</a></div>${details}`;
  }
  const receipt = await visit.services.receiptLinks.linkOf(payment);
  if (receipt === undefined) return html`<div class="till-bar">${anew}</div>${details}`;
  return html`<div class="till-bar">${anew} <a class="button plain" href="${receipt}" target="_blank" rel="noopener">${words.receipt}</a></div>
<h2>${words.sendReceipt}</h2>
${shareBar(visit, words.receiptText, receipt)}${details}`;
}
