import { isClosedWithoutDebit, isOpen, type Payment } from '../../../money/payments/payment.ts';
import { DomainError, forbidden, notFound } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { icon } from '../icons.ts';
import type { ConsolePage, Redirect, View } from '../page.ts';
import {
  type Charge,
  chargeOfPath,
  chargeQueue,
  mayCancel,
  seesAllCharges,
  tillPhone,
  timeLeft,
} from '../parts/charges.ts';
import { form, notice } from '../parts/form.ts';
import { amount, phone } from '../parts/format.ts';
import { receiptBar } from '../parts/share-buttons.ts';
import { doneNotice } from '../parts/success-notice.ts';
import type { MerchantContext } from '../request-context.ts';
import { words as allWords } from './charge-result.words.ts';

/** The outcome of a charge, in large letters that the customer can read too. */
export const chargedPage: ConsolePage = {
  path: 'charge/:id',
  permission: 'payments.charge',
  show: (visit) => view(visit),
  actions: {
    // For the person at the till, whose customer stands there: the customer has not paid yet.
    cancel: { permission: 'payments.charge', run: (visit) => cancel(visit, 'cancelled') },
    'wrong-number': { permission: 'payments.charge', run: (visit) => cancel(visit, 'again') },
  },
};

async function view(visit: MerchantContext, problem?: string): Promise<View> {
  const words = allWords[visit.language];
  const charge = await chargeOfPath(visit);
  if (!charge) throw notFound('payment');
  const main = html`${doneNotice(visit, words.done)}
${problem === undefined ? undefined : notice(problem, 'bad')}
${result(visit, charge)}
${await nextSteps(visit, charge)}
${await chargeQueue(visit, charge.id)}`;
  const scripts = ['till.css', 'till.js'];
  const live = isOpen(charge.status) ? { refreshMs: 1_500 } : {};
  const bad = problem === undefined ? {} : { status: 409 };
  return { title: words.title, main, scripts, ...live, ...bad };
}

/** Cancels, and then shows the result, or the same sale again. */
async function cancel(
  visit: MerchantContext,
  then: 'cancelled' | 'again',
): Promise<View | Redirect> {
  const charge = await chargeOfPath(visit);
  if (!charge) throw notFound('payment');
  if (!mayCancel(visit, charge)) throw forbidden('This is not your charge.');
  try {
    await visit.services.cancelPayment(visit.tenantId, charge.id, visit.author);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return view(visit, allWords[visit.language].tooLate);
  }
  const id = formatId('pi', charge.id);
  if (then === 'cancelled') return { to: visit.to(`charge/${id}`) };
  return { to: visit.to('charge', { again: id, currency: charge.currency }) };
}

function result(visit: MerchantContext, charge: Charge): Html {
  const words = allWords[visit.language];
  const { state, picture, text } = stateOf(visit, charge);
  const left = timeLeft(visit, charge);
  return html`<section class="result" data-state="${state}">
${icon(picture)}
<p class="state" data-announce>${words[state]}</p>
<p class="sum">${amount(visit, charge.amountMinor, charge.currency)}</p>
${charge.description === null ? undefined : html`<p class="basket"><bdi>${charge.description}</bdi></p>`}
<p>${phone(tillPhone(visit, charge.operatorPhone))} · ${visit.words.operators[charge.operator]}</p>
${text === undefined ? undefined : html`<p class="why">${text}</p>`}
${left === undefined ? undefined : html`<p class="left">${left}</p>`}
${state === 'waiting' && visit.mode === 'test' ? html`<p class="why">${words.simulated}</p>` : undefined}
</section>`;
}

function stateOf(visit: MerchantContext, { status, failureCode }: Payment) {
  const words = allWords[visit.language];
  if (isOpen(status)) {
    const text = status === 'USER_CONFIRMING' ? words.confirming : words.asking;
    return { state: 'waiting', picture: 'clock', text } as const;
  }
  if (!isClosedWithoutDebit(status)) {
    const isRefunded = status === 'REFUNDED' || status === 'PARTIALLY_REFUNDED';
    const text = isRefunded ? visit.words.statuses[status] : undefined;
    return { state: 'paid', picture: 'tick', text } as const;
  }
  const ended = status === 'CANCELLED' ? words.cancelled : words.expired;
  const text = failureCode ? visit.words.failures[failureCode] : ended;
  return { state: 'failed', picture: 'cross', text } as const;
}

async function nextSteps(visit: MerchantContext, charge: Charge): Promise<Html> {
  const words = allWords[visit.language];
  const { status } = charge;
  const id = formatId('pi', charge.id);
  const details = seesAllCharges(visit)
    ? html`<p><a href="${visit.to(`payments/${id}`)}">${words.details}</a></p>`
    : refundLink(visit, charge);
  if (isOpen(status)) return html`${waysOut(visit, charge)}${details}`;
  const anew = html`<a class="button primary" href="${visit.to('charge')}">${words.anew}</a>`;
  if (isClosedWithoutDebit(status)) {
    const again = visit.to('charge', { again: id, currency: charge.currency });
    return html`<div class="till-bar"><a class="button primary" href="${again}">${words.again}</a> <a class="button plain" href="${visit.to('charge')}">${words.anew}</a></div>${details}`;
  }
  const receipt = await visit.services.receiptLinks.linkOf(charge);
  if (receipt === undefined) return html`<div class="till-bar">${anew}</div>${details}`;
  return html`<div class="till-bar">${anew} <a class="button plain" href="${receipt}" target="_blank" rel="noopener">${words.receipt}</a></div>
${receiptBar(visit, receipt, tillPhone(visit, charge.operatorPhone))}${details}`;
}

/** People who see all payments refund on the page of the payment. */
function refundLink(visit: MerchantContext, { id, status }: Charge): Html | undefined {
  const isPaid = !isOpen(status) && !isClosedWithoutDebit(status) && status !== 'REFUNDED';
  if (!isPaid || !visit.can('refunds.create')) return undefined;
  const address = visit.to(`payments/${formatId('pi', id)}/refund`);
  return html`<p><a href="${address}">${allWords[visit.language].refund}</a></p>`;
}

/** While the customer has not answered. */
function waysOut(visit: MerchantContext, charge: Charge): Html {
  const words = allWords[visit.language];
  const way = (action: string, text: string) =>
    html`<button id="${action}" name="action" value="${action}" class="button plain">${text}</button>`;
  const anew = html`<a id="anew" class="button primary" href="${visit.to('charge')}">${words.anew}</a>`;
  if (!mayCancel(visit, charge)) return html`<div class="till-bar">${anew}</div>`;
  const content = html`<div class="till-bar">
${anew}
<div class="two">${way('wrong-number', words.wrongNumber)} ${way('cancel', visit.words.cancel)}</div>
</div>`;
  return form(visit, content);
}
