import { type Html, html } from '../../../platform/text/html.ts';
import { formatId, parseId } from '../../../platform/values/ids.ts';
import { currencies } from '../../../platform/values/money.ts';
import { nameText } from '../../../storefront/checkout/page/state.ts';
import type { CreateLinkInput } from '../../../storefront/payment-links/create.ts';
import type { Product } from '../../../storefront/products/product.ts';
import { findProducts, listProducts } from '../../../storefront/products/store.ts';
import { parseAmount, typedAmount } from '../parts/amount.ts';
import { dayEndMs } from '../parts/day-field.ts';
import { button, type Choice, field, form, select } from '../parts/form.ts';
import { keyField } from '../parts/idempotency-key.ts';
import { ownCurrencies } from '../parts/own-first.ts';
import type { MerchantContext, SentForm } from '../request-context.ts';
import { words as allWords } from './reusable-links.words.ts';

const mostMinor = 100_000_000n;
const mostUses = 1_000_000;
const mostProducts = 100;

/** The form for another link. */
export async function linkForm(visit: MerchantContext, sent?: SentForm): Promise<Html> {
  const words = allWords[visit.language];
  const typed = (name: string) => ({ value: sent?.text(name), maxLength: 40 });
  const money = (name: string) => ({ ...typed(name), inputMode: 'decimal' as const });
  const products = await productChoices(visit);
  const currencyChoices = ownCurrencies(visit).map((each): Choice => [each, each]);
  const content = html`${keyField(visit, sent)}
${field('description', words.description, { ...typed('description'), isRequired: true, maxLength: 255 })}
${products.length === 0 ? undefined : select('product', words.productChoice, [['', words.noProduct], ...products], { value: sent?.text('product') ?? '', hint: words.productHint })}
${field('amount', words.amount, { ...money('amount'), hint: words.amountHint })}
${field('least', words.least, money('least'))}
${field('most', words.most, money('most'))}
${select('currency', words.currency, currencyChoices, { value: sent?.text('currency') })}
${field('uses', words.maxUses, { ...typed('uses'), inputMode: 'numeric', hint: words.maxUsesHint })}
${field('until', words.lastDay, { type: 'date', value: sent?.text('until'), hint: words.lastDayHint })}
<div class="bar">${button('create', words.create)}</div>`;
  return form(visit, content, html` class="card narrow"`);
}

/** The newest products for sale; many shops have fewer. */
async function productChoices(visit: MerchantContext): Promise<Choice[]> {
  const { database } = visit.services;
  const products = await listProducts(
    database,
    visit.tenantId,
    { active: true },
    { limit: mostProducts },
  );
  return products
    .slice(0, mostProducts)
    .filter(({ priceMinor }) => priceMinor > 0n && priceMinor <= mostMinor)
    .map((product) => [formatId('pr', product.id), productText(visit, product)]);
}

const productText = (visit: MerchantContext, { name, priceMinor, currency }: Product) =>
  `${nameText(name)}, ${typedAmount(visit, priceMinor)} ${currency}`;

type Asked = Pick<
  CreateLinkInput,
  | 'description'
  | 'currency'
  | 'productId'
  | 'amountMinor'
  | 'minAmountMinor'
  | 'maxAmountMinor'
  | 'maxUses'
  | 'expiresAtMs'
>;

/** The form's link; undefined if it has mistakes. */
export async function readLinkForm(
  visit: MerchantContext,
  sent: SentForm,
): Promise<Asked | undefined> {
  const description = sent.text('description');
  if (description === '' || Array.from(description).length > 255) return undefined;
  const asked = await whatIsPaid(visit, sent);
  const maxUses = usesIn(sent.text('uses'));
  const expiresAtMs = lastInstantIn(visit, sent.text('until'));
  if (asked === undefined || maxUses === undefined || expiresAtMs === undefined) return undefined;
  return { ...asked, description, maxUses, expiresAtMs };
}

/** Exactly one of: a product in its own currency, an amount, or the bounds of an amount. */
async function whatIsPaid(visit: MerchantContext, sent: SentForm) {
  const [fixed, least, most] = ['amount', 'least', 'most'].map((name) => minorIn(sent.text(name)));
  if (fixed === undefined || least === undefined || most === undefined) return undefined;
  const amounts = { amountMinor: fixed, minAmountMinor: least, maxAmountMinor: most };
  const hasAmount = Object.values(amounts).some((each) => each !== null);
  const product = sent.text('product');
  if (product !== '') {
    const id = parseId('pr', product);
    const { database } = visit.services;
    const [found] = id === undefined ? [] : await findProducts(database, visit.tenantId, [id]);
    if (!found || hasAmount) return undefined;
    return { ...amounts, currency: found.currency, productId: found.id };
  }
  const currency = currencies.find((each) => each === sent.text('currency'));
  const isFixed = fixed !== null && least === null && most === null;
  const isFree = fixed === null && least !== null && most !== null && least <= most;
  if (currency === undefined || !(isFixed || isFree)) return undefined;
  return { ...amounts, currency, productId: null };
}

/** Null if empty; undefined for an invalid amount. */
function minorIn(text: string): bigint | null | undefined {
  if (text === '') return null;
  const minor = parseAmount(text);
  return minor !== undefined && minor > 0n && minor <= mostMinor ? minor : undefined;
}

function usesIn(text: string): number | null | undefined {
  if (text === '') return null;
  const uses = Number(text);
  return /^\d+$/.test(text) && uses >= 1 && uses <= mostUses ? uses : undefined;
}

/** The end of the typed day in the reader's time zone; undefined if it has passed. */
function lastInstantIn(
  { nowMs, timeZones }: MerchantContext,
  text: string,
): number | null | undefined {
  if (text === '') return null;
  const endMs = dayEndMs(text, { timeZones });
  return endMs !== undefined && endMs > nowMs ? endMs : undefined;
}
