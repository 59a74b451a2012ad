import { findAnyPayment, type OwnedPayment } from '../../../money/payments/search-all.ts';
import { notFound } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, idPattern, parseId } from '../../../platform/values/ids.ts';
import { maskPhone } from '../../../platform/values/phone.ts';
import { named } from '../../../storefront/checkout/page/state.ts';
import { findMerchant } from '../../../tenants/merchants/store.ts';
import type { StaffPage, View } from '../page.ts';
import { metadataCard, paymentFacts } from '../pages/payment-details.ts';
import { loadHistory, type PaymentHistory } from '../pages/payment-history.ts';
import { refundedMinor, whereTheMoneyIs } from '../pages/payment-money-status.ts';
import { timeline } from '../pages/payment-timeline.ts';
import { amount, idText, status } from '../parts/format.ts';
import { facts } from '../parts/table.ts';
import type { StaffContext } from '../request-context.ts';
import { postingsAddress, postingsTable } from './ledger-parts.ts';
import { words as allWords } from './payment.words.ts';

/** One payment of any merchant, read-only: its details, history and money. */
export const staffPaymentPage: StaffPage = {
  path: 'payments/:id',
  permission: 'payments.read',
  async show(visit) {
    const payment = await paymentOf(visit);
    const history = await loadHistory(
      {
        database: visit.services.database,
        merchantId: payment.merchantId,
        seesAudit: visit.can('audit.read'),
        // Webhook deliveries are the merchant's own affair.
        seesEvents: false,
      },
      payment,
    );
    return view(visit, payment, history);
  },
};

const shape = new RegExp(idPattern('pi'));

/** @throws NOT_FOUND */
async function paymentOf({ services, params: { id = '' } }: StaffContext): Promise<OwnedPayment> {
  const uuid = shape.test(id) ? parseId('pi', id) : undefined;
  const payment = uuid && (await findAnyPayment(services.database, uuid));
  if (!payment) throw notFound('payment');
  return payment;
}

async function view(
  visit: StaffContext,
  payment: OwnedPayment,
  history: PaymentHistory,
): Promise<View> {
  const words = allWords[visit.language];
  const { operatorPhone, checkoutSessionId, failureCode } = payment;
  const shown = {
    phone: visit.can('phones.read') ? operatorPhone : maskPhone(operatorPhone),
    link: checkoutSessionId === null ? undefined : idText('cs', checkoutSessionId),
    refundedMinor: refundedMinor(history),
    net: words.net,
  };
  const main = html`<section class="card">
<p class="bar"><span class="figure">${amount(visit, payment.amountMinor, payment.currency)}</span> ${status(visit, payment.status)}</p>
${failureCode ? html`<p>${visit.words.failures[failureCode]}</p>` : undefined}
${whereTheMoneyIs({ ...visit, isOwn: false, seesPayouts: false }, payment, history)}
${await whose(visit, payment)}
</section>
<div class="columns">
<section class="card"><h2>${words.details}</h2>${paymentFacts(visit, payment, shown)}</section>
<section class="card"><h2>${words.timeline}</h2>${timeline(visit, payment, history)}</section>
</div>
${metadataCard(visit, payment)}${visit.can('ledger.read') ? booked(visit, payment, history) : undefined}`;
  return { title: words.payment, main, scripts: ['payments.css'], refreshMs: 15_000 };
}

function booked(
  visit: StaffContext,
  payment: OwnedPayment,
  { postings }: PaymentHistory,
): Html | undefined {
  if (postings.length === 0) return undefined;
  const rows = postings.map(({ from, to, ...rest }) => ({
    ...rest,
    fromAccount: from,
    toAccount: to,
  }));
  const to = (of: string) => postingsAddress(visit, payment, of);
  return html`<h2>${allWords[visit.language].postings}</h2>${postingsTable(visit, rows, to)}`;
}

/** The merchant, and links to related pages. */
async function whose(visit: StaffContext, payment: OwnedPayment): Promise<Html> {
  const words = allWords[visit.language];
  const { merchantId, mode } = payment;
  const merchant = await findMerchant(visit.services.database, merchantId);
  const id = formatId('pi', payment.id);
  const address = visit.to(`merchants/${formatId('me', merchantId)}`);
  return html`${facts([
    [words.merchant, html`<a href="${address}">${named(merchant?.name ?? '')}</a>`],
    [words.mode, visit.words[mode]],
  ])}
<p class="bar">${visit.can('ledger.read') ? html`<a href="${postingsAddress(visit, payment, id)}">${words.ledger}</a>` : undefined}
${visit.can('audit.read') ? html`<a href="${visit.to('audit', { subject: id })}">${words.audit}</a>` : undefined}</p>`;
}
