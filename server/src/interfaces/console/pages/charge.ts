import { listPayments } from '../../../money/payments/list.ts';
import { findEarlierPayments, findPayment } from '../../../money/payments/store.ts';
import { readTotals } from '../../../money/totals/read.ts';
import { DomainError, notFound } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { descriptionOf } from '../../../storefront/checkout/attempt.ts';
import { icon } from '../icons.ts';
import type { ConsolePage, Redirect, View } from '../page.ts';
import { typedAmount } from '../parts/amount.ts';
import { button, form, notice } from '../parts/form.ts';
import { refusalText } from '../parts/form-errors.ts';
import { amount, count, phone, status } from '../parts/format.ts';
import { keyedRequest, keyField } from '../parts/idempotency-key.ts';
import { type Payer, type PayerErrors, payerFields, payerIn, readPayer } from '../parts/payer.ts';
import { openSale, type Sale, type Sum, saleFields, sumOf } from '../parts/sale.ts';
import type { MerchantContext, SentForm } from '../request-context.ts';
import { words as allWords } from './charge.words.ts';
import { createLink } from './new-link.ts';
import { shownPhone } from './payments.ts';

/** How long the till shows the latest payment. */
const latestMs = 15 * 60_000;

/** The till: an amount or products, and then the customer's phone, or a link that they pay by. */
export const chargePage: ConsolePage = {
  path: 'charge',
  permission: 'payments.charge',
  async show(visit) {
    const again = await failedPayment(visit);
    const sale = await openSale(visit);
    if (!again) return view(visit, { sale });
    const { currency, amountMinor, operator, operatorPhone } = again;
    // A person who may not read whole phones asks the customer again.
    const phone = visit.can('phones.read') ? operatorPhone : '';
    const typed = { ...sale, currency, amount: typedAmount(visit, amountMinor) };
    return view(visit, { sale: typed, payer: { phone, country: '', operator } });
  },
  actions: {
    // The customer pays and confirms, and no money of the merchant moves, so no reauthentication is
    // needed.
    charge: { permission: 'payments.charge', run: charge },
    find: { permission: 'payments.charge', run: find },
    link: { permission: 'links.write', run: link },
  },
};

interface Filled {
  sale: Sale;
  payer?: Payer;
  sent?: SentForm;
  saleError?: string | undefined;
  payerErrors?: PayerErrors;
  error?: string;
}

async function failedPayment(visit: MerchantContext) {
  const id = parseId('pi', visit.query.get('again') ?? '');
  return id && findPayment(visit.services.database, visit.tenantId, id);
}

async function view(visit: MerchantContext, filled: Filled): Promise<View> {
  const words = allWords[visit.language];
  const { sale, payer, sent, error } = filled;
  const isBad = filled.saleError ?? filled.payerErrors ?? error;
  const content = html`${keyField(visit, sent)}
${saleFields(visit, sale, 'charge', filled.saleError)}
<div class="payer">
${payerFields(visit, sale.currency, payer, filled.payerErrors)}
</div>
<div class="till-bar">
${button('charge', words.charge)}
${visit.can('links.write') ? html`<button name="action" value="link" class="button plain" formnovalidate>${icon('links')} ${words.link}</button>` : undefined}
</div>`;
  const main = html`${await takings(visit, sale.currency)}
${await latest(visit)}
${error === undefined ? undefined : notice(error, 'bad')}
${form(visit, content, html` class="till" autocomplete="off" data-steady data-decimal="${visit.language === 'pt' ? ',' : '.'}"`)}`;
  const scripts = ['till.css', 'till.js'];
  return { title: words.title, main, scripts, ...(isBad !== undefined && { status: 400 }) };
}

/** Today's paid total in the currency of the charge. */
async function takings(visit: MerchantContext, currency: string): Promise<Html> {
  const words = allWords[visit.language];
  const { tenantId, timeZone, nowMs } = visit;
  const totals = await readTotals(visit.services.database, { tenantId, timeZone, nowMs, days: 1 });
  const today = totals.currencies.find((each) => each.currency === currency)?.current;
  return html`<p class="takings"><span>${words.today}</span> <b>${amount(visit, today?.volumeMinor ?? 0n, currency)}</b> <span>${words.payments(today?.succeeded ?? 0, count(visit, today?.succeeded ?? 0))}</span></p>`;
}

/** For people who return unsure: over a bad line, from another page, without a script. */
async function latest(visit: MerchantContext): Promise<Html | undefined> {
  const { database } = visit.services;
  const [payment] = await listPayments(database, visit.tenantId, {}, { limit: 1 });
  if (payment === undefined || payment.createdAtMs < visit.nowMs - latestMs) return undefined;
  const charged = visit.to(`charge/${formatId('pi', payment.id)}`);
  return html`<p class="takings"><a href="${charged}">${allWords[visit.language].latest}: ${amount(visit, payment.amountMinor, payment.currency)}</a> <span>${phone(shownPhone(visit, payment))}</span> ${status(visit, payment.status)}</p>`;
}

async function find(visit: MerchantContext, sent: SentForm): Promise<View> {
  return view(visit, { sale: await openSale(visit, sent), payer: payerIn(sent), sent });
}

async function charge(visit: MerchantContext, sent: SentForm): Promise<View | Redirect> {
  const sale = await openSale(visit, sent);
  const payer = payerIn(sent);
  if (sale.isSearch) return view(visit, { sale, payer, sent });
  const sum = sumOf(visit, sale);
  const asked = readPayer(visit, payer, sale.currency);
  if ('error' in sum || 'errors' in asked) {
    const payerErrors = 'errors' in asked ? { payerErrors: asked.errors } : {};
    const saleError = 'error' in sum ? sum.error : undefined;
    return view(visit, { sale, payer, sent, saleError, ...payerErrors });
  }
  try {
    return await createPayment(visit, sent, sale, sum, asked);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code === 'IDEMPOTENCY_KEY_REUSED') return earlier(visit, sent);
    return view(visit, { sale, payer, sent, error: refusalText(visit, error) });
  }
}

async function createPayment(
  visit: MerchantContext,
  sent: SentForm,
  { currency }: Sale,
  { amountMinor, items }: Sum,
  { phone: operatorPhone, operator }: Exclude<ReturnType<typeof readPayer>, { errors: unknown }>,
): Promise<Redirect> {
  const { services, tenantId, mode, terms, author } = visit;
  const description = descriptionOf({ description: null, items: items ?? [] });
  const asked = { currency, operator, operatorPhone, description };
  const idempotency = keyedRequest(sent, { ...asked, amount: Number(amountMinor) });
  const given = {
    ...asked,
    tenantId,
    mode,
    terms,
    amountMinor,
    idempotency,
    apiKey: null,
    author,
  };
  const none = { externalId: null, customerId: null, statementDescriptor: null, metadata: null };
  const { json } = await services.createPayment({ ...none, ...given });
  const { id } = JSON.parse(json) as { id: string };
  return { to: visit.to(`charge/${id}`) };
}

/** The form was submitted before and has changed since: show the earlier result, and charge nothing. */
async function earlier(visit: MerchantContext, sent: SentForm): Promise<Redirect> {
  const { services, tenantId } = visit;
  const { key: idempotencyKey } = keyedRequest(sent, {});
  const [payment] = await findEarlierPayments(services.database, [{ tenantId, idempotencyKey }]);
  if (payment === undefined) throw notFound('payment');
  return { to: visit.to(`charge/${formatId('pi', payment.id)}`, { done: 'earlier' }) };
}

async function link(visit: MerchantContext, sent: SentForm): Promise<View | Redirect> {
  const sale = await openSale(visit, sent);
  const sum = sumOf(visit, sale);
  const payer = payerIn(sent);
  if (sale.isSearch) return view(visit, { sale, payer, sent });
  if ('error' in sum) return view(visit, { sale, payer, sent, saleError: sum.error });
  const about = { description: null, customerId: null, order: null, expiresInMinutes: 60 };
  return createLink(visit, sent, { ...sum, currency: sale.currency, ...about });
}
