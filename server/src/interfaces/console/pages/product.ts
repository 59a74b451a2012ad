import { DomainError, notFound } from '../../../platform/errors/errors.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { currencies } from '../../../platform/values/money.ts';
import { named } from '../../../storefront/checkout/page/state.ts';
import { findLinkOfProduct } from '../../../storefront/payment-links/store.ts';
import type { Product } from '../../../storefront/products/product.ts';
import { findProducts } from '../../../storefront/products/store.ts';
import type { ConsolePage, Redirect, View } from '../page.ts';
import { parseAmount, typedAmount } from '../parts/amount.ts';
import { area, button, field, form, notice, select } from '../parts/form.ts';
import { amount, idText, instant } from '../parts/format.ts';
import { keyedRequest, keyField } from '../parts/idempotency-key.ts';
import { ownCurrencies } from '../parts/own-first.ts';
import { doneNotice } from '../parts/success-notice.ts';
import { facts } from '../parts/table.ts';
import type { MerchantContext, SentForm } from '../request-context.ts';
import { words as allWords } from './product.words.ts';
import { reusableLinkPath } from './reusable-link.ts';

const longestName = 255;
const longestDescription = 2_000;
/** The limits of the API, although no session takes more than a million. */
const mostMinor = 999_999_999_999n;

export const newProductPage: ConsolePage = {
  path: 'products/new',
  permission: 'products.write',
  show: async (visit) => newView(visit),
  actions: { create: { permission: 'products.write', run: create } },
};

/** A product and its price; earlier sales and links keep their copies. */
export const productPage: ConsolePage = {
  path: 'products/:id',
  permission: 'payments.read',
  show: async (visit) => productView(visit, await productIn(visit)),
  actions: {
    change: { permission: 'products.write', run: change },
    deactivate: { permission: 'products.write', run: (visit) => setActive(visit, false) },
    activate: { permission: 'products.write', run: (visit) => setActive(visit, true) },
    link: { permission: 'links.write', run: makeLink },
  },
};

type Errors = Readonly<Record<string, string>>;

function newView(visit: MerchantContext, sent?: SentForm, errors: Errors = {}): View {
  const words = allWords[visit.language];
  const isBad = Object.keys(errors).length > 0;
  const content = html`${keyField(visit, sent)}
${fields(visit, typedIn(visit, sent), errors)}
<div class="bar">${button('create', words.create)} ${visit.can('payments.read') ? html`<a class="button plain" href="${visit.to('products')}">${visit.words.cancel}</a>` : undefined}</div>`;
  const main = html`${isBad ? notice(visit.words.errors.VALIDATION_ERROR, 'bad') : undefined}
${form(visit, content, html` class="card narrow"`)}`;
  return { title: words.newTitle, main, scripts: ['till.css'], ...(isBad && { status: 400 }) };
}

type Typed = Readonly<Record<'name' | 'price' | 'currency' | 'description', string>>;

const typedIn = (visit: MerchantContext, sent: SentForm | undefined): Typed => ({
  name: sent?.text('name') ?? '',
  price: sent?.text('price') ?? '',
  currency: sent?.text('currency') ?? ownCurrencies(visit)[0]!,
  description: sent?.text('description') ?? '',
});

function fields(visit: MerchantContext, typed: Typed, errors: Errors): Html {
  const words = allWords[visit.language];
  const options = (name: keyof Typed) => ({ value: typed[name], error: errors[name] });
  return html`${field('name', words.name, { ...options('name'), isRequired: true, maxLength: longestName })}
${field('price', words.price, { ...options('price'), isRequired: true, inputMode: 'decimal', maxLength: 40, hint: words.priceHint })}
${select(
  'currency',
  words.currency,
  ownCurrencies(visit).map((each) => [each, words.currencies[each]]),
  options('currency'),
)}
${area('description', words.description, { ...options('description'), maxLength: longestDescription })}`;
}

/** A form's product, or its mistakes. */
function read(visit: MerchantContext, sent: SentForm) {
  const words = allWords[visit.language];
  const name = sent.text('name');
  const description = sent.text('description');
  const priceMinor = parseAmount(sent.text('price'));
  const currency = currencies.find((each) => each === sent.text('currency'));
  const errors: Record<string, string> = {};
  if (name === '') errors.name = words.noName;
  if (Array.from(name).length > longestName) errors.name = words.longName;
  if (Array.from(description).length > longestDescription) errors.description = words.longText;
  if (priceMinor === undefined || priceMinor > mostMinor) errors.price = words.badPrice;
  if (currency === undefined) errors.currency = words.badPrice;
  if (priceMinor === undefined || currency === undefined || Object.keys(errors).length > 0) {
    return { errors };
  }
  return { given: { name, description: description || null, priceMinor, currency } };
}

async function create(visit: MerchantContext, sent: SentForm): Promise<View | Redirect> {
  const { services, tenantId, author } = visit;
  const { given, errors } = read(visit, sent);
  if (given === undefined) return newView(visit, sent, errors);
  const idempotency = keyedRequest(sent, { ...given, priceMinor: Number(given.priceMinor) });
  const rest = { tenantId, author, active: true, metadata: null, idempotency };
  try {
    await services.createProduct({ ...given, ...rest });
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'IDEMPOTENCY_KEY_REUSED') throw error;
    return { to: visit.to('products', { done: 'earlier' }) };
  }
  return { to: visit.to('products', { done: 'created' }) };
}

/** @throws NOT_FOUND */
async function productIn({ services, tenantId, params }: MerchantContext): Promise<Product> {
  const id = parseId('pr', params.id ?? '');
  const [product] = id === undefined ? [] : await findProducts(services.database, tenantId, [id]);
  if (!product) throw notFound('product');
  return product;
}

export function productStatus(visit: MerchantContext, { active }: Product): Html {
  const words = allWords[visit.language];
  return active
    ? html`<span class="status" data-status="SUCCEEDED">${words.active}</span>`
    : html`<span class="status">${words.inactive}</span>`;
}

async function productView(
  visit: MerchantContext,
  product: Product,
  sent?: SentForm,
  errors: Errors = {},
): Promise<View> {
  const words = allWords[visit.language];
  const { name, priceMinor, currency, description } = product;
  const stored = { name, price: typedAmount(visit, priceMinor), currency };
  const typed = sent ? typedIn(visit, sent) : { ...stored, description: description ?? '' };
  const isBad = Object.keys(errors).length > 0;
  const main = html`${isBad ? notice(visit.words.errors.VALIDATION_ERROR, 'bad') : doneNotice(visit, words.done)}
<div class="columns">
<section class="card"><h2>${named(name)}</h2>
${facts([
  [words.price, amount(visit, priceMinor, currency)],
  [words.status, productStatus(visit, product)],
  [words.description, description === null ? undefined : named(description)],
  [words.reference, idText('pr', product.id)],
  [words.changed, instant(visit, product.updatedAtMs)],
])}
${await linkOf(visit, product)}
${visit.can('products.write') ? switchForm(visit, product) : undefined}
</section>
${visit.can('products.write') ? html`<section class="card"><h2>${words.change}</h2>${form(visit, html`${fields(visit, typed, errors)}<div class="bar">${button('change', visit.words.save)}</div>`)}</section>` : undefined}
</div>`;
  return { title: words.title, main, scripts: ['till.css'], ...(isBad && { status: 400 }) };
}

/** Leads to the product's link, or makes it. */
async function linkOf(visit: MerchantContext, product: Product): Promise<Html | undefined> {
  const words = allWords[visit.language];
  const { tenantId, id, currency, active, priceMinor } = product;
  const found = await findLinkOfProduct(visit.services.database, tenantId, id, currency);
  if (found) {
    return html`<p><a class="button primary" href="${visit.to(reusableLinkPath(found.id))}">${words.link}</a></p>`;
  }
  const canSell = active && priceMinor > 0n && visit.can('links.write');
  return canSell
    ? form(visit, html`${keyField(visit)}${button('link', words.link, 'primary')}`)
    : undefined;
}

/** Two people who press at once get the same link, as far as the first is written. */
async function makeLink(visit: MerchantContext, sent: SentForm): Promise<View | Redirect> {
  const { services, tenantId, author, terms } = visit;
  const { id, name, currency } = await productIn(visit);
  const found = await findLinkOfProduct(services.database, tenantId, id, currency);
  if (found) return { to: visit.to(reusableLinkPath(found.id)) };
  const productId = formatId('pr', id);
  const noAmount = { amountMinor: null, minAmountMinor: null, maxAmountMinor: null };
  const noEnd = { maxUses: null, expiresAtMs: null };
  const without = { ...noAmount, ...noEnd, returnUrl: null, completionUrl: null, metadata: null };
  const sold = { tenantId, description: name, productId: id, currency, active: true };
  const idempotency = keyedRequest(sent, { productId });
  const link = { ...without, ...sold, apiKey: null, author, terms, idempotency };
  const { json } = await services.createLink(link);
  const made = JSON.parse(json) as { id: string };
  return { to: visit.to(`links/reusable/${made.id}`, { done: 'created' }) };
}

function switchForm(visit: MerchantContext, { active }: Product): Html {
  const words = allWords[visit.language];
  const content = active
    ? html`<p class="hint">${words.deactivateHint}</p>${button('deactivate', words.deactivate, 'danger')}`
    : button('activate', words.activate, 'plain');
  return form(visit, content);
}

async function change(visit: MerchantContext, sent: SentForm): Promise<View | Redirect> {
  const product = await productIn(visit);
  const { given, errors } = read(visit, sent);
  if (given === undefined) return productView(visit, product, sent, errors);
  const { tenantId, id } = product;
  await visit.services.changeProduct.update({ tenantId, id }, given, visit.author);
  return { to: visit.to(`products/${formatId('pr', id)}`, { done: 'changed' }) };
}

async function setActive(visit: MerchantContext, active: boolean): Promise<Redirect> {
  const { tenantId, id } = await productIn(visit);
  await visit.services.changeProduct.update({ tenantId, id }, { active }, visit.author);
  const done = active ? 'activated' : 'deactivated';
  return { to: visit.to(`products/${formatId('pr', id)}`, { done }) };
}
