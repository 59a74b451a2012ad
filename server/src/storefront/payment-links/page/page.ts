import { type Html, html } from '../../../platform/text/html.ts';
import type { Currency } from '../../../platform/values/money.ts';
import { defaultColour } from '../../checkout/page/assets.ts';
import { clock } from '../../checkout/page/icons.ts';
import { document } from '../../checkout/page/layout.ts';
import type { Locale } from '../../checkout/page/locale.ts';
import { customerMoney } from '../../checkout/page/money.ts';
import { contact, named, nameText, shopAnchor } from '../../checkout/page/state.ts';
import { testBanner } from '../../checkout/page/test-mode.ts';
import { shownUrl } from '../../checkout/return-url.ts';
import type { Shop } from '../../checkout/store.ts';
import type { Product } from '../../products/product.ts';
import { isUsable, type PaymentLink } from '../payment-link.ts';
import { linkWords } from './page.words.ts';

export interface LinkPage {
  /** The tenant in its address, for the logo. */
  token: string;
  link: PaymentLink;
  shop: Shop;
  product: Product | undefined;
  nowMs: number;
  words: Locale;
  /** Present on a page in a frame. */
  frame: '1' | undefined;
  /** A use was refused just now. */
  isClosed?: boolean;
}

/** The last input, if it needs correction. */
export interface TypedAmount {
  amount: string;
}

/** The page of a link, before there is a session. */
export function linkPage(page: LinkPage, wrong?: TypedAmount): string {
  const { shop, link, words } = page;
  const title = words.payTo(nameText(shop.name));
  const about = html`<meta property="og:type" content="website">
<meta property="og:site_name" content="${nameText(shop.name)}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${nameText(link.description)}">`;
  return document({
    words,
    offered: shop.pageLanguages,
    title: wrong ? `${words.error}: ${title}` : title,
    colour: shop.colour ?? defaultColour,
    folder: '../',
    head: about,
    keep: { frame: page.frame },
    framedBy: page.frame && shop.frameOrigins,
    banner: shop.mode === 'test' ? testBanner(words) : undefined,
    main: html`<main data-ended>${heading(page)}${content(page, wrong)}${contact(shop, page)}</main>`,
  });
}

export const canUse = ({ link, shop, product, nowMs, isClosed }: LinkPage): boolean =>
  !isClosed &&
  isUsable(link, nowMs) &&
  shop.terms.suspendedAtMs === null &&
  (link.productId === null || isForSale(product, link.currency));

const isForSale = (product: Product | undefined, currency: Currency): boolean =>
  product?.active === true && product.currency === currency && product.priceMinor > 0n;

function heading(page: LinkPage): Html {
  const { shop, words, token } = page;
  const { logoVersion } = shop;
  const logo =
    logoVersion === null
      ? undefined
      : html`<img class="logo" src="${token}/logo?v=${logoVersion}" alt="">`;
  const amountMinor = page.product?.priceMinor ?? page.link.amountMinor;
  const sum =
    amountMinor === null || !canUse(page)
      ? undefined
      : html`<p class="caption">${words.total}</p><p class="total">${amountIn(page, amountMinor)}</p>`;
  return html`<header>${logo}<h1>${named(shop.name)}</h1>${sum}</header>`;
}

const amountIn = ({ link, words }: LinkPage, amountMinor: bigint) =>
  customerMoney(amountMinor, link.currency, words.language);

function content(page: LinkPage, wrong?: TypedAmount): Html {
  const { link, words } = page;
  const own = linkWords[words.language];
  if (!canUse(page)) {
    const { title, advice } = link.active ? own.closed : own.paused;
    return html`<section class="outcome">${clock}<h2>${title}</h2><p>${advice}</p>${backToShop(page)}</section>`;
  }
  return html`<ul class="items"><li><span>${named(link.description)}</span></li></ul>
    <form method="post">${amountField(page, wrong)}<button data-sending="${words.sending}">${own.onward}</button></form>`;
}

/** There is no session yet that the shop could know. */
function backToShop({ link, shop, words, frame }: LinkPage): Html | undefined {
  const address = shownUrl(link.returnUrl) ?? shop.website;
  return address === null ? undefined : shopAnchor(address, { words, frame });
}

function amountField(page: LinkPage, wrong?: TypedAmount): Html | undefined {
  const { minAmountMinor, maxAmountMinor, currency } = page.link;
  if (minAmountMinor === null || maxAmountMinor === null) return undefined;
  const own = linkWords[page.words.language];
  const rule = wrong ? own.outside : own.between;
  const bounds = rule(amountIn(page, minAmountMinor), amountIn(page, maxAmountMinor));
  const invalid = wrong && html` aria-invalid="true" autofocus`;
  return html`<div class="field"><label for="amount">${own.amount}</label>
    <div class="phone"><span id="amount-currency">${currency}</span>
      <input id="amount" name="amount" type="tel" inputmode="decimal" required maxlength="20" autocomplete="off"
        value="${wrong?.amount}" aria-describedby="amount-currency amount-bounds"${invalid}></div>
    <p class="${wrong ? 'error' : 'hint'}" id="amount-bounds">${bounds}</p></div>`;
}
