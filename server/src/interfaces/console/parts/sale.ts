import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { type Currency, currencies } from '../../../platform/values/money.ts';
import type { NewItem } from '../../../storefront/checkout/create.ts';
import { named, nameText } from '../../../storefront/checkout/page/state.ts';
import type { Product } from '../../../storefront/products/product.ts';
import { findForSale } from '../../../storefront/products/store.ts';
import type { MerchantContext, SentForm } from '../request-context.ts';
import { parseAmount, typedAmount } from './amount.ts';
import { hidden } from './form.ts';
import { amount } from './format.ts';
import { words as allWords } from './sale.words.ts';
import { shopCurrencies } from './shop-currencies.ts';

/** The limits of the contract (sections 4.1 and 4.3), in minor units. */
const mostMinor = 100_000_000n;
const mostOfOne = 9_999;
const mostProducts = 100;
const longestSearch = 100;

/** The sale as typed so far: an amount, or products. */
export interface Sale {
  currency: Currency;
  /** Those of the shop, its own first. */
  currencies: readonly Currency[];
  products: readonly Product[];
  /** As typed; products by their ids. */
  amount: string;
  quantities: Readonly<Record<string, string>>;
  /** The search text for product names; empty for all. */
  search: string;
  /**
   * The list differs from the one that the form was filled in with, so show it first, whatever
   * button was pressed.
   */
  isSearch: boolean;
  hasMore: boolean;
}

/** What is to be paid. */
export interface Sum {
  amountMinor: bigint;
  /** Null: an amount alone. */
  items: NewItem[] | null;
}

/** The products for sale in a currency, and the chosen ones. Chosen products stay, regardless of the search. */
export async function openSale(visit: MerchantContext, sent?: SentForm): Promise<Sale> {
  const offered = await shopCurrencies(visit);
  const wanted = sent?.text('currency') ?? visit.query.get('currency');
  const currency = currencies.find((each) => each === wanted) ?? offered[0]!;
  const search = (sent?.text('find') ?? '').slice(0, longestSearch).replaceAll('\0', '');
  const ids = chosenIn(sent);
  const limit = mostProducts + ids.length;
  const asked = { currency, mostMinor, ids, text: search, limit: limit + 1 };
  const found = await findForSale(visit.services.database, visit.tenantId, asked);
  const products = found.slice(0, limit);
  const typed = products.map(({ id }) => [id, sent?.text(nameOf(id)) ?? ''] as const);
  return {
    currency,
    currencies: offered.includes(currency) ? offered : [...offered, currency],
    products,
    amount: sent?.text('amount') ?? '',
    quantities: Object.fromEntries(typed.filter(([, text]) => text !== '')),
    search,
    isSearch: sent !== undefined && search !== sent.text('found'),
    hasMore: found.length > limit,
  };
}

/** The products of a form with a quantity. */
const chosenIn = (sent?: SentForm): string[] =>
  (sent?.all('product') ?? [])
    .slice(0, 2 * mostProducts)
    .flatMap((each) => parseId('pr', each) ?? [])
    .filter((id) => !['', '0'].includes(sent!.text(nameOf(id))));

/** The field with the quantity of a product, `pr_…`. */
export const quantityName = (productId: string): string => `quantity.${productId}`;

const nameOf = (id: string) => quantityName(formatId('pr', id));

/** The form's sale, or its mistakes, in the reader's words. */
export function sumOf(visit: MerchantContext, sale: Sale): Sum | { error: string } {
  const words = allWords[visit.language];
  const items = itemsOf(sale);
  if (items === undefined) return { error: words.badQuantity };
  const typed = sale.amount === '' ? undefined : parseAmount(sale.amount);
  if (sale.amount !== '' && typed === undefined) return { error: words.badAmount };
  const ofItems = items.reduce(
    (sum, { quantity, unitPriceMinor }) => sum + BigInt(quantity) * BigInt(unitPriceMinor),
    0n,
  );
  if (items.length > 0 && typed !== undefined && typed !== ofItems) return { error: words.both };
  const amountMinor = items.length > 0 ? ofItems : (typed ?? 0n);
  if (amountMinor === 0n) return { error: words.noAmount };
  if (amountMinor > mostMinor) return { error: words.tooMuch };
  return { amountMinor, items: items.length > 0 ? items : null };
}

function itemsOf({ products, quantities }: Sale): NewItem[] | undefined {
  const items: NewItem[] = [];
  for (const { id, name, description, priceMinor } of products) {
    const text = quantities[id] ?? '0';
    const quantity = Number(text);
    if (!/^\d+$/.test(text) || quantity > mostOfOne) return undefined;
    if (quantity === 0) continue;
    const productId = formatId('pr', id);
    items.push({ productId, name, description, quantity, unitPriceMinor: Number(priceMinor) });
  }
  return items;
}

/** The amount of a sale; its products are a list of their own ({@link productFields}). */
export function amountField(
  visit: MerchantContext,
  sale: Pick<Sale, 'currency' | 'currencies' | 'amount'>,
  error?: string,
): Html {
  const words = allWords[visit.language];
  const wrong =
    error === undefined
      ? undefined
      : html` aria-invalid="true" aria-describedby="amount-error" autofocus`;
  return html`${hidden('currency', sale.currency)}
<div class="field sum">
<label for="amount">${words.amount}</label>
<div class="sum-line"><button type="button" class="clear" data-key="clear" aria-label="${words.clear}" hidden>×</button><input id="amount" name="amount" inputmode="decimal" autocomplete="off" maxlength="40" placeholder="${typedAmount(visit, 0n)}" value="${sale.amount}"${wrong}>${currencySwitch(visit, sale)}</div>
${error === undefined ? undefined : html`<p class="error" id="amount-error" role="alert">${error}</p>`}
</div>`;
}

/** A shop with one currency has nothing to choose. */
function currencySwitch(
  visit: MerchantContext,
  { currency, currencies: offered }: Pick<Sale, 'currency' | 'currencies'>,
): Html {
  const words = allWords[visit.language];
  if (offered.length === 1) return html`<span class="currency">${currency}</span>`;
  return html`<p class="modes" role="group" aria-label="${words.currency}">${offered.map((each) =>
    each === currency
      ? html`<b aria-current="true">${each}</b>`
      : html`<a href="${visit.to(visit.page, { currency: each })}">${each}</a>`,
  )}</p>`;
}

/** Writes into the field used last. Without the script, the phone's own keyboard works. */
export function keypad(visit: MerchantContext): Html {
  const words = allWords[visit.language];
  const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', ',', '0'];
  return html`<div class="keypad" role="group" aria-label="${words.keypad}" hidden>
${keys.map((key) => html`<button type="button" data-key="${key}">${key}</button>`)}
<button type="button" data-key="back" aria-label="${words.back}">⌫</button>
</div>`;
}

/**
 * The products of a sale; a script adds the steps (till.js). Nothing where the shop has none.
 * @param action the action of Enter, although the search button comes first
 */
export function productFields(
  visit: MerchantContext,
  sale: Sale,
  action: string,
): Html | undefined {
  const words = allWords[visit.language];
  const { products, search, hasMore } = sale;
  if (products.length === 0 && search === '') return undefined;
  const isOpen = Object.keys(sale.quantities).length > 0 || search !== '' || sale.isSearch;
  const rows = products.map((product) => productRow(visit, sale, product));
  return html`<details class="products"${isOpen ? html` open` : undefined}><summary>${words.products}</summary>
${hasMore || search !== '' ? searchBox(visit, sale, action) : undefined}
<ul>${rows}</ul>
${products.length === 0 ? html`<p class="hint">${words.noneFound}</p>` : undefined}${hasMore ? html`<p class="hint">${words.moreProducts}</p>` : undefined}</details>`;
}

/** Part of the sale's form, so that no input gets lost; only for shops with more products than are shown. */
function searchBox(visit: MerchantContext, { search, isSearch }: Sale, action: string): Html {
  const words = allWords[visit.language];
  const focus = isSearch ? html` autofocus` : undefined;
  // Enter presses the first button of a form.
  return html`<p class="find"><button name="action" value="${action}" class="unseen" tabindex="-1" aria-hidden="true"></button>${hidden('found', search)}
<input id="find" name="find" type="search" autocomplete="off" maxlength="${longestSearch}" value="${search}" aria-label="${words.find}" placeholder="${words.find}"${focus}>
<button name="action" value="find" class="button plain" formnovalidate>${words.search}</button></p>`;
}

function productRow(visit: MerchantContext, { quantities }: Sale, product: Product): Html {
  const words = allWords[visit.language];
  const { id, name, priceMinor, currency } = product;
  const field = nameOf(id);
  return html`<li data-price-minor="${priceMinor.toString()}">
<label for="${field}">${named(name)} <small>${amount(visit, priceMinor, currency)}</small></label>
${hidden('product', formatId('pr', id))}
<span class="stepper"><button type="button" data-step="-1" aria-label="${words.fewer(nameText(name))}" hidden>−</button>
<input id="${field}" name="${field}" inputmode="numeric" autocomplete="off" maxlength="4" placeholder="0" value="${quantities[id]}">
<button type="button" data-step="1" aria-label="${words.more(nameText(name))}" hidden>+</button>
</span></li>`;
}
