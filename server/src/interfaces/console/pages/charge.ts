import { findEarlierPayments } from '../../../money/payments/store.ts';
import { DomainError, notFound } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { descriptionOf } from '../../../storefront/checkout/attempt.ts';
import { icon } from '../icons.ts';
import type { ConsolePage, Redirect, View } from '../page.ts';
import { typedAmount } from '../parts/amount.ts';
import {
  chargeQueue,
  findCharge,
  latestCharge,
  refilledSale,
  tillPhone,
  todaysSales,
} from '../parts/charges.ts';
import { form, notice } from '../parts/form.ts';
import { refusalText } from '../parts/form-errors.ts';
import { amount, count } from '../parts/format.ts';
import { keyedRequest, keyField } from '../parts/idempotency-key.ts';
import {
  operatorsOf,
  type Payer,
  type PayerErrors,
  payerFields,
  payerIn,
  readPayer,
} from '../parts/payer.ts';
import {
  amountField,
  keypad,
  openSale,
  productFields,
  type Sale,
  type Sum,
  sumOf,
} from '../parts/sale.ts';
import { testPhones } from '../parts/test-phones.ts';
import type { MerchantContext, SentForm } from '../request-context.ts';
import { words as allWords } from './charge.words.ts';
import { createLink } from './new-link.ts';

/** The till: an amount or products, and then the customer's phone, or a link that they pay by. */
export const chargePage: ConsolePage = {
  path: 'charge',
  permission: 'payments.charge',
  async show(visit) {
    const again = await findCharge(visit, parseId('pi', visit.query.get('again') ?? ''));
    const sale = await openSale(visit);
    if (!again) return view(visit, { sale });
    const { currency, amountMinor, operator, items } = again;
    const shown = tillPhone(visit, again.operatorPhone);
    // People who may not read whole phones ask the customer again.
    const phone = shown === again.operatorPhone ? shown : '';
    const typed = { ...sale, currency, amount: typedAmount(visit, amountMinor) };
    const filled = items === null ? typed : await refilledSale(visit, typed, items);
    return view(visit, { sale: filled, payer: { phone, country: '', operator } });
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

async function view(visit: MerchantContext, filled: Filled): Promise<View> {
  const words = allWords[visit.language];
  const { sale, payer, sent, error } = filled;
  const isBad = filled.saleError ?? filled.payerErrors ?? error;
  const sum = sumOf(visit, sale);
  const total = 'error' in sum ? undefined : amount(visit, sum.amountMinor, sale.currency);
  const operators = operatorsOf(visit, sale.currency);
  const content = html`${keyField(visit, sent)}
${amountField(visit, sale, filled.saleError)}
<div class="payer">
${await payerFields(visit, sale.currency, payer, filled.payerErrors)}
</div>
${keypad(visit)}
${productFields(visit, sale, 'charge')}
${visit.mode === 'test' ? testPhones(visit, sale.currency) : undefined}
<div class="till-bar pinned">
<button name="action" value="charge" class="button primary">${words.charge} <span id="total">${total}</span></button>
${visit.can('links.write') ? html`<button name="action" value="link" class="button plain" formnovalidate>${icon('qr')} <span class="label">${words.link}</span></button>` : undefined}
</div>`;
  const decimal = visit.language === 'pt' ? ',' : '.';
  const till = html` class="till" autocomplete="off" data-steady data-decimal="${decimal}" data-currency="${sale.currency}" data-basket="${visit.to('charge')}"`;
  const main = html`${await chargeQueue(visit)}
${await latestCharge(visit)}
${await takings(visit, sale.currency)}
${error === undefined ? undefined : notice(error, 'bad')}
${operators.length === 0 ? html`<p class="notice note">${words.noOperator(sale.currency)}</p>` : form(visit, content, till)}`;
  const scripts = ['till.css', 'till.js'];
  return { title: words.title, main, scripts, ...(isBad !== undefined && { status: 400 }) };
}

/** Today's paid total in the currency of the charge: the shop's, or the person's own. */
async function takings(visit: MerchantContext, currency: string): Promise<Html> {
  const words = allWords[visit.language];
  const { paid, paidMinor } = await todaysSales(visit, currency);
  const text = words.payments(paid, count(visit, paid));
  return html`<p class="takings"><a href="${visit.to('sales')}">${words.today}</a> <b>${amount(visit, paidMinor, currency)}</b> <span>${text}</span></p>`;
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
    tillCharge: { personId: visit.person.id, items: itemsOfCharge(items) },
  };
  const none = { externalId: null, customerId: null, statementDescriptor: null, metadata: null };
  const { json } = await services.createPayment({ ...none, ...given });
  const { id } = JSON.parse(json) as { id: string };
  return { to: visit.to(`charge/${id}`) };
}

const itemsOfCharge = (items: Sum['items']) =>
  items?.map(({ productId, quantity, unitPriceMinor }) => ({
    productId: productId!,
    quantity,
    unitPriceMinor,
  })) ?? null;

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
