import { isClosedWithoutDebit, isOpen, type Payment } from '../../../money/payments/payment.ts';
import { findPayment } from '../../../money/payments/store.ts';
import { findRefundableAmount } from '../../../money/refunds/refundable-amount.ts';
import { DomainError, notFound } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import type { ConsolePage, Redirect, View } from '../page.ts';
import { button, form, notice } from '../parts/form.ts';
import { amount, copyButton, idText, status } from '../parts/format.ts';
import { receiptBar } from '../parts/share-buttons.ts';
import type { MerchantContext, SentForm } from '../request-context.ts';
import { words as allWords } from './payment.words.ts';
import { metadataCard, paymentFacts, paymentPostings } from './payment-details.ts';
import { eventsSection } from './payment-events.ts';
import { loadHistory, type PaymentHistory, readerAt } from './payment-history.ts';
import { refundedMinor, whereTheMoneyIs } from './payment-money-status.ts';
import { timeline } from './payment-timeline.ts';
import { shownPhone } from './payments.ts';

/** One payment: its details, its history, and its actions. */
export const paymentPage: ConsolePage = {
  path: 'payments/:id',
  permission: 'payments.read',
  show: (visit) => view(visit),
  actions: {
    cancel: {
      permission: 'payments.cancel',
      run: (visit) =>
        done(visit, 'cancelled', async ({ tenantId, id }) => {
          await visit.services.cancelPayment(tenantId, id, visit.author);
        }),
    },
    redeliver: {
      permission: 'deliveries.redeliver',
      run: (visit, sent) => done(visit, 'redelivered', () => redeliver(visit, sent)),
    },
  },
};

/** @throws NOT_FOUND if the merchant has no such payment in this mode */
export async function paymentOf(visit: MerchantContext): Promise<Payment> {
  const id = parseId('pi', visit.params.id ?? '');
  const payment = id && (await findPayment(visit.services.database, visit.tenantId, id));
  if (!payment) throw notFound('payment');
  return payment;
}

async function done(
  visit: MerchantContext,
  what: string,
  act: (payment: Payment) => Promise<void>,
): Promise<View | Redirect> {
  const payment = await paymentOf(visit);
  try {
    await act(payment);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return view(visit, visit.words.errors[error.code]);
  }
  return { to: visit.to(`payments/${formatId('pi', payment.id)}`, { done: what }) };
}

/** Sends an event of the page again. */
export async function redeliver(
  { services, tenantId, author }: MerchantContext,
  sent: SentForm,
): Promise<void> {
  const id = parseId('we', sent.text('endpoint'));
  const eventId = parseId('evt', sent.text('event'));
  if (id === undefined || eventId === undefined) throw notFound('delivery');
  await services.redeliver.one({ tenantId, id }, eventId, author);
}

async function view(visit: MerchantContext, problem?: string): Promise<View> {
  const words = allWords[visit.language];
  const payment = await paymentOf(visit);
  const history = await loadHistory(readerAt(visit), payment);
  const said = saidOf(visit, history);
  const main = html`${problem === undefined ? undefined : notice(problem, 'bad')}
${problem === undefined && said !== undefined ? notice(said, 'good') : undefined}
<section class="card">
<p class="bar"><span class="figure">${amount(visit, payment.amountMinor, payment.currency)}</span> <span data-announce>${status(visit, payment.status)}</span></p>
${payment.failureCode ? html`<p>${visit.words.failures[payment.failureCode]}</p>` : undefined}
${whereTheMoneyIs({ ...visit, isOwn: true, seesPayouts: visit.can('money.read') }, payment, history)}
${await actions(visit, payment, history)}
</section>
<div class="columns">
<section class="card"><h2>${words.details}</h2>${paymentFacts(visit, payment, { phone: shownPhone(visit, payment), link: linkOf(visit, payment), refundedMinor: refundedMinor(history) })}</section>
<section class="card"><h2>${words.timeline}</h2>${timeline(visit, payment, history)}</section>
</div>
${metadataCard(visit, payment)}${eventsSection(visit, history)}${visit.can('money.read') ? paymentPostings(visit, history.postings) : undefined}`;
  const refreshMs = isUnderWay(payment, history) ? 2_000 : 15_000;
  const shown = { title: words.title, main, scripts: ['payments.css'], refreshMs };
  return problem === undefined ? shown : { ...shown, status: 400 };
}

/** Whether a person may be waiting for the next step. */
const isUnderWay = ({ status }: Payment, { refunds }: PaymentHistory): boolean =>
  isOpen(status) || refunds.some((each) => each.status !== 'SUCCEEDED' && each.status !== 'FAILED');

/** The result of the last form; for a refund, its current status. */
function saidOf(visit: MerchantContext, { refunds }: PaymentHistory): string | undefined {
  const { done } = allWords[visit.language];
  const asked = visit.query.get('done') ?? '';
  if (asked === 'refunded' && refunds.at(-1)?.status === 'SUCCEEDED') return done.givenBack;
  if (asked === 'refunded' && refunds.at(-1)?.status === 'FAILED') return undefined;
  return Object.hasOwn(done, asked) ? done[asked] : undefined;
}

async function actions(
  visit: MerchantContext,
  payment: Payment,
  history: PaymentHistory,
): Promise<Html> {
  const words = allWords[visit.language];
  const { services, tenantId } = visit;
  const id = formatId('pi', payment.id);
  const isPaid = !isOpen(payment.status) && !isClosedWithoutDebit(payment.status);
  const left = isPaid
    ? await findRefundableAmount(services.database, tenantId, payment.id)
    : undefined;
  const receipt =
    history.debitedAtMs !== undefined && isPaid
      ? await services.receiptLinks.linkOf(payment)
      : undefined;
  const canRefund = visit.can('refunds.create') && (left?.leftMinor ?? 0n) > 0n;
  return html`<div class="bar no-print">
${receipt === undefined ? undefined : html`<a class="button primary" href="${receipt}" target="_blank" rel="noopener">${words.receipt}</a>`}
${canRefund ? html`<a class="button plain" href="${visit.to(`payments/${id}/refund`)}">${words.refund}</a>` : undefined}
${isOpen(payment.status) && visit.can('payments.cancel') ? form(visit, button('cancel', words.cancel, 'danger')) : undefined}
${copyButton(visit, words.copyId, id)}${copyButton(visit, words.copyLink, visit.to(`payments/${id}`))}
</div>
${receipt === undefined ? undefined : receiptBar(visit, receipt, shownPhone(visit, payment))}`;
}

function linkOf(visit: MerchantContext, { checkoutSessionId }: Payment): Html | undefined {
  if (checkoutSessionId === null) return undefined;
  const address = visit.to(`links/${formatId('cs', checkoutSessionId)}`);
  return html`<a href="${address}">${idText('cs', checkoutSessionId)}</a>`;
}
