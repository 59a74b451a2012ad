import type { NewItem } from '../../checkout/create.ts';
import { named, nameText } from '../../checkout/page/state.ts';
import { type Html, html } from '../../html.ts';
import { formatId } from '../../ids.ts';
import { type Currency, currencies } from '../../money.ts';
import { listPayments } from '../../payments/list.ts';
import type { Product } from '../../products/product.ts';
import { listProducts } from '../../products/store.ts';
import type { SentForm, Visit } from '../visit.ts';
import { parseAmount, typedAmount } from './amount.ts';
import { hidden } from './form.ts';
import { amount } from './format.ts';
import { words as allWords } from './sale.words.ts';

/** The limits of the contract (sections 4.1 and 4.3), in minor units. */
const mostMinor = 100_000_000n;
const mostOfOne = 9_999;
const mostProducts = 100;

/** What is sold, as far as it is typed: an amount, or products. */
export interface Sale {
  currency: Currency;
  products: readonly Product[];
  /** As they were typed; of products by their ids. */
  amount: string;
  quantities: Readonly<Record<string, string>>;
}

/** What is to be paid. */
export interface Sum {
  amountMinor: bigint;
  /** Null: an amount alone. */
  items: NewItem[] | null;
}

/** The currency that the address asks for, else that of the latest payment. */
async function currencyOf(visit: Visit, sent?: SentForm): Promise<Currency> {
  const asked = sent?.text('currency') ?? visit.query.get('currency');
  const known = currencies.find((each) => each === asked);
  if (known) return known;
  const { database } = visit.services;
  const [latest] = await listPayments(database, visit.tenantId, {}, { limit: 1 });
  return latest?.currency ?? 'CVE';
}

/** What can be sold in a currency, and what of it a form asks for. */
export async function openSale(visit: Visit, sent?: SentForm): Promise<Sale> {
  const { database } = visit.services;
  const [currency, listed] = await Promise.all([
    currencyOf(visit, sent),
    listProducts(database, visit.tenantId, true, { limit: mostProducts }),
  ]);
  const products = listed.filter(
    (each) => each.currency === currency && each.priceMinor > 0n && each.priceMinor <= mostMinor,
  );
  const typed = products.map(({ id }) => [id, sent?.text(nameOf(id)) ?? ''] as const);
  const quantities = Object.fromEntries(typed.filter(([, text]) => text !== ''));
  return { currency, products, amount: sent?.text('amount') ?? '', quantities };
}

const nameOf = (productId: string) => `quantity.${formatId('pr', productId)}`;

/** What the form asks for, or what of it has to be put right, in the reader's words. */
export function sumOf(visit: Visit, sale: Sale): Sum | { error: string } {
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

/** The fields of a sale; a script adds the keys and the steps (till.js). */
export function saleFields(visit: Visit, sale: Sale, error?: string): Html {
  const words = allWords[visit.language];
  const wrong =
    error === undefined
      ? undefined
      : html` aria-invalid="true" aria-describedby="amount-error" autofocus`;
  return html`${hidden('currency', sale.currency)}
<div class="field sum">
<label for="amount">${words.amount}</label>
<div class="sum-line"><input id="amount" name="amount" inputmode="decimal" autocomplete="off" maxlength="40" placeholder="${typedAmount(visit, 0n)}" value="${sale.amount}"${wrong}>${currencySwitch(visit, sale.currency)}</div>
${error === undefined ? undefined : html`<p class="error" id="amount-error" role="alert">${error}</p>`}
</div>
${keypad(visit)}
${productList(visit, sale)}`;
}

function currencySwitch(visit: Visit, chosen: Currency): Html {
  const words = allWords[visit.language];
  return html`<p class="modes" role="group" aria-label="${words.currency}">${currencies.map(
    (each) =>
      each === chosen
        ? html`<b aria-current="true">${each}</b>`
        : html`<a href="${visit.to(visit.page, { currency: each })}">${each}</a>`,
  )}</p>`;
}

/** Without the script, the phone's own keys do. */
function keypad(visit: Visit): Html {
  const words = allWords[visit.language];
  const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', ',', '0'];
  return html`<div class="keypad" role="group" aria-label="${words.keypad}" hidden>
${keys.map((key) => html`<button type="button" data-key="${key}">${key}</button>`)}
<button type="button" data-key="back" aria-label="${words.back}">⌫</button>
</div>`;
}

function productList(visit: Visit, sale: Sale): Html | undefined {
  const words = allWords[visit.language];
  if (sale.products.length === 0) return undefined;
  const isOpen = Object.keys(sale.quantities).length > 0;
  const rows = sale.products.map((product) => productRow(visit, sale, product));
  return html`<details class="products"${isOpen ? html` open` : undefined}><summary>${words.products}</summary>
<ul>${rows}</ul></details>`;
}

function productRow(visit: Visit, { quantities }: Sale, product: Product): Html {
  const words = allWords[visit.language];
  const { id, name, priceMinor, currency } = product;
  const field = nameOf(id);
  return html`<li data-price-minor="${priceMinor.toString()}">
<label for="${field}">${named(name)} <small>${amount(visit, priceMinor, currency)}</small></label>
<span class="stepper">
<button type="button" data-step="-1" aria-label="${words.fewer(nameText(name))}" hidden>−</button>
<input id="${field}" name="${field}" inputmode="numeric" autocomplete="off" maxlength="4" placeholder="0" value="${quantities[id]}">
<button type="button" data-step="1" aria-label="${words.more(nameText(name))}" hidden>+</button>
</span></li>`;
}
