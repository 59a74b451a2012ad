import { type Html, html } from '../../../platform/text/html.ts';
import { shortReference } from '../../../platform/values/ids.ts';
import { endOfPhone } from '../../../platform/values/phone.ts';
import { fact, zonedInstant } from './format.ts';
import { clock, returned, tick } from './icons.ts';
import type { Notice } from './locale.ts';
import { writtenPhone } from './phone.ts';
import {
  apart,
  backToShop,
  isChecked,
  mayChange,
  named,
  type PaymentPage,
  pageAddress,
  shopLink,
} from './state.ts';

/** Long enough to read that the payment succeeded. */
const onwardSeconds = 5;
/** Without JavaScript the page reloads automatically. */
const refreshSeconds = 2;
/** A customer who opens the link later has not just paid, and is not redirected. */
const freshMs = 120_000;

/** The attempt is on its way: the customer must confirm on the phone. */
export function waiting(page: PaymentPage): Html {
  if (isChecked(page)) return checking(page);
  const { payment, words, nowMs } = page;
  const operator = payment?.operator ?? 'MOCK';
  const isPrompted = payment?.status === 'USER_CONFIRMING';
  const notice = isPrompted ? words.confirm(operator) : words.contacting(operator);
  const leftSeconds = Math.max(0, Math.ceil(((payment?.expiresAtMs ?? nowMs) - nowMs) / 1_000));
  return html`<section class="outcome">
    <div class="ring"><span role="timer" aria-label="${words.timeLeft}" data-left-seconds="${leftSeconds}">${minutes(leftSeconds)}</span></div>
    ${heading(notice)}
    ${number(page)}
    <noscript><p class="back"><a href="">${words.refresh}</a></p></noscript>
  </section>`;
}

/**
 * The operator has reported something that differs from our request. This may take long: the page shows no clock, and
 * no way to pay again.
 */
function checking(page: PaymentPage): Html {
  const { payment, words } = page;
  return html`<section class="outcome">${clock}
    ${heading(words.checking(payment?.operator ?? 'MOCK'))}
    ${number(page)}
    <dl class="facts">${payment && fact(words.facts.reference, html`<b>${shortReference(payment.id)}</b>`)}</dl>
    <noscript><p class="back"><a href="">${words.refresh}</a></p></noscript>
  </section>
  ${backToShop(page)}`;
}

/** The number that the operator asks, and what to do if it is wrong. */
function number(page: PaymentPage): Html | undefined {
  const { payment, mine, words, asksToChange } = page;
  if (!payment) return undefined;
  const phone = payment.operatorPhone;
  const shown = mine === undefined ? endOfPhone(phone) : writtenPhone(phone);
  const line = html`<p class="number">${words.number} <b>${shown}</b></p>`;
  if (!mayChange(page)) return line;
  if (asksToChange) return html`${line}${change(page)}`;
  const address = pageAddress(page, { change: '1' });
  return html`${line}<p class="back"><a href="${address}">${words.wrongNumber}</a></p>`;
}

/** A step of its own, since a cancelled attempt must be paid anew. */
function change(page: PaymentPage): Html {
  const { session, words } = page;
  return html`<form method="post" class="note">
    <p>${words.changeNumber}</p>
    <input type="hidden" name="attempt" value="${session.attemptCount}">
    <button name="change" value="yes" data-sending="${words.sending}">${words.otherNumber}</button>
    <p class="back"><a href="${pageAddress(page)}">${words.keepWaiting}</a></p>
  </form>`;
}

/** Only if no script does it better, and no text would disappear while the customer reads. */
export const waitingHead = ({ asksToChange }: PaymentPage): Html | undefined =>
  asksToChange
    ? undefined
    : html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>`;

/** `4:05` */
const minutes = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

/** Where the customer goes after paying; null if the shop has not said so. */
export const onwardUrl = ({ session }: PaymentPage): string | null =>
  shopLink(session, session.completionUrl);

export function paid(page: PaymentPage, order: Html): Html {
  const target = onwardUrl(page);
  const isReturned = page.payment?.status === 'REFUNDED';
  const icon = isReturned ? returned : tick;
  return html`<section class="outcome ${isReturned ? '' : 'good'}">${icon}
    ${heading(noticeOf(page))}
    ${target === null ? undefined : onward(page, target)}
  </section>
  ${facts(page)}${order}
  ${receipt(page)}
  ${target === null ? backToShop(page) : undefined}`;
}

function noticeOf(page: PaymentPage): Notice {
  const { payment, words } = page;
  if (payment?.status === 'REFUNDED') return words.refunded;
  if (payment?.status === 'PARTIALLY_REFUNDED') return words.partlyRefunded;
  return isFresh(page) ? words.paid : words.alreadyPaid;
}

/** The proof that a customer shows or sends: many take a screenshot of this page. */
function facts({ session, shop, payment, words }: PaymentPage): Html | undefined {
  if (!payment) return undefined;
  const { date, reference, transaction } = words.facts;
  return html`<dl class="facts">
    ${fact(date, zonedInstant(session.updatedAtMs, shop.timeZones, words))}
    ${fact(reference, html`<b>${shortReference(payment.id)}</b>`)}
    ${fact(words.operator, words.operators[payment.operator])}
    ${payment.operatorTxId === null ? undefined : fact(transaction, named(payment.operatorTxId))}
  </dl>`;
}

/** Relative, so that it works behind a proxy that adds a path. */
function receipt({ receiptToken, words, frame }: PaymentPage): Html | undefined {
  if (receiptToken === undefined) return undefined;
  const address = `../receipt/${receiptToken}?lang=${words.language}`;
  return html`<p class="back"><a href="${address}"${apart(frame)}>${words.receipt}</a></p>`;
}

function onward(page: PaymentPage, target: string): Html {
  const wait = isFresh(page) ? html` data-onward-seconds="${onwardSeconds}"` : undefined;
  const leaves = page.frame && html` target="_top"`;
  return html`<a class="button" href="${target}"${wait}${leaves}>${page.words.onward}</a>`;
}

export function paidHead(page: PaymentPage): Html | undefined {
  const target = onwardUrl(page);
  if (target === null || page.frame || !isFresh(page)) return undefined;
  return html`<noscript><meta http-equiv="refresh" content="${onwardSeconds}; url=${target}"></noscript>`;
}

const isFresh = ({ session, nowMs }: PaymentPage) => nowMs - session.updatedAtMs < freshMs;

export function expired(page: PaymentPage): Html {
  return html`<section class="outcome">${clock}${heading(page.words.expired)}${backToShop(page)}</section>`;
}

const heading = ({ title, advice }: Notice) =>
  html`<h2 tabindex="-1">${title}</h2><p>${advice}</p>`;
