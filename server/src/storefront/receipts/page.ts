import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOpen, type Payment } from '../../money/payments/payment.ts';
import type { Refund } from '../../money/refunds/refund.ts';
import type { Reversal } from '../../money/reversals/reversal.ts';
import { type Html, html } from '../../platform/text/html.ts';
import { formatId, shortReference } from '../../platform/values/ids.ts';
import { endOfPhone, erasedPhone } from '../../platform/values/phone.ts';
import { createAssets, defaultColour, pageStyle } from '../checkout/page/assets.ts';
import { fact, instantOf, zonedInstant } from '../checkout/page/format.ts';
import { clock, cross, returned, tick } from '../checkout/page/icons.ts';
import { document } from '../checkout/page/layout.ts';
import type { Locale } from '../checkout/page/locale.ts';
import { customerMoney } from '../checkout/page/money.ts';
import { itemLines } from '../checkout/page/payment-page.ts';
import { contact, named, nameText } from '../checkout/page/state.ts';
import type { Shop } from '../checkout/store.ts';
import type { Receipt } from './load.ts';
import { type ReceiptState, receiptWords } from './page.words.ts';

const read = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8');
export const receiptAssets = createAssets(pageStyle + read('receipt.css'), {
  name: 'receipt',
  text: read('receipt.js'),
});

/** More would be a catalogue; the page counts the items left out. */
const mostItems = 200;

/** The page of a receipt as the payment is now. */
export function receiptPage(receipt: Receipt, words: Locale, token: string): string {
  const { shop } = receipt;
  const own = receiptWords[words.language];
  const state = stateOf(receipt);
  return document({
    words,
    offered: shop.pageLanguages,
    title: own.receiptOf(nameText(shop.name)),
    colour: shop.colour ?? defaultColour,
    folder: '',
    assets: receiptAssets,
    banner: shop.mode === 'test' ? html`<aside class="test"><p>${own.test}</p></aside>` : undefined,
    main: html`<main class="receipt">${heading(receipt, state, words, token)}
      ${notice(state, words)}${facts(receipt, words)}${items(receipt, words)}
      ${refunds(receipt, words)}${wrongDebits(receipt, words)}${ownText(shop)}${actions(receipt, state, words)}${contact(shop, { words })}</main>`,
  });
}

function stateOf({ payment: { status } }: Receipt): ReceiptState {
  if (isOpen(status)) return 'OPEN';
  if (status === 'DEBITED' || status === 'SETTLED') return 'PAID';
  return status as Exclude<Payment['status'], 'CREATED' | 'OPERATOR_PENDING' | 'USER_CONFIRMING'> &
    ReceiptState;
}

/** Whether money was taken, even if it has been returned since. */
const wasPaid = (state: ReceiptState) =>
  state === 'PAID' || state === 'REFUNDED' || state === 'PARTIALLY_REFUNDED';

function heading(
  { shop, payment }: Receipt,
  state: ReceiptState,
  { language }: Locale,
  token: string,
): Html {
  const own = receiptWords[language];
  const logo =
    shop.logoVersion === null
      ? undefined
      : html`<img class="logo" src="${token}/logo?v=${shop.logoVersion}" alt="">`;
  const icon = iconOf(state);
  return html`<header>${logo}<h1><small>${wasPaid(state) ? own.title : own.payment}</small>${named(shop.name)}</h1>
    <p class="caption">${wasPaid(state) ? own.paid : own.asked}</p>
    <p class="total">${customerMoney(payment.amountMinor, payment.currency, language)}</p>
    <p class="state ${state.toLowerCase()}">${icon}<span>${own.states[state]}</span></p></header>`;
}

function iconOf(state: ReceiptState): Html {
  if (state === 'OPEN') return clock;
  if (state === 'REFUNDED') return returned;
  return wasPaid(state) ? tick : cross;
}

function notice(state: ReceiptState, { language }: Locale): Html | undefined {
  const notice = receiptWords[language].notices[state];
  if (!notice) return undefined;
  const tone = wasPaid(state) || state === 'OPEN' ? 'note' : 'failure';
  return html`<section class="${tone}"><h2>${notice.title}</h2><p>${notice.advice}</p></section>`;
}

function facts({ payment, shop, paidAtMs, session }: Receipt, words: Locale): Html {
  const own = receiptWords[words.language];
  const { operatorPhone, externalId } = payment;
  const instant = zonedInstant(paidAtMs ?? payment.createdAtMs, shop.timeZones, words);
  const [buyer, invoice] = [metadataText(payment, 'nif'), metadataText(payment, 'invoice')];
  // Without a description of its own, a payment lists the items, which stand below.
  const description = session ? session.description : payment.description;
  return html`<dl>
    ${fact(paidAtMs === undefined ? own.asOf : words.facts.date, instant)}
    ${fact(words.facts.reference, html`<b>${shortReference(payment.id)}</b> <small>${formatId('pi', payment.id)}</small>`)}
    ${fact(words.operator, words.operators[payment.operator])}
    ${payment.operatorTxId ? fact(words.facts.transaction, named(payment.operatorTxId)) : undefined}
    ${operatorPhone === erasedPhone ? undefined : fact(own.phone, endOfPhone(operatorPhone))}
    ${externalId ? fact(own.order, named(externalId)) : undefined}
    ${buyer ? fact(own.buyer, named(buyer)) : undefined}
    ${invoice ? fact(own.invoice, named(invoice)) : undefined}
    ${description ? fact(own.about, named(description)) : undefined}
    ${shop.taxNumber ? fact(own.taxNumber, shop.taxNumber) : undefined}
  </dl>`;
}

const longestText = 60;

/** What the shop has written in the metadata of a sale, for the customer's books. */
function metadataText({ metadata }: Payment, key: 'nif' | 'invoice'): string | undefined {
  if (metadata === null) return undefined;
  const value: unknown = (JSON.parse(metadata) as Record<string, unknown>)[key];
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  return text === '' ? undefined : text.slice(0, longestText).toWellFormed();
}

function items({ session, payment }: Receipt, words: Locale): Html | undefined {
  const lines = session && itemLines(session, words, mostItems);
  if (!lines) return undefined;
  const own = receiptWords[words.language];
  const total = customerMoney(payment.amountMinor, payment.currency, words.language);
  return html`<section><h2>${own.bought}</h2>${lines}
    <p class="line sum-line"><span>${own.total}</span><span class="sum">${total}</span></p></section>`;
}

/** A FAILED refund with an operator's id went through after all. */
const isGivenBack = ({ status, operatorRefundId }: Refund) =>
  status === 'SUCCEEDED' || (status === 'FAILED' && operatorRefundId !== null);

function refunds({ payment, shop, refunds: all }: Receipt, words: Locale): Html | undefined {
  const own = receiptWords[words.language];
  const shown = all.filter((refund) => isGivenBack(refund) || refund.status !== 'FAILED');
  if (shown.length === 0) return undefined;
  const amount = (amountMinor: bigint) =>
    customerMoney(amountMinor, payment.currency, words.language);
  const lines = shown.map((refund) => {
    const isDone = isGivenBack(refund);
    const date = instantOf(refund.updatedAtMs, shop.timeZones, words);
    const id = refund.operatorRefundId;
    const small = id ? html`<small>${own.refundReference} ${named(id)}</small>` : undefined;
    return html`<li><span>${isDone ? own.refundOn(date) : own.refundPending}${small}</span><span class="sum">−${amount(refund.amountMinor)}</span></li>`;
  });
  const givenBackMinor = shown
    .filter(isGivenBack)
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
  const left = amount(payment.amountMinor - givenBackMinor);
  return html`<section><h2>${own.givenBack}</h2><ul class="items">${lines}</ul>
    <p class="line sum-line"><span>${own.kept}</span><span class="sum">${left}</span></p></section>`;
}

/** The others must wait for a person, at the operator or on our side. */
const isGoingBack = ({ status }: Reversal) =>
  status === 'PENDING' || status === 'PROCESSING' || status === 'SUCCEEDED';

/** What customers find in the operator's messages and ask about: a wrong debit, which goes back automatically. */
function wrongDebits({ reversals }: Receipt, words: Locale): Html | undefined {
  const own = receiptWords[words.language];
  const shown = reversals.filter(isGoingBack);
  if (shown.length === 0) return undefined;
  const lines = shown.map(({ status, operatorTxId, amountMinor, currency }) => {
    const amount = customerMoney(amountMinor, currency, words.language);
    const text = status === 'SUCCEEDED' ? own.wentBack : own.refundPending;
    return html`<li><span>${text}<small>${own.refundReference} ${named(operatorTxId)}</small></span><span class="sum">−${amount}</span></li>`;
  });
  return html`<section><h2>${own.wrongDebits}</h2><ul class="items">${lines}</ul></section>`;
}

/** The shop's own lines. */
export const ownText = ({ receiptText }: Pick<Shop, 'receiptText'>): Html | undefined =>
  receiptText === null
    ? undefined
    : html`<p class="own-text">${receiptText.split('\n').map((line) => html`<span>${named(line)}</span>`)}</p>`;

/** Without a script the buttons stay hidden: the browser's own menu does as well. */
function actions({ shop }: Receipt, state: ReceiptState, { language }: Locale): Html {
  const own = receiptWords[language];
  return html`<div class="actions" hidden data-title="${own.receiptOf(nameText(shop.name))}">
    <button type="button" class="quiet" data-print>${own.print}</button>
    <button type="button" data-share data-copy="${own.copy}" data-copied="${own.copied}">${own.share}</button></div>
    <p class="small-print">${wasPaid(state) ? html`<span>${own.noInvoice}</span> ` : undefined}<span class="screen-only">${own.lasting}</span></p>`;
}
