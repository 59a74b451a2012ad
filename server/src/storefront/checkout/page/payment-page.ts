import { type Html, html } from '../../../platform/text/html.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { hasAttemptsLeft, type SessionHead, type SessionItem } from '../session.ts';
import { defaultColour } from './assets.ts';
import { type Entry, failure, form, noAttemptsLeft } from './form.ts';
import { document } from './layout.ts';
import { preview } from './link-preview.ts';
import type { Locale } from './locale.ts';
import { customerMoney } from './money.ts';
import { expired, paid, paidHead, waiting, waitingHead } from './outcome.ts';
import {
  amountOf,
  backToShop,
  contact,
  named,
  nameText,
  type PageState,
  type PaymentPage,
  shortened,
  stateOf,
  versionOf,
} from './state.ts';
import { testBanner } from './test-mode.ts';

/** More would only slow the page down on a slow network. */
const mostItems = 30;
const longestAbout = 200;

const contents: Record<PageState, (page: PaymentPage, entry?: Entry) => Html> = {
  PAID: (page) => paid(page, html`${description(page)}${items(page)}`),
  WAITING: waiting,
  EXPIRED: (page) =>
    hasAttemptsLeft(page.session)
      ? expired(page)
      : html`${failure(page)}${noAttemptsLeft(page)}${backToShop(page)}`,
  OPEN: (page, entry) =>
    page.payment
      ? html`${failure(page)}${form(page, entry)}${description(page)}${items(page)}${backToShop(page)}`
      : html`${description(page)}${items(page)}${form(page, entry)}${backToShop(page)}`,
};

/** The page of a session as it is now. */
export function paymentPage(page: PaymentPage, token: string, entry?: Entry): string {
  const { shop, words } = page;
  const state = stateOf(page);
  const isWrong = entry?.phoneError !== undefined || entry?.operatorError !== undefined;
  const title = words.payTo(nameText(shop.name));
  return document({
    words,
    offered: shop.pageLanguages,
    title: isWrong ? `${words.error}: ${title}` : title,
    colour: shop.colour ?? defaultColour,
    folder: '',
    head: html`${preview(page)}${headOf(state, page)}`,
    keep: { mine: page.mine, frame: page.frame },
    framedBy: page.frame && shop.frameOrigins,
    banner: shop.mode === 'test' ? testBanner(words) : undefined,
    main: html`<main${attributes(state, page, token)}>${heading(page, token)}${contents[state](page, entry)}${contact(shop, page)}</main>`,
  });
}

function headOf(state: PageState, page: PaymentPage): Html | undefined {
  if (state === 'WAITING') return waitingHead(page);
  return state === 'PAID' ? paidHead(page) : undefined;
}

/** The data that live.js and frame.js use. */
function attributes(state: PageState, page: PaymentPage, token: string): Html {
  const { id, status } = page.session;
  const hints = page.frame && html` data-session="${formatId('cs', id)}" data-status="${status}"`;
  if (state === 'PAID' || state === 'EXPIRED') return html` data-ended${hints}`;
  const leftMs = state === 'OPEN' ? page.session.expiresAtMs - page.nowMs : undefined;
  const expiry = leftMs === undefined ? undefined : html` data-expires-in-ms="${leftMs}"`;
  return html` data-live="live/${token}" data-version="${versionOf(page)}"${expiry}${hints}`;
}

function heading(page: PaymentPage, token: string): Html {
  const { shop, words } = page;
  const logo =
    shop.logoVersion === null
      ? undefined
      : html`<img class="logo" src="${token}/logo?v=${shop.logoVersion}" alt="">`;
  const name = html`${logo}<h1>${named(shop.name)}</h1>`;
  const state = stateOf(page);
  // The session can no longer be paid.
  if (state === 'EXPIRED') return html`<header>${name}</header>`;
  return html`<header>${name}
    <p class="caption">${state === 'PAID' ? words.totalPaid : words.total}</p><p class="total">${amountOf(page)}</p></header>`;
}

const description = ({ session }: PaymentPage): Html | undefined =>
  session.description ? html`<p class="about">${named(session.description)}</p>` : undefined;

const items = ({ session, words }: PaymentPage) => itemLines(session, words, mostItems);

/** The description of the purchase; undefined if there is none. */
export function itemLines(
  { items: list, hasMoreItems }: Pick<SessionHead, 'items' | 'hasMoreItems'>,
  words: Locale,
  most: number,
): Html | undefined {
  if (list.length === 0 && !hasMoreItems) return undefined;
  const shown = list.slice(0, most).map((one) => item(one, words.language));
  const left = list.length - shown.length;
  const more = hasMoreItems ? words.manyMoreItems : left > 0 ? words.moreItems(left) : undefined;
  return html`<ul class="items">${shown}${more && html`<li>${more}</li>`}</ul>`;
}

function item(
  { name, description: about, quantity, unitPrice, currency }: SessionItem,
  language: PaymentPage['words']['language'],
): Html {
  const sum = customerMoney(BigInt(quantity) * BigInt(unitPrice), currency, language);
  const small = about ? html`<small>${named(shortened(about, longestAbout))}</small>` : undefined;
  return html`<li><span>${quantity} × ${named(name)}${small}</span><span class="sum">${sum}</span></li>`;
}
